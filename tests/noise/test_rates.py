"""Which rates are let through, in which form, and what is said about the others."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.noise import check_rate


@pytest.mark.parametrize(
    ("name", "rate", "n_classes", "canonical"),
    [
        ("clean", None, 2, None),
        ("mahalanobis", None, 5, None),
        ("uniform", 0, 2, 0.0),
        ("uniform", 0.65, 3, 0.65),
        ("uniform", np.float32(0.5), 10, 0.5),
        ("pair-flip", 0.45, 4, 0.45),
        ("balanced", 0.4, 2, 0.4),
        ("adversarial", 0.5, 2, 0.5),
        ("class-conditional", [0.1, 0.3], 2, (0.1, 0.3)),
        ("class-conditional", np.array([0.0, 0.9]), 2, (0.0, 0.9)),
    ],
)
def test_canonical_form(name, rate, n_classes, canonical):
    checked = check_rate(name, rate, n_classes)
    assert checked == canonical
    assert all(type(value) is float for value in ([] if checked is None else np.atleast_1d(checked).tolist()))
    assert check_rate(name, checked, n_classes) == canonical


def test_negative_zero_is_zero():
    assert str(check_rate("uniform", -0.0, 2)) == "0.0"


@pytest.mark.parametrize(
    ("name", "rate", "n_classes", "sentence"),
    [
        ("clean", 0.1, 2, r"noise 'clean' takes no rate; leave it out \(got 0.1\)"),
        ("uniform", None, 2, r"noise 'uniform' takes one rate; give one number such as 0.2 \(got none\)"),
        ("uniform", [0.2], 2, r"takes one rate; .* \(got \[0.2\]\)"),
        ("uniform", (0.1, 0.2), 2, "takes one rate"),
        ("class_conditional", 0.2, 2, r"takes two rates, one for each class; .* \(got 0.2\)"),
        ("class_conditional", [0.1, 0.2, 0.3], 2, "takes two rates"),
        ("class_conditional_by_size", 0.2, 2, "takes two rates, one for each class"),
        ("uniform", "0.2", 2, "the rate '0.2' of noise 'uniform' is not a finite number"),
        ("uniform", True, 2, "the rate True of noise 'uniform' is not a finite number"),
        ("uniform", float("nan"), 2, "the rate nan of noise 'uniform' is not a finite number"),
        ("pair_flip", float("inf"), 3, "not a finite number"),
        ("uniform", -0.1, 2, r"the rate -0.1 of noise 'uniform' must lie in \[0, 0.5\) for 2 classes, since"),
        ("uniform", 0.9, 10, r"must lie in \[0, 0.9\) for 10 classes, since at the upper end a label says nothing"),
        ("uniform", 2 / 3, 3, r"must lie in \[0, 0.6667\) for 3 classes"),
        ("pair_flip", 0.5, 4, r"must lie in \[0, 0.5\) for 4 classes, since at 0.5"),
        ("balanced", 0.5, 2, r"must lie in \[0, 0.5\) for 2 classes, since at 0.5 half"),
        ("adversarial", 0.51, 2, r"must lie in \[0, 0.5\] for 2 classes, since beyond 0.5"),
        ("class_conditional", (1.0, 0.0), 2, r"the rate 1.0 .* must lie in \[0, 1\)"),
        ("class_conditional", (0.5, 0.5), 2, r"the rates \(0.5, 0.5\) .* must add up to less than 1, since"),
        ("class_conditional", (0.1, 0.3), 3, "needs exactly 2 classes, but there are 3"),
    ],
)
def test_refused(name, rate, n_classes, sentence):
    with pytest.raises(InputError, match=sentence):
        check_rate(name, rate, n_classes)

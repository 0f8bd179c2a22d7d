"""Names, rates, parameters and features of noise models: what is taken, and what is refused."""

import importlib
import inspect

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from ironbark.errors import InputError
from ironbark.noise import NOISE_MODELS, apply, base, check_params, check_rate, resolve
from ironbark.noise.base import Corruption


@pytest.mark.parametrize("name", NOISE_MODELS)
def test_every_entry_has_its_function_limits_and_parameter_tests(name):
    model = NOISE_MODELS[name]
    function = getattr(importlib.import_module(model.module), name)
    assert list(inspect.signature(function).parameters)[:5] == ["X", "y", "n_classes", "rate", "rng"]
    assert (function.__kwdefaults__ or {}) == {key: option.default for key, option in model.params.items()}
    assert all(option.wanted for option in model.params.values())
    assert (model.citation or name == "clean") and set(model.tasks) <= {"binary", "multiclass"}


def test_resolve_takes_hyphens_and_any_case():
    assert {resolve(name)[0] for name in ("pair_flip", "pair-flip", "Pair-Flip", " PAIR_FLIP ")} == {"pair_flip"}


@pytest.mark.parametrize(
    ("name", "rate", "n_classes", "canonical"),
    [
        ("clean", None, 2, None),
        ("uniform", 0, 2, 0.0),
        ("uniform", np.float32(0.5), 10, 0.5),
        ("class-conditional", [0.1, 0.3], 2, (0.1, 0.3)),
        ("class-conditional", np.array([0.0, 0.9]), 2, (0.0, 0.9)),
    ],
)
def test_canonical_form(name, rate, n_classes, canonical):
    checked = check_rate(name, rate, n_classes)
    assert checked == canonical
    assert all(type(value) is float for value in ([] if checked is None else np.atleast_1d(checked).tolist()))
    assert check_rate(name, checked, n_classes) == canonical
    assert str(check_rate("uniform", -0.0, 2)) == "0.0"
    assert check_params("uniform", {}) == {"exact": False}


#: Rate, parameters or number of classes that a model refuses, with words of the culprit and the remedy.
REFUSED = [
    ("clean", 0.1, {}, 2, r"'clean' takes no rate; leave it out \(got 0.1\)"),
    ("uniform", None, {}, 2, r"'uniform' takes one rate; give one number .* \(got none\)"),
    ("class_conditional", 0.2, {}, 2, r"takes two rates, .* \(got 0.2\)"),
    ("uniform", "0.2", {}, 2, "the rate '0.2' .* is not a finite number"),
    ("uniform", -0.1, {}, 2, r"the rate -0.1 .* must lie in \[0, 0.5\) for 2 classes"),
    *((name, 0.5, {}, 2, r"must lie in \[0, 0.5\)") for name in ("pair_flip", "balanced")),
    ("adversarial", 0.51, {}, 2, r"must lie in \[0, 0.5\]"),
    ("class_conditional", (0.5, 0.5), {}, 2, r"\(0.5, 0.5\) .* must add up to less than 1"),
    ("uniform", 0.1, {"exat": True}, 2, r"'uniform' has no parameter 'exat'; did you mean 'exact'\?"),
    ("balanced", 0.1, {"exact": True}, 2, "has no parameter 'exact'; it takes none, so leave it out."),
    ("uniform", 0.1, {"exact": 1}, 2, "exact=1 .* must be true or false."),
    ("pair_flip", 0.1, {"last": "stay"}, 2, "last='stay' .* must be 'wrap' or 'keep'."),
    ("adversarial", 0.1, {"rounds": 0}, 2, "rounds=0 .* must be an integer >= 1."),
    ("balanced", 0.1, {}, 3, "'balanced' needs exactly 2 classes, but there are 3; choose one of clean, uniform, mah"),
    ("mahalanobis", None, {}, 2, "needs 3 or more classes, but there are 2; choose one of clean, uniform"),
    ("uniform", 0.1, {}, 1, "needs labels of at least 2 classes, but there is only 1"),
    ("unifrom", 0.1, {}, 2, r"unknown noise 'unifrom'; did you mean 'uniform'\?$"),
    (None, 0.1, {}, 2, "unknown noise None; choose one of clean, "),
    ("threshold", 0.2, {"quantile": 1.0}, 2, r"it must be a number in \[0, 1\)"),
    ("annotators", None, {"skill": [0.5, -0.1]}, 2, r"a number in \[0, 1\], or a list"),
    ("annotators", None, {"votes": 2, "dissenters": 3}, 2, "give as many votes as there are annotators"),
    ("matrix", None, {}, 2, "noise 'matrix' needs matrix; give as many rows as columns, of numbers in"),
    ("matrix", None, {"matrix": [[0.5, 0.4], [0, 1]]}, 2, "sum to 1 in each row"),
    ("matrix", None, {"matrix": [[1, 0, 0], [0, 1, 0]]}, 2, "as many rows as columns"),
    ("observed", None, {}, 2, "noise 'observed' needs the given labels; pass given=..., or name their column"),
    ("observed", None, {"given": [0]}, 2, r"has given labels of shape \(1,\), but y of shape \(3,\)"),
    ("observed", None, {"given": np.arange(3)}, 2, "needs given labels that are codes from 0 to 1"),
]


@pytest.mark.parametrize(("name", "rate", "params", "n_classes", "words"), REFUSED)
def test_refused(name, rate, params, n_classes, words):
    with pytest.raises(InputError, match=words):
        apply(name, None, np.zeros(3, int), n_classes, rate, np.random.default_rng(0), **params)


NINE = np.arange(9) % 3
TABLE = np.column_stack([np.arange(90.0), np.arange(90) % 3, np.ones(90)])
FRAME = pd.DataFrame({"sex": ["f", "m"] * 5, "all": 1.0, "none": np.nan})

#: Features that a model refuses with these parameters; what misses or holds one class is in contracts/test_noise.py.
REFUSED_FEATURES = [
    ("mahalanobis", np.ones((9, 2)), NINE, {}, "every column of X is constant"),
    ("mahalanobis", np.eye(9), 0 * NINE, {}, "needs samples of at least 2 classes"),
    ("mahalanobis", np.eye(3), np.arange(3), {}, "the covariance within two classes; give more samples"),
    ("mahalanobis", csr_matrix(np.eye(9)), NINE, {}, "noise 'mahalanobis' needs a dense table of numbers"),
    ("borderline", np.where(np.eye(9), np.inf, 0), NINE, {}, "measures distances, but X holds NaN or infinity"),
    ("adversarial", csr_matrix(np.eye(8)), np.arange(8) % 2, {}, "cannot fit its booster to X: .*[Ss]parse"),
    ("part_dependent", np.ones((9, 2)), NINE, {}, "noise 'part_dependent' needs features that vary"),
    ("boundary_consistent", np.ones((9, 2)), NINE, {}, "needs features that vary"),
    ("boundary_consistent", np.eye(3), np.arange(3), {}, "needs a class with several samples"),
    ("threshold", np.arange(9.0), NINE, {}, r"X has the shape \(9,\), but noise by columns needs a table"),
    ("threshold", TABLE, np.arange(90) % 3, {"column": 3}, "asks for column 3, but X has the columns 0 to 2"),
    ("threshold", TABLE, np.arange(90) % 3, {"column": "age"}, "'age', but X has no column names; give a position"),
    ("threshold", TABLE, np.arange(90) % 3, {"column": 2}, "does not have a fraction 0.2 of the samples above its"),
    ("group", TABLE, np.arange(90) % 3, {"column": 1, "value": 7}, "no sample has the value 7 in column 1"),
    ("threshold", FRAME, np.arange(10) % 2, {"column": "sex"}, "compares numbers, but column 'sex' holds others"),
    ("group", FRAME, np.arange(10) % 2, {"column": "age"}, "X has the columns sex, all, none"),
    ("group", FRAME, np.arange(10) % 2, {"column": "none"}, "all values of column 'none' are missing"),
]


@pytest.mark.parametrize(("name", "X", "y", "params", "words"), REFUSED_FEATURES)
def test_features_that_are_refused(name, X, y, params, words):
    rate = None if NOISE_MODELS[name].rates == 0 else 0.2
    with pytest.raises(InputError, match=words):
        apply(name, X, y, 2 if name == "adversarial" else 3, rate, np.random.default_rng(0), **params)


@pytest.mark.parametrize("codes", [[0, 3], [-1, 0]])
def test_codes_out_of_range_are_refused(codes):
    with pytest.raises(InputError, match="must hold codes from 0 to 2"):
        apply("uniform", None, np.array(codes), 3, 0.1, np.random.default_rng(0))


#: Labels and matrix that a noise model of two classes may not return for three samples, with words of the culprit.
RETURNED = [
    (None, None, "a value of type NoneType;"),
    ([0, 0, -1], np.eye(2), "labels from -1 to 0; return a Corruption of 3 integers from 0 to 1 and 2 x 2 numbers"),
    ([0, 1], np.eye(2), r"labels of type int64 and shape \(2,\)"),
    ([0.0, 1.0, 1.0], np.eye(2), "labels of type float64"),
    ([0, 1, 1], np.eye(3), r"a transition matrix of type float64 and shape \(3, 3\)"),
    ([0, 1, 1], np.full((2, 2), np.nan), "not finite"),
]


@pytest.mark.parametrize(("labels", "transition", "words"), RETURNED)
def test_what_a_model_may_not_return(monkeypatch, labels, transition, words):
    found = None if labels is None else Corruption(np.array(labels), transition)
    monkeypatch.setattr(base, "observed", lambda *given, **params: found)
    with pytest.raises(InputError, match=f"noise 'observed' returned .*{words}"):
        apply("observed", None, np.zeros(3, int), 2, None, np.random.default_rng(0))

"""Parameters of noise models: defaults, unknown names, bad values."""

import pytest

from ironbark.errors import InputError
from ironbark.noise import check_params


def test_defaults_are_filled_in():
    assert check_params("uniform", {}) == {"exact": False}
    assert check_params("pair-flip", {"last": "keep"}) == {"last": "keep"}
    assert check_params("balanced", {}) == {}


@pytest.mark.parametrize(
    ("name", "params", "sentence"),
    [
        ("uniform", {"exat": True}, r"noise 'uniform' has no parameter 'exat'; did you mean 'exact'\?"),
        ("uniform", {"xyz": True}, "has no parameter 'xyz'; it takes exact."),
        ("balanced", {"exact": True}, "noise 'balanced' has no parameter 'exact'; it takes none, so leave it out."),
        ("uniform", {"exact": 1}, "exact=1 of noise 'uniform' is not allowed; it must be true or false."),
        ("pair_flip", {"last": "stay"}, "last='stay' .* must be 'wrap' or 'keep'."),
        ("mahalanobis", {"shrinkage": 1.5}, r"shrinkage=1.5 .* must be a number in \[0, 1\]."),
        ("mahalanobis", {"shrinkage": float("nan")}, "shrinkage=nan .* must be a number"),
        ("adversarial", {"rounds": 0}, "rounds=0 .* must be an integer >= 1."),
        ("adversarial", {"only": True}, "only=True .* must be 0, 1 or null."),
        ("adversarial", {"rounds": 10.0}, "rounds=10.0 .* must be an integer >= 1."),
    ],
)
def test_refused(name, params, sentence):
    with pytest.raises(InputError, match=sentence):
        check_params(name, params)

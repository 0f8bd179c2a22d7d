"""The public entry points: types of labels, seeds, and what they refuse."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.noise import corrupt


@pytest.mark.parametrize(
    "values",
    [
        np.array([-1, 1], np.int8),
        np.array([0.5, 1.5]),
        np.array(["no", "yes"], object),
    ],
)
def test_dtype_and_order_of_classes_are_kept(values):
    y = values[np.repeat([0, 1], 300)]
    noisy = corrupt("class-conditional", None, y, rate=(0.0, 0.4), random_state=1)
    assert noisy.dtype == y.dtype
    assert (noisy[:300] == values[0]).all() and set(noisy[300:]) == set(values)  # the larger label is class 1


def test_seeds():
    y = np.arange(500) % 3
    first, again, other = (corrupt("uniform", None, y, rate=0.4, random_state=s) for s in (0, 0, 1))
    assert np.array_equal(first, again) and not np.array_equal(first, other)
    rng = np.random.default_rng(0)
    stream = [corrupt("uniform", None, y, rate=0.4, random_state=rng) for _ in range(2)]
    assert np.array_equal(stream[0], first) and not np.array_equal(stream[1], first)
    fresh = [corrupt("uniform", None, y, rate=0.4) for _ in range(2)]
    assert not np.array_equal(*fresh)


Y = np.arange(6) % 2


@pytest.mark.parametrize(
    ("name", "X", "y", "options", "sentence"),
    [
        ("uniform", None, np.column_stack([Y, Y]), {"rate": 0.1}, r"y should be a 1d array, but has shape \(6, 2\)"),
        ("uniform", np.zeros((5, 1)), Y, {"rate": 0.1}, "X has 5 samples but y has 6 labels"),
        ("uniform", None, np.ones(6), {"rate": 0.1}, "y must hold at least 2 classes, but it holds 1"),
        ("uniform", None, [], {"rate": 0.1}, "y must hold at least 2 classes, but it holds 0"),
        ("uniform", None, [0, np.nan, 1], {"rate": 0.1}, "y holds 1 missing label"),
        ("uniform", None, np.array(["a", 1], object), {"rate": 0.1}, "y mixes number and text"),
        ("uniform", None, Y, {"rate": 0.1, "random_state": -1}, "random_state=-1 is no seed"),
        ("matrix", None, Y, {"matrix": np.eye(3)}, "noise 'matrix' has a 3 x 3 matrix, but there are 2 classes"),
        ("observed", None, ["a", "b"], {"given": ["a", "z"]}, "given holds the label 'z', which y does not"),
    ],
)
def test_corrupt_refuses(name, X, y, options, sentence):
    with pytest.raises(InputError, match=sentence):
        corrupt(name, X, y, **options)

"""The public entry points: types of labels, seeds, and what they refuse."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.noise import NOISE_MODELS, apply, corrupt

RATES = {0: None, 1: 0.3, 2: (0.2, 0.4)}
PARAMS = {"matrix": {"matrix": 0.6 * np.eye(4) + 0.1}, "observed": {"given": np.arange(200) % 4}}
LABELS = {"binary": ["edible", "poisonous"], "multiclass": ["a", "b", "c", "d"]}


def case(name, n=200):
    """Features, coded labels and label names that suit a model."""
    rng = np.random.default_rng(0)
    names = LABELS[NOISE_MODELS[name].tasks[-1]]
    codes = rng.integers(0, len(names), n)
    return rng.normal(size=(n, 3)) + codes[:, None], codes, np.array(names)


@pytest.mark.parametrize("name", NOISE_MODELS)
def test_apply_contract(name):
    X, codes, names = case(name)
    before = codes.copy()
    rate, params = RATES[NOISE_MODELS[name].rates], PARAMS.get(name, {})
    result = apply(name, X, codes, len(names), rate, np.random.default_rng(0), **params)
    assert result.labels.shape == (200,) and result.labels.dtype == np.int64
    assert result.labels.min() >= 0 and result.labels.max() < len(names)
    assert result.transition.shape == (len(names),) * 2 and result.transition.dtype == np.float64
    assert (result.transition >= 0).all() and np.allclose(result.transition.sum(axis=1), 1, atol=1e-12)
    assert np.array_equal(codes, before)
    assert (result.labels != codes).any() == (name != "clean")


@pytest.mark.parametrize("name", NOISE_MODELS)
def test_corrupt_is_apply_on_the_users_labels(name):
    X, codes, names = case(name)
    rate, params = RATES[NOISE_MODELS[name].rates], PARAMS.get(name, {}).copy()
    expected = names[apply(name, X, codes, len(names), rate, np.random.default_rng(5), **params).labels]
    if "given" in params:
        params["given"] = names[params["given"]].tolist()
    for y in (names[codes], pd.Series(names[codes], index=np.arange(200)[::-1]), list(names[codes])):
        assert corrupt(name, X, y, rate=rate, random_state=5, **params).tolist() == expected.tolist()
    generator = np.random.default_rng(5)
    assert np.array_equal(corrupt(name, X, names[codes], rate=rate, random_state=generator, **params), expected)


@pytest.mark.parametrize(
    "values",
    [
        np.array([-1, 1], np.int8),
        np.array([0.5, 1.5]),
        np.array([False, True]),
        np.array(["no", "yes"]),
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


@pytest.mark.parametrize("name", ["uniform", "mahalanobis"])
def test_labels_depend_on_the_generator_alone_not_on_features_that_are_ignored(name):
    X, codes, names = case(name)
    moved = X + 1 if name == "mahalanobis" else None  # distances do not change
    one, two = (apply(name, Z, codes, 4, RATES[NOISE_MODELS[name].rates], np.random.default_rng(3)) for Z in (X, moved))
    assert np.array_equal(one.labels, two.labels)


Y = np.arange(6) % 2


@pytest.mark.parametrize(
    ("name", "X", "y", "options", "sentence"),
    [
        ("unifrm", None, Y, {"rate": 0.1}, "unknown noise 'unifrm'; did you mean 'uniform'"),
        ("uniform", None, np.column_stack([Y, Y]), {"rate": 0.1}, r"y should be a 1d array, but has shape \(6, 2\)"),
        ("uniform", np.zeros((5, 1)), Y, {"rate": 0.1}, "X has 5 samples but y has 6 labels"),
        ("uniform", [[0.0]] * 5, Y, {"rate": 0.1}, "X has 5 samples but y has 6 labels"),
        ("uniform", None, np.ones(6), {"rate": 0.1}, "y must hold at least 2 classes, but it holds 1"),
        ("uniform", None, [], {"rate": 0.1}, "y must hold at least 2 classes, but it holds 0"),
        ("uniform", None, [0, np.nan, 1], {"rate": 0.1}, "y holds 1 missing label"),
        ("uniform", None, pd.Series(["a", None, "b"]), {"rate": 0.1}, "y holds 1 missing label"),
        ("uniform", None, np.array(["a", 1], object), {"rate": 0.1}, "y mixes number and text"),
        ("uniform", None, Y, {}, "noise 'uniform' takes one rate"),
        ("uniform", None, Y, {"rate": 0.1, "exct": True}, "did you mean 'exact'"),
        ("uniform", None, Y, {"rate": 0.1, "random_state": -1}, "random_state=-1 is not a seed"),
        ("uniform", None, Y, {"rate": 0.1, "random_state": "x"}, "random_state='x' is not a seed"),
        ("balanced", None, np.arange(6) % 3, {"rate": 0.1}, "needs exactly 2 classes, but there are 3"),
        ("mahalanobis", np.zeros((6, 1)), Y, {}, "needs 3 or more classes, but there are 2"),
        ("adversarial", None, Y, {"rate": 0.1}, "noise 'adversarial' depends on the features, but X is None"),
    ],
)
def test_corrupt_refuses(name, X, y, options, sentence):
    with pytest.raises(InputError, match=sentence):
        corrupt(name, X, y, **options)


@pytest.mark.parametrize("codes", [np.array([0, 3]), np.array([-1, 0])])
def test_apply_refuses_codes_out_of_range(codes):
    with pytest.raises(InputError, match="must hold codes from 0 to 2"):
        apply("uniform", None, codes, 3, 0.1, np.random.default_rng(0))


def test_features_with_nan_are_a_value_error():
    X, codes, names = case("mahalanobis")
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        corrupt("mahalanobis", X, names[codes])

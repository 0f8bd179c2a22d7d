"""Custom criteria: the built-in ones written as functions grow the built-in trees."""

import pickle

import numba
import numpy as np
import pytest
from sklearn.base import clone
from tree.shared import Forest, Tree, assert_same_trees, trees_of

from ironbark.criteria import custom
from ironbark.errors import InputError


def gini_gain(left, right, params):
    """n times the decrease of Gini impurity, scaled by the first parameter if there is one."""
    a, b = left.sum(), right.sum()
    whole = left + right
    gain = (left**2).sum() / a + (right**2).sum() / b - (whole**2).sum() / (a + b)
    return gain * params[0] if len(params) > 0 else gain


@numba.njit
def entropy_gain(left, right, params):
    def nats(counts):
        total = 0.0
        for count in counts:
            if count > 0:
                total -= count * np.log(count / counts.sum())
        return total

    return nats(left + right) - nats(left) - nats(right)


def data(n_classes, n=150, d=6):
    """Values without ties between features, so that rounding decides nothing."""
    rng = np.random.default_rng(n_classes)
    return rng.normal(size=(n, d)), rng.integers(0, n_classes, n)


@pytest.mark.parametrize("n_classes", [2, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("model", "function", "name"), [(Tree(), gini_gain, "gini"), (Forest(4, bootstrap=False), entropy_gain, "entropy")]
)
def test_trees_and_forests_are_those_of_the_built_in_criterion(model, function, name, n_classes):
    X, y = data(n_classes)
    model.set_params(min_samples_leaf=2)  # splits into two pure children would end a search earlier
    ours, own = (trees_of(clone(model).set_params(criterion=criterion).fit(X, y)) for criterion in (name, function))
    for a, b in zip(ours, own, strict=True):
        assert all(np.array_equal(getattr(a, part), getattr(b, part)) for part in ("feature", "threshold", "counts"))
        assert b.node_count > 20
        np.testing.assert_allclose(b.gain, a.gain * len(y), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (lambda left, right: 0.0, "fails on class counts of the children"),
        (lambda left, right, params: float(left[0]), "must be symmetric"),
        (lambda left, right, params: np.nan, "must be symmetric"),
        (lambda left, right, params: params[0], "IndexError: index 0 is out of bounds"),
        ("ironbark.no_such_gain", "cannot load the criterion 'ironbark.no_such_gain'"),
        ("os.getcwd", "criterion='os.getcwd' is no function written in Python"),
        (max, "is no function written in Python"),
    ],
)
def test_functions_that_are_no_criterion_are_refused(criterion, message):
    X, y = data(2)
    with pytest.raises(InputError, match="criterion_params"):
        custom.build(gini_gain, 2, [[1.0]])
    with pytest.raises(InputError, match=message):
        Tree(criterion).fit(X, y)


@pytest.mark.parametrize(("criterion", "whole"), [(f"{__name__}.gini_gain", Tree()), (entropy_gain, Forest(3))])
def test_trees_can_be_pruned_and_converted(criterion, whole):
    X, y = data(3)
    X = X.astype(np.float32)
    whole = clone(whole).set_params(criterion=criterion, criterion_params=[1.5]).fit(X, y)
    for name, values in {"max_depth": [None, 4, 1], "min_samples_split": [2, 20], "ccp_alpha": [0, 0.005]}.items():
        for value, pruned in zip(values, whole.prune_path(**{name: values}), strict=True):
            grown = clone(whole).set_params(**{name: value}).fit(X, y)
            assert pruned.get_params() == grown.get_params()
            assert_same_trees(pruned, grown)
            converted = pickle.loads(pickle.dumps(pruned.to_sklearn()))
            np.testing.assert_allclose(converted.predict_proba(X), grown.predict_proba(X), atol=1e-12)
            assert converted.criterion == "gini"  # what a node's impurity is; a gain gives a single node none
    assert whole.get_depth() > 4
    assert_same_trees(pickle.loads(pickle.dumps(whole)), whole)

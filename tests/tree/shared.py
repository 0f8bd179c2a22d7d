"""Estimators that grow whole trees from seed 0, data, and comparisons that tests of trees share."""

from functools import partial

import naive
import numpy as np
from sklearn.datasets import make_classification

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.criteria import CRITERIA

Tree = partial(RobustDecisionTreeClassifier, ccp_alpha=0.0, random_state=0)
Forest = partial(RobustRandomForestClassifier, ccp_alpha=0.0, random_state=0)
COLUMNS = ("children_left", "children_right", "feature", "threshold", "counts", "prediction", "gain")
LIMITS = ("max_depth", "min_samples_split", "min_samples_leaf", "min_impurity_decrease")


def assert_same(a, b, rtol=0.0):
    """Every array of two trees is the same, row by row; gains up to a relative difference."""
    for name in COLUMNS[:-1]:
        one, other = getattr(a, name), getattr(b, name)
        assert np.array_equal(one, other) and one.dtype == other.dtype, name
    for name in ("n_features", "weighted", "criterion", "parameters"):
        assert getattr(a, name) == getattr(b, name), name
    assert np.array_equal(a.missing_go_to_left, b.missing_go_to_left)
    np.testing.assert_allclose(a.gain, b.gain, rtol=rtol, atol=1e-12 if rtol else 0)


def trees_of(estimator):
    return [estimator.tree_] if hasattr(estimator, "tree_") else estimator.trees_


def assert_same_trees(one, other):
    """All trees of two estimators are the same, and so are the seeds of a forest."""
    assert np.array_equal(getattr(one, "seeds_", 0), getattr(other, "seeds_", 0))
    for a, b in zip(trees_of(one), trees_of(other), strict=True):
        assert_same(a, b)


def votes_of(forest, X):
    """Probabilities by the trees that did not draw a sample, for each sample."""
    drawn = [set(samples.tolist()) for samples in forest.estimators_samples_]
    found = [member.predict_proba(X) for member in forest.estimators_]
    return [[p[i] for p, own in zip(found, drawn, strict=True) if i not in own] for i in range(len(X))]


def assert_path_ends_at(leaves, path):
    assert np.array_equal(path.indices[path.indptr[1:] - 1], leaves)


def assert_naive(model, X, y, weights=None, *, tree=None, seed=None):
    """The tree is the naive one of the same parameters on the same draws; returns its number of nodes."""
    tree = model.tree_ if tree is None else tree
    weights, name = np.ones(len(y), int) if weights is None else weights, model.criterion
    parameters, limits = model.get_params(), {limit: getattr(model, limit) for limit in LIMITS}
    quirky = model.compat == "rdts"
    root = naive.grow(
        np.repeat(X.astype(np.float64), weights, axis=0),
        np.repeat(np.searchsorted(model.classes_, y), weights),
        "twoing_rdts" if quirky and name == "twoing" else name,
        parameters.get(CRITERIA[name].parameter),
        seed=np.random.RandomState(model.random_state).randint(np.iinfo(np.int32).max) if seed is None else seed,
        max_features=model.max_features,
        count=model.constant_features == "count",
        n_classes=max(2, model.n_classes_),
        cls=naive.QuirkyGrower if quirky else naive.Grower,
        **{limit: value for limit, value in limits.items() if value is not None},
    )
    naive.assert_same_tree(tree, root)
    assert tree.node_count == naive.node_count(root)
    return tree.node_count


def with_gaps(X, share, seed=0):
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X).astype(X.dtype)


def continuous(n_classes=3, n=2000, seed=None):
    """Data on which scikit-learn grows the same trees if they are shallow: float32, and no two splits tie."""
    rng = np.random.default_rng(n_classes if seed is None else seed)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    return X, np.digitize(X[:, 0] + X[:, 1] ** 2 + 0.4 * rng.normal(size=n), np.linspace(0, 2, n_classes - 1))


def tied(seed=0, n=300, n_classes=3):
    """Noisy labels on features with many ties."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (n, 5)).astype(float)
    y = (X[:, 0] + X[:, 1] * X[:, 2]).astype(int) % n_classes
    return X, np.where(rng.random(n) < 0.3, rng.integers(0, n_classes, n), y)


def labelled(n=150):
    """Three classes that are texts, and twenty features."""
    X, y = make_classification(n, n_informative=5, n_classes=3, flip_y=0.2, random_state=0)
    return X, np.array(["a", "b", "c"])[y]

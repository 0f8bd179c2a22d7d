"""Thresholds and the walk down a tree."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from ironbark import RobustDecisionTreeClassifier
from ironbark.tree.structure import compact

PAIRS = [
    (1.0, np.nextafter(1, 2)),
    (-5e-324, 0.0),
    (0.0, 5e-324),
    (5e-324, 1e-323),
    (-1.7e308, 1.7e308),
    (1.6e308, 1.7e308),
    (-0.0, 1.0),
    (2.0**53 - 1, 2.0**53),
]


@pytest.mark.parametrize(("low", "high"), PAIRS)
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_threshold_parts_any_two_distinct_values(low, high, mirrored):
    low, high = (-high, -low) if mirrored else (low, high)
    for max_features in (None, 1):
        X = np.array([[low, 0.0], [high, 0.0], [low, 0.0]])
        tree = RobustDecisionTreeClassifier(max_features=max_features, ccp_alpha=0.0).fit(X, [0, 1, 0])
        assert low <= tree.tree_.threshold[0] < high
        assert tree.predict(X).tolist() == [0, 1, 0]


def test_samples_reach_the_leaves_that_counted_them():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (200, 4)).astype(float), rng.integers(0, 3, 200)
    fitted = RobustDecisionTreeClassifier("misclassification", random_state=0, ccp_alpha=0.0).fit(X, y)
    tree, leaves = fitted.tree_, fitted.apply(X)
    assert (tree.feature[leaves] == -2).all()
    for leaf in np.flatnonzero(tree.feature == -2):
        assert np.bincount(y[leaves == leaf], minlength=3).tolist() == tree.counts[leaf].tolist()
    inner = np.flatnonzero(tree.feature != -2)
    children = tree.counts[tree.children_left[inner]] + tree.counts[tree.children_right[inner]]
    assert np.array_equal(children, tree.counts[inner])
    assert tree.n_leaves == len(inner) + 1
    assert (tree.children_left[inner] > inner).all()
    np.testing.assert_allclose(fitted.predict_proba(X), tree.counts[leaves] / tree.counts[leaves].sum(1)[:, None])


def test_depth_counts_the_splits_of_the_longest_path():
    X = np.arange(8.0)[:, None]
    for depth, y in ((0, [0] * 8), (1, [0, 0, 0, 1, 1, 1, 1, 1]), (2, [0, 0, 1, 1, 1, 1, 0, 0])):
        tree = RobustDecisionTreeClassifier("entropy", ccp_alpha=0.0).fit(X, y)
        assert (tree.get_depth(), tree.get_n_leaves()) == (depth, depth + 1)


def continuous(n_classes=3, n=2000):
    """Data on which scikit-learn grows the same tree: float32, no two splits tie."""
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(n, 4)).astype(np.float32)
    noise = 0.4 * rng.normal(size=n)
    return X, np.digitize(X[:, 0] + X[:, 1] ** 2 + noise, np.linspace(0, 2, n_classes - 1))


def by_sample(tree, X, name):
    """An attribute of the nodes that each sample passes through, in the order of the path."""
    path = tree.decision_path(X)
    return [getattr(tree, name)[path.indices[a:b]] for a, b in zip(path.indptr, path.indptr[1:], strict=False)]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_attributes_are_those_of_scikit_learn(n_classes):
    X, y = continuous(n_classes)
    ours = RobustDecisionTreeClassifier(max_depth=4, ccp_alpha=0.0).fit(X, y).tree_
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y).tree_
    for name in ("n_features", "n_outputs", "max_n_classes", "capacity", "node_count", "n_leaves", "max_depth"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.n_classes.tolist() == theirs.n_classes.tolist() == [n_classes]
    for name in ("feature", "n_node_samples", "weighted_n_node_samples", "value", "impurity", "threshold"):
        assert getattr(ours, name).shape == getattr(theirs, name).shape
        for a, b in zip(by_sample(ours, X, name), by_sample(theirs, X, name), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-12, err_msg=name)
    leaves = theirs.children_left == -1
    assert np.unique(theirs.feature[leaves]).tolist() == np.unique(ours.feature[ours.children_left == -1]).tolist()
    assert np.isin(ours.n_node_samples, theirs.n_node_samples).all()


def test_paths_lead_from_the_root_to_the_leaf():
    X, y = continuous()
    fitted = RobustDecisionTreeClassifier("misclassification", random_state=0, ccp_alpha=0.0).fit(X, y)
    tree, path = fitted.tree_, fitted.decision_path(X)
    expected = np.zeros((len(X), tree.node_count), int)
    for i, x in enumerate(X):
        row = 0
        while expected[i, row] == 0:
            expected[i, row] = 1
            if tree.children_left[row] != -1:
                row = (tree.children_left if x[tree.feature[row]] <= tree.threshold[row] else tree.children_right)[row]
    assert np.array_equal(path.toarray(), expected)
    assert np.array_equal(path.indices[path.indptr[1:] - 1], fitted.apply(X))
    assert path.has_canonical_format
    assert np.array_equal(np.asarray(path[:1].todense()), expected[:1])


def test_counts_take_the_smallest_type_that_holds_their_sums():
    small, large = np.array([[2**31 - 2, 1], [3, 0]]), np.array([[2**31 - 1, 1], [3, 0]])
    for counts, dtype in ((small, np.int32), (large, np.int64), (small / 2, np.float64)):
        kept = compact(counts)
        assert kept.dtype == dtype and kept.flags.c_contiguous
        np.testing.assert_array_equal(kept, counts)

"""Thresholds and the walk down a tree."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from tree.shared import Tree, continuous

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
        tree = Tree(max_features=max_features).fit(X, [0, 1, 0])
        assert low <= tree.tree_.threshold[0] < high
        assert tree.predict(X).tolist() == [0, 1, 0]


def test_depth_counts_the_splits_of_the_longest_path():
    X = np.arange(8.0)[:, None]
    for depth, y in ((0, [0] * 8), (1, [0, 0, 0, 1, 1, 1, 1, 1]), (2, [0, 0, 1, 1, 1, 1, 0, 0])):
        tree = Tree("entropy").fit(X, y)
        assert (tree.get_depth(), tree.get_n_leaves()) == (depth, depth + 1)


def by_sample(tree, X, name):
    """An attribute of the nodes that each sample passes through, in the order of the path."""
    path = tree.decision_path(X)
    return [getattr(tree, name)[path.indices[a:b]] for a, b in zip(path.indptr, path.indptr[1:], strict=False)]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_attributes_are_those_of_scikit_learn(n_classes):
    X, y = continuous(n_classes)
    ours = Tree(max_depth=4).fit(X, y).tree_
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


def test_counts_take_the_smallest_type_that_holds_their_sums():
    small, large = np.array([[2**31 - 2, 1], [3, 0]]), np.array([[2**31 - 1, 1], [3, 0]])
    for counts, dtype in ((small, np.int32), (large, np.int64), (small / 2, np.float64)):
        kept = compact(counts)
        assert kept.dtype == dtype and kept.flags.c_contiguous
        np.testing.assert_array_equal(kept, counts)

"""Thresholds and the walk down a tree."""

import numpy as np
import pytest

from ironbark import RobustDecisionTreeClassifier

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
        tree = RobustDecisionTreeClassifier(max_features=max_features).fit(X, [0, 1, 0])
        assert low <= tree.tree_.threshold[0] < high
        assert tree.predict(X).tolist() == [0, 1, 0]


def test_neighbouring_float32_values_are_parted_at_their_midpoint_in_float64():
    low, high = np.float32(1), np.nextafter(np.float32(1), np.float32(2))
    X = np.array([[low], [high]])
    tree = RobustDecisionTreeClassifier().fit(X, [0, 1])
    assert tree.tree_.threshold[0] == (float(low) + float(high)) / 2
    assert tree.predict(X).tolist() == [0, 1]


def test_samples_reach_the_leaves_that_counted_them():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 5, (200, 4)).astype(float), rng.integers(0, 3, 200)
    fitted = RobustDecisionTreeClassifier("misclassification", random_state=0).fit(X, y)
    tree, leaves = fitted.tree_, fitted.apply(X)
    assert (tree.feature[leaves] == -1).all()
    for leaf in np.flatnonzero(tree.feature == -1):
        assert np.bincount(y[leaves == leaf], minlength=3).tolist() == tree.counts[leaf].tolist()
    inner = np.flatnonzero(tree.feature != -1)
    children = tree.counts[tree.children_left[inner]] + tree.counts[tree.children_right[inner]]
    assert np.array_equal(children, tree.counts[inner])
    assert tree.n_leaves == len(inner) + 1
    assert (tree.children_left[inner] > inner).all()
    np.testing.assert_allclose(fitted.predict_proba(X), tree.counts[leaves] / tree.counts[leaves].sum(1)[:, None])


def test_depth_counts_the_splits_of_the_longest_path():
    X = np.arange(8.0)[:, None]
    for depth, y in ((0, [0] * 8), (1, [0, 0, 0, 1, 1, 1, 1, 1]), (2, [0, 0, 1, 1, 1, 1, 0, 0])):
        tree = RobustDecisionTreeClassifier("entropy").fit(X, y)
        assert (tree.get_depth(), tree.get_n_leaves()) == (depth, depth + 1)

"""The forest estimator."""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from tree.whole import Forest


def test_probabilities_are_the_mean_of_the_trees():
    X, y = make_classification(200, n_informative=5, n_classes=3, flip_y=0.3, random_state=0)
    forest = Forest(7, min_samples_leaf=5, random_state=1).fit(X, y)
    expected = np.mean([tree.proportions[tree.apply(X)] for tree in forest.trees_], axis=0)
    np.testing.assert_allclose(forest.predict_proba(X), expected)
    assert np.array_equal(forest.predict(X), expected.argmax(axis=1))
    assert forest.get_n_leaves() == np.mean([tree.n_leaves for tree in forest.trees_])
    assert forest.get_depth() == np.mean([tree.max_depth for tree in forest.trees_])


def test_a_tied_vote_goes_to_the_first_class():
    forest = Forest(3, bootstrap=False).fit([[0.0]] * 4, ["b", "a", "a", "b"])
    assert forest.predict([[1.0]]).tolist() == ["a"]


def test_leaves_and_paths_are_those_of_the_trees():
    X, y = make_classification(100, n_informative=4, flip_y=0.2, random_state=0)
    forest = Forest(4, random_state=3).fit(X, y)
    leaves, (path, start) = forest.apply(X), forest.decision_path(X)
    assert leaves.shape == (100, 4)
    assert start.tolist() == [0, *np.cumsum([tree.node_count for tree in forest.trees_])]
    for i, tree in enumerate(forest.trees_):
        assert np.array_equal(leaves[:, i], tree.apply(X))
        assert (path[:, start[i] : start[i + 1]] != tree.decision_path(X)).nnz == 0
    theirs = RandomForestClassifier(4, random_state=0).fit(X, y)
    assert leaves.dtype == theirs.apply(X).dtype
    for ours, other in zip((path, start), theirs.decision_path(X), strict=True):
        assert type(ours) is type(other)
        assert ours.dtype == other.dtype

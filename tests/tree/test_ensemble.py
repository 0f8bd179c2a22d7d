"""The trees of a forest as estimators, their samples, and what scikit-learn's estimators have after a fit."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier
from tree.shared import Forest, Tree, labelled

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier

#: Public names of scikit-learn's fitted estimators that ours do without.
OTHER_PARAMETERS = {"monotonic_cst", "splitter", "verbose"}
OF_BASE_ENSEMBLE = {"estimator", "estimator_params"}  # the template is `estimator_`
OF_COMPILED_TREES = {"compute_feature_importances", "compute_node_depths", "compute_partial_dependence", "predict"}


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


@pytest.mark.filterwarnings("ignore:.*out-of-bag|.*OOB")
def test_names_are_those_of_scikit_learn():
    X, y = labelled()
    X = pd.DataFrame(X).add_prefix("column ")
    ours, theirs = RobustDecisionTreeClassifier(random_state=0).fit(X, y), DecisionTreeClassifier().fit(X, y)
    assert public(theirs) - public(ours) == OTHER_PARAMETERS - {"verbose"}
    assert public(theirs.tree_) - public(ours.tree_) == OF_COMPILED_TREES
    assert (ours.n_outputs_, ours.max_features_) == (theirs.n_outputs_, theirs.max_features_)
    options = {"n_estimators": 4, "oob_score": True, "random_state": 0}
    ours, theirs = RobustRandomForestClassifier(**options).fit(X, y), RandomForestClassifier(**options).fit(X, y)
    assert public(theirs) - public(ours) == OTHER_PARAMETERS - {"splitter"} | OF_BASE_ENSEMBLE
    assert ours.n_outputs_ == theirs.n_outputs_


@pytest.mark.parametrize("max_features", [None, 7, 0.5, "sqrt", "log2", 100])
def test_as_many_features_are_drawn_as_in_scikit_learn_up_to_rounding(max_features):
    X, y = labelled()
    ours = Tree(max_features=max_features).fit(X, y)
    theirs = DecisionTreeClassifier(max_features=min(max_features, 20) if max_features == 100 else max_features)
    assert ours.max_features_ - theirs.fit(X, y).max_features_ in (0, 1)


def test_trees_can_be_had_as_estimators():
    X, y = labelled()
    forest = Forest(5, criterion="twoing", max_depth=3, random_state=2)
    assert not hasattr(forest, "estimators_")
    for unfitted in (RobustDecisionTreeClassifier(), RobustRandomForestClassifier()):
        for attribute in ("get_depth", "get_n_leaves"):
            with pytest.raises(NotFittedError):
                getattr(unfitted, attribute)()
    with pytest.raises(NotFittedError):
        forest.estimators_  # noqa: B018
    forest.fit(X, y)
    members = forest.estimators_
    np.testing.assert_allclose(np.mean([m.predict_proba(X) for m in members], axis=0), forest.predict_proba(X))
    assert {m.criterion for m in members} == {"twoing"} and {m.get_depth() for m in members} == {3}
    assert set(members[0].predict(X)) <= {"a", "b", "c"}
    assert [m.random_state for m in members] == forest.seeds_.tolist()


SHARES = [{"max_samples": given} for given in (None, 1, 7, 400, 0.004, 0.517, 1.0, 2.5)]


@pytest.mark.parametrize("options", [*SHARES, {"bootstrap": False}], ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.filterwarnings("ignore:Using the fractional value|max_samples=0.004 is a share of the sum of the weights")
def test_samples_of_each_tree_are_those_that_its_root_counts_and_as_many_as_in_scikit_learn(options, weighted):
    X, y = labelled()
    weights = np.random.default_rng(0).integers(0, 4, len(y)) + 0.5 if weighted else None
    forest = Forest(4, random_state=1, **options).fit(X, y, weights)
    for tree, samples in zip(forest.trees_, forest.estimators_samples_, strict=True):
        known = weights[samples] if weighted and not options.get("bootstrap", True) else None
        drawn = np.bincount(np.searchsorted(forest.classes_, y[samples]), known, minlength=3)
        assert drawn.tolist() == tree.counts[0].tolist()
    theirs = RandomForestClassifier(4, **options).fit(X, y, weights).estimators_samples_
    assert {len(samples) for samples in theirs} == {len(samples) for samples in forest.estimators_samples_}


def test_samples_of_trees_of_two_training_sets_are_not_known():
    X, y = labelled()
    forest = Forest(2, warm_start=True)
    assert not hasattr(forest, "estimators_samples_")
    forest.fit(X, y).set_params(n_estimators=4).fit(X, y)
    assert len(forest.estimators_samples_) == 4
    forest.set_params(n_estimators=5).fit(X[:-1], y[:-1])
    with pytest.raises(AttributeError, match="a warm start went on with another one"):
        forest.estimators_samples_  # noqa: B018
    [pruned] = Forest(2).fit(X, y).prune_path(max_depth=[2])
    assert len(pruned.estimators_samples_) == 2


def test_a_tied_vote_goes_to_the_first_class():
    forest = Forest(3, bootstrap=False).fit([[0.0]] * 4, ["b", "a", "a", "b"])
    assert forest.predict([[1.0]]).tolist() == ["a"]


def test_leaves_and_paths_are_those_of_the_trees():
    X, y = make_classification(100, n_informative=4, flip_y=0.2, random_state=0)
    forest = Forest(4, random_state=3).fit(X, y)
    leaves, (path, start) = forest.apply(X), forest.decision_path(X)
    assert leaves.shape == (100, 4)
    assert forest.get_n_leaves() == np.mean([tree.n_leaves for tree in forest.trees_])
    assert forest.get_depth() == np.mean([tree.max_depth for tree in forest.trees_])
    assert start.tolist() == [0, *np.cumsum([tree.node_count for tree in forest.trees_])]
    for i, tree in enumerate(forest.trees_):
        assert np.array_equal(leaves[:, i], tree.apply(X))
        assert (path[:, start[i] : start[i + 1]] != tree.decision_path(X)).nnz == 0

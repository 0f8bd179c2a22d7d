"""Trees that vote, against a count of the members' predictions."""

import numpy as np
import pytest
from sklearn.datasets import make_classification

from ironbark import RobustRandomForestClassifier
from ironbark.pipeline.diagnostics.voting import VotingForest

X, y = make_classification(300, 6, n_informative=3, n_classes=3, flip_y=0.4, random_state=0)
PARAMS = {"n_estimators": 15, "min_samples_split": 60, "ccp_alpha": 0.0, "random_state": 1}


@pytest.mark.parametrize("classes", [3, 2])
def test_a_sample_gets_the_class_that_most_trees_predict(classes):
    labels = np.array(["a", "b", "c"])[y % classes]
    forest = VotingForest(**PARAMS).fit(X, labels)
    by_tree = [list(member.predict(X)) for member in forest.estimators_]
    for i, shares in enumerate(forest.predict_proba(X)):
        votes = [member[i] for member in by_tree]
        assert shares.tolist() == [votes.count(name) / 15 for name in forest.classes_]
        assert forest.predict(X[i : i + 1])[0] == max(forest.classes_, key=votes.count)  # the first of several


def test_it_differs_from_the_mean_of_proportions_on_the_same_trees():
    votes, means = (make(**PARAMS).fit(X, y) for make in (VotingForest, RobustRandomForestClassifier))
    assert all(np.array_equal(a.counts, b.counts) for a, b in zip(votes.trees_, means.trees_, strict=True))
    assert (votes.predict(X) != means.predict(X)).any()


def test_its_pruned_copies_vote_too():
    grown = VotingForest(**PARAMS | {"min_samples_split": 2}).fit(X, y)
    [pruned] = grown.prune_path(min_samples_split=[60])
    assert np.array_equal(pruned.predict_proba(X), VotingForest(**PARAMS).fit(X, y).predict_proba(X))

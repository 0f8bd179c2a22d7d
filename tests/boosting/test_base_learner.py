"""Base learners of the boosters by linear programs: the default tree, any classifier, bounded draws."""

import numpy as np
import pytest
from boosting.linear_programs import problem
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from ironbark import RMBoostClassifier, RobustDecisionTreeClassifier
from ironbark.boosting.minimax.base_learner import LEAVES


def test_trees_of_the_bootstrap_are_those_of_the_draws():
    """Counts on encoded features give the tree that scikit-learn grows on the drawn rows."""
    X, y = problem(4, n=200, d=4)
    ours = RMBoostClassifier(n_estimators=4, random_state=0).fit(X, y)
    theirs = RMBoostClassifier(DecisionTreeClassifier(**LEAVES), n_estimators=4, random_state=0).fit(X, y)

    def values(booster):
        return np.array([rule.predict(X) for rule in booster.estimators_])

    same = np.mean(values(ours) == values(theirs), axis=1)
    assert same[0] > 0.97 and ours.risks_[0] == pytest.approx(theirs.risks_[0], abs=0.02)  # but for ties between splits


class Checked(RobustDecisionTreeClassifier):
    """Another class, which is fitted by `fit` and asked by `predict`."""


@pytest.mark.parametrize(
    "options",
    [
        {**LEAVES, "ccp_alpha": 0.0},
        {"criterion": "entropy", "max_depth": 2, "ccp_alpha": 0.0},
        {"ccp_alpha": 0.01, "max_features": 1},
    ],
)
def test_trees_that_are_checked_once_are_those_of_fit(options):
    X, y = problem(4, n=200, d=4)
    once, always = (
        RMBoostClassifier(kind(**options), n_estimators=10, random_state=0).fit(X, y)
        for kind in (RobustDecisionTreeClassifier, Checked)
    )
    assert len(once.estimators_) == 10 and np.array_equal(once.decision_function(X), always.decision_function(X))
    for one, other in zip(once.estimators_, always.estimators_, strict=True):
        assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
        assert one.classes_.tolist() == other.classes_.tolist() and one.get_params() == other.get_params()


@pytest.mark.parametrize("wrong", [{"criterion": "ginni"}, {"max_depth": 0}, {"min_samples_leaf": -1}])
def test_wrong_parameters_of_a_tree(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong)) + "|ginni"):
        RMBoostClassifier(RobustDecisionTreeClassifier(ccp_alpha=0.0, **wrong), n_estimators=2).fit(*problem(4))


def test_redraws_are_bounded():
    X, y = problem(6)
    calls = []

    class Counted(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            calls.append(len(y))
            return super().fit(X, y, sample_weight)

    RMBoostClassifier(Counted(max_depth=1), lam=1e6, redraws=3, random_state=0).fit(X, y)
    RMBoostClassifier(Counted(max_depth=1), lam=1e6, redraws=3, base="weighted").fit(X, y)
    assert calls == [80] * 5


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        KNeighborsClassifier(3),
        RobustDecisionTreeClassifier("misclassification", max_depth=3, ccp_alpha=0.0),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_classifier_can_be_the_base_learner(estimator):
    X, y = problem(7, n=150, noise=0.2)
    booster = RMBoostClassifier(estimator, n_estimators=8, random_state=0).fit(X, y)
    assert booster.score(X, y) > 0.7

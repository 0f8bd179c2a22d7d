"""Base learners of the boosters by linear programs: the default tree, any classifier, bounded draws."""

import numpy as np
import pytest
from boosting.linear_programs import problem
from sklearn.tree import DecisionTreeClassifier

from ironbark import RMBoostClassifier, RobustDecisionTreeClassifier

LEAVES = {"max_leaf_nodes": 11, "min_samples_split": 10}


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


def leaves(booster):
    return max((rule.tree_.children_left == -1).sum() for rule in booster.estimators_)


@pytest.mark.parametrize(("samples", "most"), [(300, 11), (1199, 11), (1200, 12), (6000, 60)])
@pytest.mark.parametrize("base", ["bootstrap", "weighted"])
def test_trees_grow_with_the_sample(samples, most, base):
    X, y = problem(3, n=samples, d=5, noise=0.2)
    booster = RMBoostClassifier(n_estimators=2, base=base, random_state=0).fit(X, y)
    assert leaves(booster) == most
    fixed = RMBoostClassifier(max_leaf_nodes=most, n_estimators=2, base=base, random_state=0).fit(X, y)
    assert np.array_equal(booster.decision_function(X), fixed.decision_function(X))


def test_large_samples_get_more_than_one_tree():
    """With 11 leaves the linear program keeps its first optimum: one rule has all of `mu_`, and more errors."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7000, 6))
    clean = (X**2).sum(axis=1) > 5.3
    y = clean ^ (rng.random(len(X)) < 0.2)

    def rules_and_error(**options):
        booster = RMBoostClassifier(random_state=0, **options).fit(X[:6000], y[:6000])
        mu = np.abs(booster.mu_)
        return mu.sum() ** 2 / (mu @ mu), 1 - booster.score(X[6000:], clean[6000:])

    (one, coarse), (several, fine) = rules_and_error(max_leaf_nodes=11), rules_and_error()
    assert one < 1.5 and several > 10 and fine < coarse - 0.03

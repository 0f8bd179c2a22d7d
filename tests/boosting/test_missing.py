"""Missing values in boosters: each split sends them to the side that is better."""

import numpy as np
import pytest
from boosting.samples import STAGEWISE
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import ironbark

BOOSTERS = [
    *(kind(n_estimators=3) for kind in STAGEWISE),
    ironbark.QuadraticXGBClassifier(n_estimators=3, min_child_weight=0),
    *(
        kind(estimator, n_estimators=3, base=base, random_state=0)
        for kind in (ironbark.RMBoostClassifier, ironbark.LPBoostClassifier)
        for estimator, base in ((None, "bootstrap"), (None, "weighted"), (DecisionTreeClassifier(), "bootstrap"))
    ),
]
VALUES = np.random.default_rng(0).uniform(-1, 1, 300)
GAP = np.random.default_rng(1).random(300) < 0.3
OTHER = np.random.default_rng(2).normal(size=300)
X = np.column_stack([OTHER, np.where(GAP, np.nan, VALUES)])
EACH = pytest.mark.parametrize("booster", BOOSTERS, ids=lambda booster: type(booster).__name__)


@EACH
@pytest.mark.parametrize("with_gaps", [VALUES > 0.5, VALUES < -0.5], ids=["large", "small"])
def test_gaps_go_with_the_values_that_are_like_them(booster, with_gaps):
    y = GAP | with_gaps
    fitted = clone(booster).fit(X, y)
    assert np.array_equal(fitted.predict(X), y)
    assert fitted.feature_importances_ == pytest.approx([0, 1])  # of a feature and its copy together


@EACH
def test_the_features_are_two_of_which_gaps_are_above_one_and_below_the_other(booster):
    y = (OTHER + np.where(GAP, 0.5, VALUES) + np.random.default_rng(3).normal(size=300)) > 0
    above, below = np.where(GAP, 9.0, VALUES), np.where(GAP, -9.0, VALUES)
    expected = clone(booster).fit(np.column_stack([OTHER, above, below]), y)
    found = clone(booster).fit(X, y).decision_function(X)
    assert np.array_equal(found, expected.decision_function(np.column_stack([OTHER, above, below])))


@EACH
def test_gaps_that_fit_did_not_see_are_the_median(booster):
    fitted = clone(booster).fit(np.column_stack([OTHER, VALUES]), VALUES + 0.1 * OTHER > 0.2)
    expected = fitted.decision_function(np.column_stack([OTHER, np.where(GAP, np.sort(VALUES)[149], VALUES)]))
    assert np.array_equal(fitted.decision_function(X), expected)

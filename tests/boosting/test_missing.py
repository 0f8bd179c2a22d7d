"""What boosters replace: missing values go to the better side of a split, texts are shares of a class."""

import numpy as np
import pandas as pd
import pytest
from boosting.samples import STAGEWISE
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import ironbark
from ironbark.boosting.binary import Columns

BOOSTERS = [
    *(kind(n_estimators=3, random_state=0) for kind in STAGEWISE),
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
    training, y = np.column_stack([OTHER, VALUES]), VALUES + 0.1 * OTHER > 0.2
    fitted = clone(booster).fit(training, y)
    expected = fitted.decision_function(np.column_stack([OTHER, np.where(GAP, np.sort(VALUES)[149], VALUES)]))
    assert np.array_equal(fitted.decision_function(X), expected)
    more = np.vstack([training, np.full((200, 2), np.nan), np.full((200, 2), 9.0)]), np.append(y, [True] * 400)
    weighted = clone(booster).fit(*more, np.repeat([1.0, 0.0], [300, 400])).decision_function(X)
    np.testing.assert_allclose(weighted, expected, atol=1e-9)


def test_the_median_is_that_of_the_weights():
    X, codes = np.array([[1.0], [2.0], [3.0]]), np.array([0, 1, 1])
    assert [Columns(X, codes, np.array(w), {}).above.item() for w in ([1, 1, 1], [1, 1, 4])] == [2.0, 3.0]


def by_shares(train, y, weight, test):
    """Two frames with the share of class "a" in place of text, by pandas; texts of fewer than ten samples are one."""
    text = train.text.astype(object).fillna("gap")
    common = text[weight > 0].value_counts()
    common = set(common.index[common >= 10])
    key = text.where(text.isin(common), "rare")
    sums = pd.DataFrame({"of a": weight * (y == "a"), "all": weight}).groupby(key).sum()
    new = test.text.where(test.text.isin(train.text), None).astype(object).fillna("gap")
    new = new.where(new.isin(common), "rare")
    share = sums["of a"] / sums["all"]
    return (old.assign(text=keys.map(share).to_numpy()).to_numpy() for old, keys in ((train, key), (test, new)))


@EACH
@pytest.mark.parametrize("weighted", [False, True])
def test_texts_are_the_shares_of_the_most_frequent_class_and_rare_ones_are_one(booster, weighted):
    rng = np.random.default_rng(4)
    texts = np.array(["x", "b", "n", "d", None, *(f"rare {i}" for i in range(12))], dtype=object)
    frame = pd.DataFrame({"text": rng.choice(texts, 300, p=[0.16] * 5 + [0.2 / 12] * 12), "other": OTHER})
    chance = frame.text.map({"x": 0.9, "b": 0.2, "n": 0.95, "d": 0.1}).fillna(0.6)
    y = np.where(rng.random(300) < chance, "a", "c")
    weight = rng.integers(0, 4, 300).astype(float) if weighted else None
    test = frame.assign(text=rng.permutation(np.where(GAP, "never seen", frame.text)))
    old, new = by_shares(frame, y, np.ones(300) if weight is None else weight, test)
    expected = clone(booster).fit(old, y, weight).decision_function(new)
    fitted = clone(booster).fit(frame, y, weight)
    assert np.array_equal(fitted.decision_function(test), expected) and len(fitted.feature_importances_) == 2


@EACH
def test_texts_with_equal_shares_stay_apart(booster):
    numbers = np.repeat([-2.0, -1.0, 1.0, 2.0] * 2, [30, 20, 25, 25, 20, 30, 25, 25])
    frame = pd.DataFrame({"number": numbers, "text": np.repeat(["u", "v"], 100)})
    y, many = (frame.number > 0) ^ (frame.text == "u"), clone(booster).set_params(n_estimators=30)
    assert many.fit(frame, y).score(frame, y) == 1


@pytest.mark.parametrize("kind", STAGEWISE)
def test_a_refit_leaves_nothing_of_an_earlier_fit(kind):
    recorded = kind(n_estimators=3, record_weights=True, random_state=0).fit(X[:, :1], X[:, 0] > 0.5)
    plain = kind(n_estimators=3, random_state=0).fit(X[:, :1], X[:, 0] > 0)
    assert vars(recorded.set_params(record_weights=False).fit(X[:, :1], X[:, 0] > 0)).keys() == vars(plain).keys()

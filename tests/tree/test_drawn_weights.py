"""Weights as chances to be drawn: frequencies, scikit-learn's forests, copies of samples, zeros."""

from bisect import bisect_right

import numpy as np
import pytest
from scipy.stats import chi2
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier

from ironbark import RobustRandomForestClassifier
from ironbark.tree.growing.bootstrap import Bags, bags_of, bootstrap_weights

N_SEEDS = 400


def problem(n=200, seed=0):
    X, y = make_classification(n, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=seed)
    return X, y, np.random.default_rng(seed).exponential(size=n) * (np.arange(n) % 5 > 0)


def forest(n_estimators=5, **options):
    return RobustRandomForestClassifier(n_estimators, **{"random_state": 0, "ccp_alpha": 0.0, **options})


def test_frequencies_are_the_shares_of_the_weights():
    weights = np.array([0.5, 0.0, 3.0, 1e-3, 1.0, 7.25, 0.0, 2.0])
    drawn = np.sum([Bags(8, 50, weights).counts(seed) for seed in range(N_SEEDS)], axis=0)
    assert drawn.sum() == 50 * N_SEEDS and not drawn[weights == 0].any()
    expected = 50 * N_SEEDS * weights[weights > 0] / weights.sum()
    statistic = ((drawn[weights > 0] - expected) ** 2 / expected).sum()
    assert 0.001 < chi2.sf(statistic, 5) < 0.999


def test_each_draw_takes_the_sample_whose_share_holds_a_random_number():
    weights = np.array([0, 3, 1, 0, 0, 4, 8, 0])  # the sum is a power of two, so shares are exact
    ends = np.cumsum(weights).tolist()
    for seed in range(5):
        points = np.random.default_rng(seed).random(1000)
        naive = np.bincount([bisect_right(ends, 16 * point) for point in points.tolist()], minlength=8)
        assert naive.tolist() == bags_of(1000, 8, weights).counts(seed).tolist()


def test_the_last_random_number_does_not_leave_the_samples(monkeypatch):
    class Last:
        def random(self, n):
            return np.full(n, np.nextafter(1, 0))

    monkeypatch.setattr("numpy.random.default_rng", lambda seed: Last())
    for total in (0.1, 1 / 3, 1e40, 1e-40):
        weights = np.array([total, total / 7, 0.0])
        assert Bags(3, 2, weights).counts(0).tolist() == [0, 2, 0]


@pytest.mark.parametrize("weight", [1, 2, 0.3])
def test_equal_weights_change_nothing(weight):
    X, y, _ = problem()
    plain, weighted = forest().fit(X, y), forest().fit(X, y, np.full(len(y), weight))
    assert np.array_equal(plain.predict_proba(X), weighted.predict_proba(X))
    assert weighted.trees_[0].counts[0].sum() == len(y) and not hasattr(weighted, "sample_weight_")
    assert np.array_equal(bags_of(None, 9, np.full(9, weight)).counts(1), bootstrap_weights(9, 1))


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 3, 2: 0.5}])
@pytest.mark.parametrize("weighted", [False, True])
def test_chances_are_those_of_scikit_learn(class_weight, weighted):
    X, y, weights = problem()
    weights = weights if weighted else None
    ours = forest(class_weight=class_weight, max_samples=0.8).fit(X, y, weights)
    theirs = RandomForestClassifier(2, class_weight=class_weight, max_samples=0.8).fit(X, y, weights)
    if class_weight is None and not weighted:
        assert not hasattr(ours, "sample_weight_") and theirs._sample_weight is None
    else:
        np.testing.assert_allclose(ours.sample_weight_, theirs._sample_weight, rtol=1e-12)
    assert ours.n_draws_ == theirs._n_samples_bootstrap


def test_balanced_classes_without_weight_stay_out():
    X, y, _ = problem()
    weights = np.where(y == 1, 0.0, 1 + np.arange(len(y)))
    model = forest(class_weight="balanced").fit(X, y, weights)
    sums = np.bincount(y, model.sample_weight_)
    assert sums[1] == 0 and sums[0] == pytest.approx(sums[2])
    assert model.classes_.tolist() == [0, 1, 2] and not model.predict_proba(X)[:, 1].any()


def test_a_sample_of_weight_zero_is_out_of_all_bags():
    X, y, weights = problem()
    model = forest(30, oob_score=True, max_samples=1000)
    with pytest.warns(UserWarning, match="samples have no out-of-bag votes"):
        model.fit(X, y, weights)
    zero = weights == 0
    np.testing.assert_allclose(model.oob_decision_function_[zero], model.predict_proba(X)[zero])
    labels = np.where(zero, (y + 1) % 3, y)
    with pytest.warns(UserWarning, match="samples have no out-of-bag votes"):
        other = clone(model).fit(X, labels, weights)
    assert np.array_equal(model.predict_proba(X), other.predict_proba(X))


@pytest.mark.filterwarnings("ignore:.*no out-of-bag votes")
def test_a_warm_start_compares_the_weights():
    X, y, weights = problem()
    options = {"warm_start": True, "oob_score": True, "max_samples": 100}
    model = forest(20, **options).fit(X, y, weights)
    with pytest.raises(ValueError, match="or of other weights or max_samples"):
        model.set_params(n_estimators=30).fit(X, y, weights + 0.1)
    with pytest.raises(ValueError, match="or of other weights or max_samples"):
        model.fit(X, y)
    at_once = forest(30, **options).fit(X, y, weights)
    found = model.fit(X, y, weights).oob_decision_function_
    assert np.array_equal(found, at_once.oob_decision_function_, equal_nan=True)
    assert np.array_equal(model.predict_proba(X), at_once.predict_proba(X))

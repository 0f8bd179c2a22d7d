"""`LabelErrorDetector`: out-of-sample property, planted errors, groups, weights, threads, input types, refusals."""

import warnings

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from ironbark import LabelErrorDetector, RobustRandomForestClassifier
from ironbark.noise import corrupt

FOREST, GAUSSIAN = RobustRandomForestClassifier(20, random_state=0), GaussianNB()


@pytest.fixture(scope="module")
def problem():
    X, y = make_classification(600, 8, n_informative=6, n_classes=3, class_sep=2.0, random_state=0)
    return X, y, corrupt("uniform", X, y, rate=0.2, random_state=0)


@pytest.mark.parametrize("estimator", [None, FOREST, RandomForestClassifier(50, random_state=0), LogisticRegression()])
def test_planted_errors_are_found(problem, estimator):
    X, y, noisy = problem
    wrong = noisy != y
    detector = LabelErrorDetector(estimator, random_state=0).fit(X, noisy)
    if estimator is FOREST:
        forest = clone(FOREST).set_params(oob_score=True).fit(X, noisy)
        np.testing.assert_allclose(detector.probabilities_, forest.oob_decision_function_)
    assert wrong[detector.ranking_[:60]].mean() >= 0.85
    assert abs(detector.noise_rate_ - wrong.mean()) < 0.08 and wrong.mean() < detector.noise_rate_interval_[1]
    assert wrong[detector.is_error_].mean() > 0.65 and detector.is_error_[wrong].mean() > 0.6
    found = detector.is_error_ & wrong
    assert (detector.suggested_labels_[found] == y[found]).mean() > 0.85
    assert (detector.suggested_labels_ != noisy)[detector.is_error_].all()
    assert np.array_equal(detector.suggested_labels_[~detector.is_error_], noisy[~detector.is_error_])
    assert (np.diff(detector.label_quality_[detector.ranking_]) >= 0).all()


def test_groups_stay_together(problem):
    """Each model sees none of the sample's group: 1-nearest-neighbour would copy the label of an identical sample."""
    X, _, noisy = problem
    rows = np.repeat(np.arange(600), 2)
    labels = np.where(np.arange(1200) % 2, noisy[rows], (noisy[rows] + 1) % 3)
    split = LabelErrorDetector(KNeighborsClassifier(1), random_state=0).fit(X[rows], labels, groups=rows)
    seen = split.probabilities_.argmax(axis=1)
    assert np.array_equal(seen[::2], seen[1::2])
    assert len(split.conflicts_) == 600 and split.conflicts_[3].tolist() == [6, 7]
    with pytest.warns(UserWarning, match="600 samples equal others .* number each set as groups"):
        LabelErrorDetector(FOREST, random_state=0).fit(X[rows], noisy[rows])


@pytest.mark.parametrize(("n", "grouped", "warned"), [(60, False, False), (61, False, True), (61, True, False)])
def test_more_copies_than_a_tenth_are_warned_of_unless_they_are_groups(problem, n, grouped, warned):
    rows = np.append(np.arange(600 - n), np.arange(n))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        LabelErrorDetector(GAUSSIAN).fit(problem[0][rows], problem[2][rows], groups=rows if grouped else None)
    assert any(f"{n} samples equal others" in str(one.message) for one in seen) == warned


@pytest.mark.parametrize(("effect", "warned"), [(0.2, True), (4.0, False)])
def test_many_called_labels_are_warned_of(effect, warned):
    """No label is wrong, but where features say little most look so."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 5))
    y = rng.random(500) < 1 / (1 + np.exp(-effect * X[:, :3].sum(axis=1)))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        called = LabelErrorDetector(random_state=0).fit(X, y).is_error_.mean()
    assert any("of the labels are called errors" in str(one.message) for one in seen) == warned == (called > 0.3)


@pytest.mark.parametrize(("estimator", "backend"), [(None, "threading"), (GAUSSIAN, "loky")])
def test_backends_of_joblib_give_the_same(problem, estimator, backend):
    X, _, noisy = problem
    expected = LabelErrorDetector(estimator, random_state=3).fit(X, noisy)
    with parallel_config(backend=backend):
        found = LabelErrorDetector(estimator, random_state=3, n_jobs=2).fit(X, noisy)
    assert np.array_equal(found.probabilities_, expected.probabilities_)
    assert np.array_equal(found.is_error_, expected.is_error_)


def test_samples_that_all_trees_drew_are_not_judged(problem):
    X, _, noisy = problem
    with pytest.warns(UserWarning, match="samples drawn by all trees"):
        detector = LabelErrorDetector(RobustRandomForestClassifier(2, random_state=0)).fit(X, noisy)
    unseen = np.isnan(detector.probabilities_[:, 0])
    assert unseen.any() and (detector.label_quality_[unseen] == 1).all() and not detector.is_error_[unseen].any()


def test_trusted_labels_are_learnt_from_and_not_judged():
    """Truth about the suspects makes the others easier to find."""
    X, y = make_classification(600, 8, n_informative=6, n_classes=3, class_sep=1.0, random_state=0)
    noisy = corrupt("uniform", X, y, rate=0.3, random_state=0)
    plain = LabelErrorDetector(random_state=0).fit(X, noisy)
    trusted = np.zeros(600, bool)
    trusted[plain.ranking_[:200]] = True
    learnt = LabelErrorDetector(random_state=0).fit(X, np.where(trusted, y, noisy), trusted=trusted)
    assert not learnt.is_judged_[trusted].any() and not learnt.is_error_[trusted].any()
    assert (learnt.label_quality_[trusted] == 1).all()
    wrong = (noisy != y)[~trusted]
    before, after = (average_precision_score(wrong, -d.label_quality_[~trusted]) for d in (plain, learnt))
    assert after > before

"""`LabelErrorDetector`: out-of-sample property, planted errors, groups, weights, threads, input types, refusals."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_digits, make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, f1_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark import CleanedClassifier, LabelErrorDetector, RobustRandomForestClassifier
from ironbark.errors import InputError
from ironbark.noise import corrupt

FOREST = RobustRandomForestClassifier(20, random_state=0)


@pytest.fixture(scope="module")
def problem():
    X, y = make_classification(600, 8, n_informative=6, n_classes=3, class_sep=2.0, random_state=0)
    return X, y, corrupt("uniform", X, y, rate=0.2, random_state=0)


@pytest.mark.parametrize("estimator", [None, FOREST, RandomForestClassifier(50, random_state=0), LogisticRegression()])
def test_planted_errors_are_found(problem, estimator):
    X, y, noisy = problem
    wrong = noisy != y
    detector = LabelErrorDetector(estimator, random_state=0).fit(X, noisy)
    assert wrong[detector.ranking_[:60]].mean() >= 0.85
    assert abs(detector.noise_rate_ - wrong.mean()) < 0.08 and wrong.mean() < detector.noise_rate_interval_[1]
    assert wrong[detector.is_error_].mean() > 0.65 and detector.is_error_[wrong].mean() > 0.6
    found = detector.is_error_ & wrong
    assert (detector.suggested_labels_[found] == y[found]).mean() > 0.85
    assert (detector.suggested_labels_ != noisy)[detector.is_error_].all()
    assert np.array_equal(detector.suggested_labels_[~detector.is_error_], noisy[~detector.is_error_])
    assert (np.diff(detector.label_quality_[detector.ranking_]) >= 0).all()


def test_probabilities_of_a_forest_are_out_of_bag(problem):
    X, _, noisy = problem
    forest = clone(FOREST).set_params(oob_score=True).fit(X, noisy)
    np.testing.assert_allclose(LabelErrorDetector(FOREST).fit(X, noisy).probabilities_, forest.oob_decision_function_)


def test_copies_do_not_vouch_for_each_other(problem):
    X, y, noisy = problem
    suspects = np.flatnonzero(noisy != y)[:30]
    rows = np.concatenate([np.arange(600), np.repeat(suspects, 4)])
    options = {"random_state": 0, "quality": "self_confidence"}
    alone = LabelErrorDetector(**options).fit(X, noisy).label_quality_[suspects].mean()
    copied = LabelErrorDetector(**options).fit(X[rows], noisy[rows]).label_quality_[suspects].mean()
    grouped = LabelErrorDetector(**options).fit(X[rows], noisy[rows], groups=rows).label_quality_[suspects].mean()
    assert grouped < alone + 0.05 and copied > alone + 0.2


def test_groups_stay_together(problem):
    """Each model sees none of the sample's group: 1-nearest-neighbour would copy the label of an identical sample."""
    X, _, noisy = problem
    rows = np.repeat(np.arange(600), 2)
    labels = np.where(np.arange(1200) % 2, noisy[rows], (noisy[rows] + 1) % 3)
    split = LabelErrorDetector(KNeighborsClassifier(1), random_state=0).fit(X[rows], labels, groups=rows)
    seen = split.probabilities_.argmax(axis=1)
    assert np.array_equal(seen[::2], seen[1::2])
    assert len(split.conflicts_) == 600 and split.conflicts_[3].tolist() == [6, 7]


@pytest.mark.parametrize("estimator", [None, GaussianNB()])
@pytest.mark.parametrize("backend", ["multiprocessing", "threading", "loky"])
def test_backends_of_joblib_give_the_same(problem, estimator, backend):
    X, _, noisy = problem
    expected = LabelErrorDetector(estimator, random_state=3).fit(X, noisy)
    with parallel_config(backend=backend):
        found = LabelErrorDetector(estimator, random_state=3, n_jobs=2).fit(X, noisy)
    assert np.array_equal(found.probabilities_, expected.probabilities_)
    assert np.array_equal(found.is_error_, expected.is_error_)


def test_missing_values(problem):
    X, y, noisy = problem
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    detector = LabelErrorDetector(random_state=0).fit(X, noisy)
    assert (noisy != y)[detector.ranking_[:40]].mean() > 0.8


def test_weights(problem):
    X, _, noisy = problem
    weights = np.ones(600)
    plain, ones = (LabelErrorDetector(random_state=0).fit(X, noisy, w) for w in (None, weights))
    np.testing.assert_allclose(ones.label_quality_, plain.label_quality_, atol=0.05)
    weights[noisy == 2] = 0.0
    detector = LabelErrorDetector(random_state=0).fit(X, noisy, weights)
    assert np.array_equal(detector.is_judged_, noisy != 2)  # no evidence for the class
    assert (detector.probabilities_[noisy != 2, 2] == 0).all() and np.isnan(detector.probabilities_[noisy == 2]).all()


def test_precision_is_about_what_was_asked_for():
    X, y = load_digits(return_X_y=True)
    noisy = corrupt("uniform", X, y, rate=0.3, random_state=0)
    sizes = []
    for precision in (0.8, 0.95):
        detector = LabelErrorDetector(random_state=0, cut="precision", precision=precision).fit(X, noisy)
        assert (noisy != y)[detector.is_error_].mean() > precision - 0.03
        sizes.append(detector.is_error_.sum())
    assert sizes[0] > sizes[1] > 0.15 * len(y)
    assert LabelErrorDetector(random_state=0, cut=0.1).fit(X, noisy).is_error_.sum() == round(0.1 * len(y))


def test_samples_that_all_trees_drew_are_not_judged(problem):
    X, _, noisy = problem
    with pytest.warns(UserWarning, match="samples were drawn by all trees"):
        detector = LabelErrorDetector(RobustRandomForestClassifier(2, random_state=0)).fit(X, noisy)
    unseen = np.isnan(detector.probabilities_[:, 0])
    assert unseen.any() and (detector.label_quality_[unseen] == 1).all() and not detector.is_error_[unseen].any()


WEIGHTS = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")


@parametrize_with_checks(
    [
        LabelErrorDetector(random_state=0),
        LabelErrorDetector(GaussianNB(), random_state=0),
        CleanedClassifier(GaussianNB(), LabelErrorDetector(GaussianNB(), random_state=0)),
    ],
    expected_failed_checks=lambda _: dict.fromkeys(WEIGHTS, "draws and folds of rows and of copies of rows differ"),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


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


def test_no_trusted_label_is_as_if_none_was_given():
    X, y = make_classification(200, 5, random_state=0)
    plain = LabelErrorDetector(random_state=0).fit(X, y)
    empty = LabelErrorDetector(random_state=0).fit(X, y, trusted=np.zeros(200, bool))
    assert np.array_equal(plain.label_quality_, empty.label_quality_)
    with pytest.raises(InputError, match="marks all samples"):
        LabelErrorDetector().fit(X, y, trusted=np.ones(200, bool))


def test_separate_classes_have_as_many_errors_as_contradictions():
    """Wrong labels near the border of two classes, which look like overlap otherwise."""
    X = np.random.default_rng(0).uniform(-1, 1, (800, 4))
    y = (X[:, 0] > 0).astype(int)
    noisy = corrupt("boundary_consistent", X, y, rate=0.2, random_state=0)
    scores = []
    for overlap in (True, False):
        detector = LabelErrorDetector(classes_overlap=overlap, random_state=0).fit(X, noisy)
        contradicted = detector.probabilities_.argmax(axis=1) != noisy
        scores.append(f1_score(noisy != y, detector.is_error_))
    assert detector.is_error_.sum() == contradicted.sum()
    assert scores[1] > scores[0]

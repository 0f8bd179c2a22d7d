"""`NoiseCorrectedClassifier`: gains under class-conditional noise."""

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from ironbark import NoiseCorrectedClassifier
from ironbark.noise import corrupt

MATRIX = np.array([[0.6, 0.4], [0.1, 0.9]])
FOREST = RandomForestClassifier(50, min_samples_leaf=20, random_state=0)


@pytest.fixture(scope="module")
def problem():
    X, y = make_classification(3000, 8, n_informative=6, class_sep=2.0, random_state=0)
    X, X_test, y, y_test = train_test_split(X, y, random_state=0)
    noisy = corrupt("class_conditional", X, y, rate=(0.4, 0.1), random_state=np.random.default_rng(0))
    return X, y, noisy, X_test, y_test


@pytest.mark.parametrize("estimator", [FOREST, LogisticRegression(), GaussianNB()])
def test_a_given_matrix_undoes_the_noise(problem, estimator):
    X, y, noisy, X_test, y_test = problem
    clean = estimator.fit(X, y).score(X_test, y_test)
    plain = estimator.fit(X, noisy).score(X_test, y_test)
    corrected = NoiseCorrectedClassifier(estimator, noise_matrix=MATRIX).fit(X, noisy)
    assert corrected.source_ == "given" and np.array_equal(corrected.noise_matrix_, MATRIX)
    assert corrected.score(X_test, y_test) > max(clean - 0.03, plain)


@pytest.mark.parametrize("estimator", [FOREST, LogisticRegression()])
@pytest.mark.parametrize("with_trusted", [False, True])
def test_estimated_matrices_gain(problem, estimator, with_trusted):
    X, y, noisy, X_test, y_test = problem
    trusted = np.zeros(len(y), bool)
    trusted[:100] = with_trusted
    options = {"trusted": trusted} if with_trusted else {}
    sparse = scipy.sparse.coo_array(X)
    model = NoiseCorrectedClassifier(estimator, random_state=0).fit(sparse, np.where(trusted, y, noisy), **options)
    assert model.source_ == ("trusted" if with_trusted else "labels")
    assert np.abs(model.noise_matrix_ - MATRIX).max() < 0.15
    plain = estimator.fit(X, noisy).score(X_test, y_test)
    assert model.score(X_test, y_test) > plain + 0.02


def test_symmetric_noise_changes_no_prediction(problem):
    X, y, _, X_test, _ = problem
    noisy = corrupt("uniform", X, y, rate=0.3, random_state=1)
    model = NoiseCorrectedClassifier(FOREST).fit(X, noisy)
    assert model.source_ == "symmetric"
    assert np.array_equal(model.predict(X_test), model.estimator_.predict(X_test))
    y = np.random.default_rng(0).integers(0, 3, len(X))
    model = NoiseCorrectedClassifier(KNeighborsClassifier(4), noise_matrix=0.1 + 0.7 * np.eye(3)).fit(X, y)
    assert np.array_equal(model.predict(X_test), model.estimator_.predict(X_test))  # many are ties


def test_two_classes_get_the_solution_but_at_least_a_twentieth_of_the_noisy_probability(problem):
    X, _, noisy, X_test, _ = problem
    model = NoiseCorrectedClassifier(GaussianNB(), noise_matrix=MATRIX).fit(X, noisy)
    p = model.estimator_.predict_proba(X_test)[:, 1]
    solution = (p - MATRIX[0, 1]) / (MATRIX[1, 1] - MATRIX[0, 1])
    low, high = solution < p / 20, 1 - solution < (1 - p) / 20
    assert np.mean(low | high) > 0.2 < 1 - np.mean(low | high) and (solution < 0).any()
    expected = np.where(low, p / 20 / (1 + p / 20), np.where(high, 1 / (1 + (1 - p) / 20), solution))
    exact = (solution >= p / 20) & (1 - solution >= (1 - p) / 20) | (solution < 0) | (solution > 1)
    found = model.predict_proba(X_test)[:, 1]
    assert np.allclose(found[exact], expected[exact]) and (np.diff(found[p.argsort()]) >= 0).all()

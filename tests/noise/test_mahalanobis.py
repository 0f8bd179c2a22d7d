"""Noise by distance between classes, against a slow twin with plain inverses."""

import numpy as np
import pytest
from scipy.spatial.distance import mahalanobis as scipy_mahalanobis

from ironbark.errors import InputError
from ironbark.noise import apply
from ironbark.noise.mahalanobis import transition_matrix


def problem(seed=0, n=240, n_classes=4):
    """Correlated features of different scales; the last is constant."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n, 5)) @ rng.normal(size=(5, 5)) + rng.normal(size=(n_classes, 5))[y]
    return np.column_stack([X * [1, 10, 0.1, 5, 1], np.full(n, 3.0)]), y


def naive_transition(X, y, shrinkage=0.001):
    """Spec word by word: one pair at a time, numpy.cov and numpy.linalg.inv."""
    X = X[:, X.std(axis=0) > 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    classes = np.unique(y)
    K, d = len(classes), X.shape[1]
    D = np.zeros((K, K))
    for i in range(K):
        for j in range(K):
            if i == j:
                continue
            A, B = X[y == classes[i]], X[y == classes[j]]
            S = (len(A) - 1) * np.cov(A.T).reshape(d, d) + (len(B) - 1) * np.cov(B.T).reshape(d, d)
            S /= len(A) + len(B) - 2
            S = (1 - shrinkage) * S + shrinkage * np.trace(S) / d * np.eye(d)
            D[i, j] = scipy_mahalanobis(A.mean(axis=0), B.mean(axis=0), np.linalg.inv(S))
    T = [sum(D[i, j] for j in range(K) if j != i) for i in range(K)]
    eta = np.zeros((K, K))
    for i in range(K):
        eta[i, i] = 0.5 + 0.4 * (T[i] - min(T)) / (max(T) - min(T))
        weight = sum(1 / D[i, k] for k in range(K) if k != i)
        for j in range(K):
            if j != i:
                eta[i, j] = (1 - eta[i, i]) / D[i, j] / weight
    return eta


@pytest.mark.parametrize("shrinkage", [0.001, 0.2])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_matrix_against_the_naive_twin(seed, shrinkage):
    X, y = problem(seed)
    wide = np.random.default_rng(seed).normal(size=(60, 40))  # more features than samples of a class
    for features, labels in ((X, y), (wide, np.arange(60) % 4)):
        result = apply("mahalanobis", features, labels, 4, None, np.random.default_rng(0), shrinkage=shrinkage)
        assert np.allclose(result.transition, naive_transition(features, labels, shrinkage), rtol=1e-7, atol=0)


def test_equal_distances_and_coinciding_means():
    eta = transition_matrix(np.array([[0.0, 0, 2], [0, 0, 2], [2, 2, 0]]))
    assert np.allclose(eta, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0.05, 0.05, 0.9]], atol=1e-15)
    eta = transition_matrix(2.5 * (1 - np.eye(3)))
    assert np.allclose(eta, np.where(np.eye(3) > 0, 0.7, 0.15), atol=1e-15)


def test_absent_class_has_the_row_of_the_identity():
    X, y = problem()
    result = apply("mahalanobis", X, np.where(y > 1, y + 1, y), 5, None, np.random.default_rng(0))
    present = [0, 1, 3, 4]
    assert np.allclose(result.transition[np.ix_(present, present)], naive_transition(X, y), rtol=1e-9)
    assert result.transition[2].tolist() == [0, 0, 1, 0, 0] and not (result.labels == 2).any()


def test_the_mean_of_the_diagonal_can_be_chosen():
    X, y = problem()
    plain, shifted = (
        apply("mahalanobis", X, y, 4, None, np.random.default_rng(0), mean_kept=kept).transition for kept in (None, 0.6)
    )
    assert shifted.diagonal().mean() == pytest.approx(0.6) and np.allclose(shifted.sum(axis=1), 1)
    assert np.ptp(shifted.diagonal() - plain.diagonal()) < 1e-12  # all are shifted by the same amount
    off = ~np.eye(4, dtype=bool)
    shares = [(eta / (1 - eta.diagonal())[:, None])[off] for eta in (plain, shifted)]
    assert np.allclose(*shares)
    with pytest.raises(InputError, match="mean_kept=0.95 would keep labels with a probability of 1"):
        apply("mahalanobis", X, y, 4, None, np.random.default_rng(0), mean_kept=0.95)

"""Corrected log losses against finite differences, the expectation over noisy labels, and closed forms."""

import numpy as np
import pytest
from scipy.special import log_softmax, softmax

from ironbark.boosting.gbdt.losses.corrections import CorrectedLoss
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss

NAMES = ["forward_correction", "backward_correction", "label_smoothing", "bootstrap", "peer"]
MATRIX = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.0, 0.3, 0.7]])
TWO = np.array([[0.9, 0.1], [0.4, 0.6]])
RNG = np.random.default_rng(0)
SCORES, Y = RNG.normal(size=(30, 3)), RNG.integers(0, 3, 30)


def loss_of(name, n_classes=3, **options):
    return CorrectedLoss(name, n_classes, {2: TWO, 3: MATRIX}[n_classes], **options)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "bootstrap"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_gradients_are_the_differences_of_the_values(name, n_classes):
    loss, step = loss_of(name, n_classes, strength=0.3), 1e-6
    scores = SCORES[:, 0] if n_classes == 2 else SCORES
    y = Y % n_classes
    gradient, hessian = loss.derivatives(y, scores)
    assert gradient.shape == hessian.shape == scores.shape and (hessian >= 0).all()
    for k in range(1 if n_classes == 2 else 3):
        shift = step if n_classes == 2 else step * np.eye(3)[k]
        slope = (loss.values(y, scores + shift) - loss.values(y, scores - shift)) / (2 * step)
        assert np.allclose(slope, gradient if n_classes == 2 else gradient[:, k], atol=1e-7)


def test_bootstrap_holds_its_labels_fixed():
    p = softmax(SCORES, axis=1)
    gradient, hessian = loss_of("bootstrap", strength=0.4).derivatives(Y, SCORES)
    assert np.allclose(gradient, 0.6 * (p - np.eye(3)[Y]))
    assert np.allclose(hessian, p * (1 - p))
    soft = 0.6 * np.eye(3)[Y] + 0.4 * p
    assert np.allclose(loss_of("bootstrap", strength=0.4).values(Y, SCORES), -(soft * np.log(p)).sum(axis=1))


@pytest.mark.parametrize("name", NAMES)
def test_without_noise_all_are_the_log_loss(name):
    loss = CorrectedLoss(name, 3, np.eye(3), strength=0.0)
    expected = BoostingLoss("cross_entropy")
    assert np.allclose(loss.values(Y, SCORES), expected.values(Y, SCORES))
    for found, wanted in zip(loss.derivatives(Y, SCORES), expected.derivatives(Y, SCORES), strict=True):
        assert np.allclose(found, wanted)


def test_backward_correction_is_unbiased():
    """Its expectation over the noisy labels is the log loss of the true class (theorem 1)."""
    loss = loss_of("backward_correction")
    for true in range(3):
        noisy = sum(MATRIX[true, j] * loss.values(np.full(30, j), SCORES) for j in range(3))
        assert np.allclose(noisy, -log_softmax(SCORES, axis=1)[:, true])


def test_forward_correction_has_the_clean_minimum():
    """At scores ln r the expected gradient over labels of distribution r T vanishes (theorem 2)."""
    clean = RNG.dirichlet(np.ones(3), 10)
    loss = loss_of("forward_correction")
    labels = clean @ MATRIX
    expected = sum(labels[:, [j]] * loss.derivatives(np.full(10, j), np.log(clean))[0] for j in range(3))
    assert np.allclose(expected, 0, atol=1e-12)


def test_forward_curvature_bounds_that_of_the_loss():
    loss, step = loss_of("forward_correction"), 1e-4
    for k in range(3):
        shift = step * np.eye(3)[k]
        curvature = loss.values(Y, SCORES + shift) - 2 * loss.values(Y, SCORES) + loss.values(Y, SCORES - shift)
        assert (loss.derivatives(Y, SCORES)[1][:, k] >= curvature / step**2 - 1e-6).all()

"""Losses and their corrections against differences with hundreds of digits and closed forms."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.special import log_softmax, softmax

from ironbark.boosting.gbdt.base import Objective
from ironbark.boosting.gbdt.losses.corrections import CorrectedLoss
from ironbark.boosting.gbdt.losses.definitions import LOSSES
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss

CASES = [("robust_focal", {"r": r, "q": q}) for r in (0.0, 0.25, 1.0, 3.0) for q in (0.0, 0.3, 0.99)]
CASES += [(name, {"r": 1.3, "q": 0.4, "a": 0.7, "b": 1.9}) for name in LOSSES if name != "robust_focal"]
every_loss = pytest.mark.parametrize(("name", "values"), CASES)


def exact(name, values, label, scores):
    """The loss by its definition; two classes are a softmax in which class 0 has score 0."""
    odds = [score.exp() for score in scores]
    total = sum(odds)
    p, u = odds[label] / total, (total - odds[label]) / total
    r, q, a, b = (Decimal(repr(values.get(key, 0.0))) for key in "rqab")
    r = r if name in ("robust_focal", "focal") else Decimal(0)
    q = q if name in ("robust_focal", "generalized_cross_entropy") else Decimal(0)
    if name == "normalized_cross_entropy":
        return p.ln() / sum((one / total).ln() for one in odds)
    if name == "symmetric_cross_entropy":
        return -a * p.ln() + b * u
    if name == "mean_absolute_error":
        return u
    focus = (r * u.ln()).exp() if r else 1
    return focus * ((1 - (q * p.ln()).exp()) / q if q else -p.ln())


def differences(name, values, label, scores, k, step="1e-90"):
    """The loss and its first and second derivative by score k."""
    step = Decimal(step)
    at = [[Decimal(z) + (j == k) * shift for j, z in enumerate(scores)] for shift in (-step, Decimal(0), step)]
    below, here, above = (exact(name, values, label, row) for row in at)
    return float(here), float((above - below) / (2 * step)), float((above - 2 * here + below) / step**2)


@every_loss
def test_two_classes_against_differences(name, values):
    scores = [-300.0, -60.0, -20.0, -3.5, -0.3, 0.0, 1.7, 12.0, 50.0, 120.0]
    loss = BoostingLoss(name, **values)
    with localcontext(prec=600):
        for label in (0, 1):
            y, z = np.full(len(scores), label), np.array(scores)
            found = np.column_stack([loss.values(y, z), *loss.derivatives(y, z)])
            expected = [differences(name, values, label, (0.0, score), 1) for score in scores]
            np.testing.assert_allclose(found[:, :2], np.array(expected)[:, :2], rtol=1e-9, atol=1e-300)
            for score, ours, (_, _, theirs) in zip(scores, found[:, 2], expected, strict=True):
                assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-16 if score == 0 else 1e-300)


@pytest.mark.parametrize("n_classes", [3, 7])
@every_loss
def test_softmax_against_differences(name, values, n_classes):
    rng = np.random.default_rng(1)
    scores = rng.normal(0, [[1], [1], [5], [5], [20], [20]], (6, n_classes)) + 3.0
    loss, label = BoostingLoss(name, **values), n_classes - 1
    y = np.full(6, label)
    gradient, hessian = loss.derivatives(y, np.asfortranarray(scores))
    size = 1e-3 * abs(gradient).max(axis=1)  # of what a difference close to zero was made of
    with localcontext(prec=220):
        for k in (0, label):
            found = loss.values(y, scores), gradient[:, k], hessian[:, k]
            expected = np.array([differences(name, values, label, row, k, "1e-60") for row in scores]).T
            for ours, theirs in zip(found, expected, strict=True):
                np.testing.assert_array_less(abs(ours - theirs), 1e-9 * np.maximum(abs(theirs), size) + 1e-290)


@every_loss
def test_finite_and_of_the_right_sign_for_large_scores(name, values):
    z = np.concatenate([np.linspace(-800, 800, 3201), [-1e30, 1e30]])
    loss = BoostingLoss(name, **values)
    for label in (0, 1):
        y = np.full(len(z), label)
        gradient, hessian = loss.derivatives(y, z)
        assert np.isfinite([loss.values(y, z), gradient, hessian]).all()
        assert (gradient <= 0).all() if label else (gradient >= 0).all()
    z3 = np.random.default_rng(0).choice([-800.0, 0.0, 800.0], (500, 3))
    for multi in ("softmax", "ovr"):
        loss = BoostingLoss(name, multi=multi, **values)
        y = np.arange(500) % 3
        assert np.isfinite(loss.derivatives(y, z3)).all() and np.isfinite(loss.values(y, z3)).all()


def test_float32_scores_in_any_order_and_sliced_give_the_rounded_result():
    rng = np.random.default_rng(6)
    y, z = rng.integers(0, 3, 200), rng.normal(0, 3, (200, 6)).astype(np.float32)
    loss = BoostingLoss("robust_focal")
    expected = loss.derivatives(y, z[:, ::2].astype(float).copy())
    for form in (np.ascontiguousarray(z[:, ::2]), np.asfortranarray(z[:, ::2]), z[:, ::2]):
        for part, whole in zip(loss.derivatives(y.astype(np.float32), form, np.float32), expected, strict=True):
            assert part.dtype == np.float32
            np.testing.assert_array_equal(part, whole.astype(np.float32))


NAMES = ["forward_correction", "backward_correction", "label_smoothing", "bootstrap", "peer"]
MATRIX = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.0, 0.3, 0.7]])
TWO = np.array([[0.9, 0.1], [0.4, 0.6]])
RNG = np.random.default_rng(0)
SCORES, Y = RNG.normal(size=(30, 3)), RNG.integers(0, 3, 30)


def loss_of(name, n_classes=3, **options):
    return CorrectedLoss(name, n_classes, {2: TWO, 3: MATRIX}[n_classes], **options)


@pytest.mark.parametrize("name", NAMES)
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


def test_bootstrap_has_its_hessian_where_that_is_above_that_of_its_log_loss():
    loss, scores, step = loss_of("bootstrap", strength=0.4), 3 * SCORES, 1e-6
    least = 0.6 * loss_of("bootstrap", strength=0.0).derivatives(Y, scores)[1]
    for k in range(3):
        above, below = (loss.derivatives(Y, scores + h * np.eye(3)[k])[0][:, k] for h in (step, -step))
        bends = (above - below) / (2 * step)
        assert np.allclose(loss.derivatives(Y, scores)[1][:, k], np.maximum(bends, least[:, k]), atol=1e-7)
        assert 0 < (bends > least[:, k] + 1e-6).sum() < 30
    p = softmax(scores, axis=1)
    assert np.allclose(loss.values(Y, scores), -((0.6 * np.eye(3)[Y] + 0.4 * p) * np.log(p)).sum(axis=1))


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


def test_peer_loss_counts_classes_by_weight():
    y, weights, scores = np.array([0, 1, 1, 0]), np.array([1.0, 3.0, 2.0, 4.0]), np.zeros(4)
    loss = CorrectedLoss("peer", 2, strength=0.5)
    Objective(loss, 2, "zero", np.array([2.0, 1.0]))(y, scores, weights)
    assert loss.shares.tolist() == [10 / 15, 5 / 15]
    assert loss.derivatives(y[:1], scores[:1])[0] == pytest.approx(0.25 + 0.5 * 5 / 15)

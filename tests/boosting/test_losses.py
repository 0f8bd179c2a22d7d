"""Losses against automatic differentiation and differences, their entries, and what they refuse."""

from decimal import Decimal, localcontext

import numba
import numpy as np
import pytest
from jets import binary, softmax
from scipy.special import expit
from scipy.special import softmax as shares

from ironbark.boosting.gbdt.losses import LOSSES
from ironbark.boosting.gbdt.losses.elementary import exponent_and_share, log_above_one
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss

GRID = [(r, q) for r in (0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0) for q in (0.0, 0.1, 0.3, 0.5, 0.9, 0.99)]
CASES = [("robust_focal", {"r": r, "q": q}) for r, q in GRID[::3]]
CASES += [(name, {"r": 1.3, "q": 0.4, "a": 0.7, "b": 1.9}) for name in LOSSES if name != "robust_focal"]
N = 10_000


def same(ours, theirs, scale=0.0):
    """Equal to 1e-9 of their size; `scale` is the size of what a difference close to zero was made of."""
    np.testing.assert_array_less(abs(ours - theirs), 1e-9 * np.maximum(abs(theirs), 1e-3 * scale) + 1e-290)


@pytest.mark.parametrize(("name", "values"), CASES)
def test_two_classes_against_automatic_differentiation(name, values):
    rng = np.random.default_rng(0)
    y, z = rng.integers(0, 2, N), rng.normal(0, rng.choice([1, 10, 50], N))
    loss = BoostingLoss(name, **values)
    gradient, hessian = loss.derivatives(y, z)
    twin = binary(name, values, y, z)
    same(loss.values(y, z), twin.value)
    near = abs(z) < 15 if name == "normalized_cross_entropy" else slice(None)  # the twin cancels far out
    same(gradient[near], twin.first[near])
    same(hessian[near], twin.second[near], abs(twin.first)[near])


def exact(name, values, z):
    """The loss of class 1 at score z, by its definition with 600 digits."""
    p = 1 / (1 + (-z).exp())
    r, q, a, b = (Decimal(repr(values.get(key, 0.0))) for key in "rqab")
    r = r if name in ("robust_focal", "focal") else Decimal(0)
    q = q if name in ("robust_focal", "generalized_cross_entropy") else Decimal(0)
    if name == "normalized_cross_entropy":
        return p.ln() / (p.ln() + (1 - p).ln())
    if name == "symmetric_cross_entropy":
        return -a * p.ln() + b * (1 - p)
    if name == "mean_absolute_error":
        return 1 - p
    focus = (r * (1 - p).ln()).exp()
    return focus * ((1 - (q * p.ln()).exp()) / q if q else -p.ln())


@pytest.mark.parametrize(("name", "values"), CASES)
def test_two_classes_against_differences_with_600_digits(name, values):
    scores = [-300.0, -60.0, -20.0, -3.5, -0.3, 0.0, 1.7, 12.0, 50.0, 120.0]
    loss = BoostingLoss(name, **values)
    gradient, hessian = loss.derivatives(np.ones(len(scores)), np.array(scores))
    step = Decimal("1e-90")
    with localcontext(prec=600):
        for i, score in enumerate(scores):
            below, here, above = (exact(name, values, Decimal(score) + k * step) for k in (-1, 0, 1))
            assert loss.values(np.ones(1), np.array([score]))[0] == pytest.approx(float(here), rel=1e-9, abs=0)
            assert gradient[i] == pytest.approx(float((above - below) / (2 * step)), rel=1e-9, abs=1e-300)
            second = float((above - 2 * here + below) / step**2)
            assert hessian[i] == pytest.approx(second, rel=1e-9, abs=1e-16 if score == 0 else 1e-300)


@pytest.mark.parametrize("n_classes", [3, 7])
@pytest.mark.parametrize(("name", "values"), CASES)
def test_softmax_against_automatic_differentiation(name, values, n_classes):
    rng = np.random.default_rng(1)
    z = rng.normal(0, rng.choice([1, 5, 20], (N // 5, 1)), (N // 5, n_classes)) + 3.0
    loss = BoostingLoss(name, **values)
    for label in (0, n_classes - 1):
        y = np.full(len(z), label)
        gradient, hessian = loss.derivatives(y, np.asarray(z, order=rng.choice(["C", "F"])))
        for k in range(n_classes):
            twin = softmax(name, values, label, z, k)
            same(loss.values(y, z), twin.value)
            same(gradient[:, k], twin.first, abs(gradient).max(axis=1))
            same(hessian[:, k], twin.second, abs(gradient).max(axis=1))


@pytest.mark.parametrize(("name", "values"), CASES)
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


def test_the_spelt_out_formulas_of_the_paper():
    """Robust focal loss with p and u, and its softmax form with rho, as plain array expressions."""
    rng = np.random.default_rng(3)
    y, z = rng.integers(0, 2, N), rng.normal(0, 2, N)
    sign, r, q = 2 * y - 1, 0.7, 0.3
    p = expit(sign * z)
    u, L = 1 - p, (1 - p**q) / q
    gradient, hessian = BoostingLoss("robust_focal", r=r, q=q).derivatives(y, z)
    np.testing.assert_allclose(gradient, -sign * u**r * (r * p * L + u * p**q), rtol=1e-9)
    bracket = r * p * L * (r * p - u) + 2 * r * u * p ** (q + 1) + u * p**q * (p - q * u)
    np.testing.assert_allclose(hessian, u**r * bracket, rtol=1e-9, atol=1e-13)

    y, z = rng.integers(0, 4, N), rng.normal(0, 2, (N, 4))
    label = np.arange(4) == y[:, None]
    p = shares(z, axis=1)
    pt = p[label][:, None]
    u, L = 1 - pt, (1 - pt**q) / q
    a, rho = r * pt * L + u * pt**q, np.where(label, 1, -p / u)
    gradient, hessian = BoostingLoss("robust_focal", r=r, q=q).derivatives(y, z)
    np.testing.assert_allclose(gradient, -(u**r) * a * rho, rtol=1e-9)
    square = r * (r - 1) * pt**2 * L + 2 * r * u * pt ** (q + 1) + (1 - q) * u**2 * pt**q
    np.testing.assert_allclose(hessian, u**r * (rho**2 * square - rho * (1 - 2 * p) * a), rtol=1e-8, atol=1e-13)


def test_one_against_the_rest_is_the_loss_of_two_classes_for_each():
    rng = np.random.default_rng(4)
    y, z = rng.integers(0, 3, 500), rng.normal(0, 3, (500, 3))
    loss = BoostingLoss("focal", multi="ovr", r=1.5)
    parts = [loss.derivatives((y == k).astype(int), z[:, k].copy()) for k in range(3)]
    np.testing.assert_array_equal(loss.derivatives(y, z)[0], np.column_stack([part[0] for part in parts]))
    np.testing.assert_array_equal(loss.derivatives(y, z)[1], np.column_stack([part[1] for part in parts]))
    values = sum(loss.values((y == k).astype(int), z[:, k].copy()) for k in range(3))
    np.testing.assert_allclose(loss.values(y, z), values, rtol=1e-14)


def test_float32_scores_in_any_order_and_sliced_give_the_rounded_result():
    rng = np.random.default_rng(6)
    y, z = rng.integers(0, 3, 200), rng.normal(0, 3, (200, 6)).astype(np.float32)
    loss = BoostingLoss("robust_focal")
    expected = loss.derivatives(y, z[:, ::2].astype(float).copy())
    for form in (np.ascontiguousarray(z[:, ::2]), np.asfortranarray(z[:, ::2]), z[:, ::2]):
        for part, whole in zip(loss.derivatives(y.astype(np.float32), form, np.float32), expected, strict=True):
            assert part.dtype == np.float32
            np.testing.assert_array_equal(part, whole.astype(np.float32))


@numba.njit
def logarithms(x, out):
    for i in range(len(x)):
        out[i] = log_above_one(x[i])


def test_logarithm_of_numbers_above_one():
    x = np.concatenate([1 + np.geomspace(1e-16, 1, 400), np.geomspace(1, 1e300, 400), 2.0 ** np.arange(60)])
    out = np.empty(len(x))
    logarithms(x, out)
    np.testing.assert_allclose(out, np.log(x), rtol=1e-15)
    exponent, share = exponent_and_share(12.0)
    assert (exponent, share) == (3.0, 0.5)

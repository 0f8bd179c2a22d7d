"""Each check of the Robust-GBDT paper finds losses, readings and penalties that break the statement."""

import numpy as np
import pytest
from scipy.integrate import quad

from ironbark.boosting.gbdt.losses.evaluation import BoostingLoss
from ironbark.pipeline.theory.newton_trees import Dented, leaves_of_rounds
from ironbark.pipeline.theory.statements import curvature_statements as statements


def deviation(check):
    return check(np.random.default_rng(0))[1]


def test_derivatives_of_the_dented_loss():
    loss, step = Dented(1.0), 1e-5
    margins = np.linspace(-3, 4, 57)
    differences = (loss.slope(margins + step) - loss.slope(margins - step)) / (2 * step)
    assert loss.curvature(margins) == pytest.approx(differences, abs=1e-6)
    assert (loss.slope(margins) < 0).all() and np.isfinite(quad(loss.slope, -3, np.inf)[0])  # falls to a limit
    gradient, hessian = loss.derivatives(np.array([1, 0]), np.array([0.5, -0.5]))
    assert gradient[0] == -gradient[1] == loss.slope(0.5) and hessian[0] == hessian[1] == loss.curvature(0.5)


def test_leaves_hold_all_samples():
    pytest.importorskip("xgboost")
    X = np.arange(40.0)[:, None]
    y = (X[:, 0] >= 10).astype(int)
    assert sorted(leaves_of_rounds(BoostingLoss("cross_entropy"), X, y)[0]) == [10, 30]
    several = leaves_of_rounds(BoostingLoss("cross_entropy"), X, np.arange(40) // 10, n_classes=4, rounds=2)
    assert np.shape(several) == (2, 4)


def test_without_the_dent_nothing_speaks_against_the_theorem(monkeypatch):
    pytest.importorskip("xgboost")
    assert deviation(statements.necessary_everywhere) == 4
    monkeypatch.setattr(statements, "Dented", lambda centre: Dented(centre, height=0.0))
    assert deviation(statements.necessary_everywhere) == 1  # MAE, started elsewhere


@pytest.mark.parametrize("factor", [0.5, 2])
def test_a_wrong_curvature_at_the_start_is_found(monkeypatch, factor):
    pytest.importorskip("xgboost")
    curvature = statements.curvature
    monkeypatch.setattr(statements, "curvature", lambda name, p, **params: factor * curvature(name, p, **params))
    assert deviation(statements.necessary_at_the_start) > 0


@pytest.mark.parametrize("name", statements.CENTRAL)
def test_a_loss_that_does_not_conform_is_found(monkeypatch, name):
    monkeypatch.setattr(statements, "CONFORMING", {name: lambda rng: {}})
    assert deviation(statements.conforming) == 60
    assert deviation(statements.in_scores) == np.inf


def test_a_loss_that_does_conform_is_not_central(monkeypatch):
    monkeypatch.setattr(statements, "CENTRAL", ("cross_entropy",))
    assert deviation(statements.conforming) == 1


def test_softmax_is_not_one_against_the_rest(monkeypatch):
    monkeypatch.setattr(
        statements, "BoostingLoss", lambda name, multi, **params: BoostingLoss(name, "softmax", **params)
    )
    assert deviation(statements.one_against_the_rest) > 0.01


def test_one_against_the_rest_does_not_break_theorem_3(monkeypatch):
    pytest.importorskip("xgboost")
    monkeypatch.setattr(statements, "BoostingLoss", lambda name, multi, **params: BoostingLoss(name, "ovr", **params))
    assert deviation(statements.softmax) == 0


def test_with_a_penalty_equal_shares_lose():
    """Both halves of G = 1, H = 1 with lambda = 1: 2 (1/4) / (3/2) - 1/2."""
    assert statements.gain(0.5, 0.5, 1.0, 1.0, 1.0) == pytest.approx(1 / 3 - 1 / 2)
    assert statements.equal_shares(np.random.default_rng(0), 1.0)[1] > 0.1

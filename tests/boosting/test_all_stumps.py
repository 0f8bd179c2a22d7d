"""RMBoost with the best stump of each round: the linear program over all stumps, its bound, pruning, and the end."""

from itertools import product

import numpy as np
import pytest
from boosting.linear_programs import all_stumps, minimax_risk, problem
from sklearn.base import BaseEstimator, ClassifierMixin

from ironbark import RMBoostClassifier


class BestStump(ClassifierMixin, BaseEstimator):
    """The rule of largest weighted agreement among all stumps, the constant one and their negatives."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.array([-1, 1])
        agreement = all_stumps(X) @ (sample_weight * y)
        best = np.abs(agreement).argmax()
        self.sign_ = np.sign(agreement[best])
        cuts = [(0, np.inf)]
        for j, column in enumerate(X.T):
            values = np.unique(column)
            cuts += [(j, threshold) for threshold in (values[1:] + values[:-1]) / 2]
        self.feature_, self.threshold_ = cuts[best]
        return self

    def predict(self, X):
        return self.sign_ * np.where(X[:, self.feature_] <= self.threshold_, 1, -1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("c", [1.0, 0.25])
def test_best_stumps_reach_the_full_linear_program(seed, c, variant):
    X, y = problem(seed)
    lam = c / np.sqrt(len(y))
    tol = {"tol": 1e-5} if variant.get("lp_solution") is None else {}
    settings = variant | {"base": "weighted"} | tol
    booster = RMBoostClassifier(BestStump(), n_estimators=400, lam=lam, **settings).fit(X, y)
    # weights are blended with a millionth of even ones, and a rule is found only if its edge is 1e-9 above lam
    slack = 3e-5 if tol else 2e-6
    assert booster.minimax_risk_ == pytest.approx(minimax_risk(all_stumps(X), y / len(y), lam), abs=slack)
    assert len(booster.risks_) < 400 or tol  # near the centre constraints hold up to the tolerance only


@pytest.mark.parametrize("seed", range(3))
def test_risk_bounds_the_error_where_lam_covers_all_rules(seed):
    """Randomised error on a second sample <= R + mean of what margins exceed 1/2 by, if lam covers every stump."""
    X, y = problem(seed)
    X_new, y_new = problem(seed + 50)
    grid = np.vstack([X, X_new])  # one family for both samples
    rules = all_stumps(grid)
    lam = np.abs(rules[:, :80] @ y / 80 - rules[:, 80:] @ y_new / 80).max()

    class Stump(BestStump):
        def fit(self, X, y, sample_weight):
            padded = np.concatenate([sample_weight, np.zeros(len(grid) - len(X))])
            return super().fit(grid, np.concatenate([y, np.ones(len(grid) - len(X))]), padded)

    booster = RMBoostClassifier(Stump(), lam=lam, base="weighted", n_estimators=50).fit(X, y)
    score = booster.decision_function(X_new)
    randomised = np.mean(np.where(y_new == 1, *booster.predict_proba(X_new).T))  # probability of the other class
    assert randomised <= booster.minimax_risk_ + np.maximum(np.abs(score) - 0.5, 0).mean() + 1e-9


class PrunesAlways(RMBoostClassifier):
    """Pruning after every round, as it is printed."""

    def _tidy(self, record, program, solution):
        optima, record.optima = record.optima, record.optima[-1:]
        super()._tidy(record, program, solution)
        record.optima = optima


LAM = 0.05 / np.sqrt(200)


def cycling():
    """Two features and noisy labels on which, with LAM, pruning after every round goes in circles."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    return X, np.where(X.sum(axis=1) + rng.normal(size=200) > 0, 1, -1)


def test_pruning_does_not_go_in_circles():
    """Here pruning after every round finds the same stumps again and again, and takes half as many rounds more."""
    pytest.importorskip("highspy")
    X, y = cycling()
    settings = {"lam": LAM, "base": "weighted", "prune": True}
    boosters = [
        make(BestStump(), lp_solution="vertex", n_estimators=rounds, **settings).fit(X, y)
        for make, rounds in ((RMBoostClassifier, 1200), (PrunesAlways, 430))
    ]
    optimum = minimax_risk(all_stumps(X), y / 200, LAM)
    assert boosters[0].stop_reason_ == "no rule with an edge"
    assert boosters[0].minimax_risk_ == pytest.approx(optimum, abs=2e-6)
    for booster in boosters:
        assert np.diff(booster.risks_).max() <= 1e-9 and len(booster.risks_) <= 1200
    stumps = [{(rule.feature_, rule.threshold_) for rule in booster.estimators_} for booster in boosters]
    assert len(stumps[1]) < 0.9 * len(boosters[1].estimators_)


OPTIONS = [
    {"lp_solution": "vertex", "formulation": formulation, "prune": prune, "symmetric_duals": symmetric}
    for formulation, prune, symmetric in product(("primal", "dual"), (True, False), (True, False))
]


@pytest.mark.parametrize("base", ["weighted", "bootstrap"])
@pytest.mark.parametrize("options", [{}, *OPTIONS], ids=lambda options: "-".join(map(str, options.values())))
def test_no_option_goes_on_for_ever(base, options):
    """The example that goes in circles when pruned always; each round is a stump more, or at most 1 + redraws tries."""
    if options:
        pytest.importorskip("highspy")
    X, y = cycling()
    rounds, redraws, fits = 40, 2, []

    class Counted(BestStump):
        def fit(self, X, y, sample_weight=None):
            fits.append(len(y))
            assert len(fits) <= rounds * (1 + redraws), "more rounds than asked for"
            return super().fit(X, y, np.ones(len(y)) if sample_weight is None else sample_weight)

    settings = {"n_estimators": rounds, "redraws": redraws, "base": base, "lam": LAM, "random_state": 0}
    booster = RMBoostClassifier(Counted(), **settings, **options).fit(X, y)
    assert len(booster.estimators_) <= len(fits) <= rounds * (1 + redraws)
    assert booster.stop_reason_ == ("n_estimators" if len(booster.estimators_) == rounds else "no rule with an edge")

"""RMBoost and LPBoost: invariants, rounds by hand, the program over all stumps, weights, what the two share."""

import re

import numpy as np
import pytest
from boosting.linear_programs import LP_VARIANTS, margin, minimax_risk, problem, values_of
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.tree import DecisionTreeClassifier
from theory.problems import stumps

from ironbark import LPBoostClassifier, RMBoostClassifier, RobustDecisionTreeClassifier
from ironbark.boosting.minimax import interior_point
from ironbark.boosting.minimax.linear_program import Model, SolverError


@pytest.mark.parametrize("seed", range(2))
def test_invariants_of_rmboost(seed, variant):
    X, y = problem(seed, n=150, d=5)
    booster = RMBoostClassifier(n_estimators=30, random_state=seed, **variant).fit(X, y)
    tol = 1e-3 if "lp_solution" not in variant else 1e-6
    H, mu, lam, n = values_of(booster, X), booster.mu_, booster.lam_, len(y)
    norm = np.abs(mu).sum()
    assert lam == pytest.approx(n**-0.5, rel=1e-12) and norm <= 1 / (2 * lam)
    assert np.diff(booster.risks_).max() <= tol and 0 <= booster.minimax_risk_ == booster.risks_[-1] <= 0.5
    assert np.abs(mu @ H).max() <= 0.5 + tol * 1e-3
    randomised = np.mean(0.5 - y * (mu @ H))
    assert randomised == pytest.approx(booster.minimax_risk_ - lam * norm, abs=1e-9)
    assert np.mean(booster.predict(X) != y) <= 2 * randomised + 1e-9
    errors = np.mean(np.where(y == H, 0, 1), axis=1)
    errors = np.minimum(errors, 1 - errors)
    assert booster.risks_[0] == pytest.approx(errors[0] + lam / 2, abs=tol)
    assert (booster.risks_ <= np.minimum.accumulate(errors) + lam / 2 + tol).all()
    edges = np.abs(H @ booster.weights_)
    assert edges.max() <= lam + 1e-8
    assert np.abs(y / n - booster.weights_).sum() == pytest.approx(1 - 2 * booster.minimax_risk_, abs=2 * tol)
    if "lp_solution" in variant:
        assert edges[np.abs(mu) > 1e-9] == pytest.approx(lam, abs=1e-7)
    assert (booster.edges_ > lam).all()


@pytest.mark.parametrize("settings", LP_VARIANTS.values(), ids=LP_VARIANTS)
def test_invariants_of_lpboost(settings):
    X, y = problem(1, n=150, d=5)
    booster = LPBoostClassifier(n_estimators=25, random_state=0, **settings).fit(X, y)
    H = values_of(booster, X)
    assert np.diff(booster.margins_).min() >= -1e-7
    assert (booster.margins_ <= np.minimum.accumulate(booster.edges_) + 1e-7).all()
    assert booster.mu_.sum() == pytest.approx(1, abs=1e-6) and booster.mu_.min() >= 0
    assert (H @ booster.weights_ <= booster.margins_[-1] + 1e-7).all()
    caps = np.full(150, np.inf if booster.margin == "hard" else 1 / (booster.nu * 150))
    assert booster.margins_[-1] == pytest.approx(margin(H, y, caps), abs=1e-6)
    if booster.margin == "soft":
        rho = np.quantile(y * (booster.mu_ @ H), booster.nu, method="lower")
        assert np.mean(y * (booster.mu_ @ H) < rho - 1e-7) <= booster.nu


X_10, Y_10 = np.arange(10.0)[:, None], np.array(["no"] * 5 + ["yes"] * 4 + ["no"])
STUMP = DecisionTreeClassifier(max_leaf_nodes=2, random_state=0)  # x <= 4.5, which is wrong about the last sample


@pytest.mark.parametrize(("tol", "settings"), [(1e-5, {"tol": 1e-5}), (1e-9, {"lp_solution": "vertex"})])
def test_first_round_of_rmboost_by_hand(tol, settings):
    """With lam = 0.2, R = 0.1 + 0.1, mu = 1/2 and |r|_1 = 0.6."""
    booster = RMBoostClassifier(STUMP, n_estimators=1, lam=0.2, base="weighted", **settings).fit(X_10, Y_10)
    assert booster.edges_ == pytest.approx([0.8], abs=1e-12)
    assert booster.minimax_risk_ == pytest.approx(0.2, abs=tol)
    assert booster.mu_ == pytest.approx([0.5], abs=10 * tol)
    signs = np.where(Y_10 == "yes", 1, -1)
    assert np.abs(signs / 10 - booster.weights_).sum() == pytest.approx(0.6, abs=10 * tol)
    assert booster.predict_proba(X_10)[:, 1] == pytest.approx([0] * 5 + [1] * 5, abs=10 * tol)
    if "tol" in settings:  # near the centre all ten samples, whose margins are all tight, share r evenly
        expected = signs / 10 - 0.06 * np.where(X_10[:, 0] <= 4.5, -1, 1)
        assert booster.weights_ == pytest.approx(expected, abs=1e-4)


def test_lpboost_warns_where_labels_of_equal_samples_leave_no_margin():
    X, y = np.tile(np.eye(20), (10, 1)), np.arange(200) % 2
    with pytest.warns(UserWarning, match="soft margin above 0 with nu=0.1, .*give a larger nu"):
        LPBoostClassifier(n_estimators=2).fit(X, np.where(np.arange(200) < 30, 1 - y, y))


@pytest.mark.parametrize(("base", "tries"), [("weighted", 1), ("bootstrap", 3)])
def test_without_an_edge_the_score_is_zero_and_the_class_the_second(base, tries):
    X, y = problem(6)
    fits = []

    class Counted(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            fits.append(len(y))
            return super().fit(X, y, sample_weight)

    booster = RMBoostClassifier(Counted(), n_estimators=3, lam=1e6, base=base, redraws=2).fit(X, y)
    assert len(fits) == tries
    assert booster.stop_reason_ == "no rule with an edge" and booster.estimators_ == []
    assert booster.minimax_risk_ == 0.5 and len(booster.risks_) == 0 and len(booster.mu_) == 0
    assert set(booster.predict(X)) == {1} and np.all(booster.predict_proba(X) == 0.5)
    assert list(booster.staged_decision_function(X)) == []


def test_lpboost_ends_where_no_rule_helps_or_the_precision_is_met():
    X, y = problem(2, n=60)
    separable = LPBoostClassifier(DecisionTreeClassifier(), margin="hard").fit(np.arange(60.0)[:, None], y)
    assert len(separable.margins_) == 1 and separable.margins_[0] == pytest.approx(1)
    assert separable.stop_reason_ == "precision"
    ended = LPBoostClassifier(STUMP, nu=0.5, n_estimators=200).fit(X, y)
    assert ended.stop_reason_ == "no rule with an edge" and len(ended.margins_) < 100
    coarse = LPBoostClassifier(STUMP, nu=0.5, n_estimators=200, precision=0.1).fit(X, y)
    assert coarse.stop_reason_ == "precision" and len(coarse.margins_) < len(ended.margins_)
    assert coarse.edges_.min() - coarse.margins_[-1] <= 0.1


def test_sample_weights_of_rmboost():
    X, y = problem(9, n=100)
    weights = np.random.default_rng(0).integers(0, 3, 100)
    booster = RMBoostClassifier(n_estimators=10, random_state=0)
    fitted = clone(booster).fit(X, y, weights)
    kept, share = weights > 0, weights[weights > 0] / weights.sum()
    assert len(fitted.weights_) == kept.sum()
    assert fitted.lam_ == pytest.approx(np.sqrt((share**2).sum()))
    assert np.array_equal(clone(booster).fit(X, y, 7.5 * weights).mu_, fitted.mu_)
    H = values_of(fitted, X[kept])
    gains = fitted.mu_ @ (H @ (share * y[kept]))
    assert fitted.minimax_risk_ == pytest.approx(0.5 - gains + fitted.lam_ * np.abs(fitted.mu_).sum(), abs=1e-12)
    assert fitted.minimax_risk_ == pytest.approx(minimax_risk(H, share * y[kept], fitted.lam_), abs=1e-3)
    even = clone(booster).fit(X, y, np.full(100, 3.0))
    assert np.allclose(even.decision_function(X), clone(booster).fit(X, y).decision_function(X))


def test_sample_weights_of_the_soft_margin_are_copies():
    X, y = problem(3, n=60)
    counts = np.random.default_rng(0).integers(0, 3, 60)
    booster = LPBoostClassifier(DecisionTreeClassifier(max_depth=2, random_state=0), n_estimators=1, nu=0.3)
    weighted = clone(booster).fit(X, y, counts)
    copied = clone(booster).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.edges_ == pytest.approx(copied.edges_) and weighted.margins_ == pytest.approx(copied.margins_)


class BestStump(ClassifierMixin, BaseEstimator):
    """The rule of largest weighted agreement among all stumps, the constant one and their negatives."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.array([-1, 1])
        agreement = stumps(X) @ (sample_weight * y)
        best = np.abs(agreement).argmax()
        self.sign_ = np.sign(agreement[best])
        cuts = [(0, -np.inf)]
        for j, column in enumerate(X.T):
            values = np.unique(column)
            cuts += [(j, threshold) for threshold in (values[1:] + values[:-1]) / 2]
        self.feature_, self.threshold_ = cuts[best]
        return self

    def predict(self, X):
        return self.sign_ * np.where(X[:, self.feature_] > self.threshold_, 1, -1)


@pytest.mark.parametrize(("seed", "c"), [(0, 1.0), (1, 0.25)])
def test_best_stumps_reach_the_full_linear_program(seed, c, variant):
    X, y = problem(seed)
    lam = c / np.sqrt(len(y))
    tol = {"tol": 1e-5} if variant.get("lp_solution") is None else {}
    settings = variant | {"base": "weighted"} | tol
    booster = RMBoostClassifier(BestStump(), n_estimators=400, lam=lam, **settings).fit(X, y)
    # weights are blended with a millionth of even ones, and a rule is found only if its edge is 1e-9 above lam
    slack = 3e-5 if tol else 2e-6
    assert booster.minimax_risk_ == pytest.approx(minimax_risk(stumps(X), y / len(y), lam), abs=slack)
    assert len(booster.risks_) < 400 or tol  # near the centre constraints hold up to the tolerance only


LEAVES = {"max_leaf_nodes": 11, "min_samples_split": 10}


def optima_of(model):
    return model.risks_ if isinstance(model, RMBoostClassifier) else model.margins_


def test_stages_scores_and_probabilities_agree(booster):
    X, y = problem(5, n=120, d=4)
    booster.fit(X, np.where(y > 0, "b", "a"))
    stages, score = list(booster.staged_decision_function(X)), booster.decision_function(X)
    assert len(stages) == len(optima_of(booster)) == len(booster.mu_path_) == len(booster.lp_iterations_)
    assert np.allclose(stages[-1], score, atol=1e-12)
    for mu, stage in zip(booster.mu_path_, stages, strict=True):
        assert np.allclose(mu @ values_of(booster, X)[: len(mu)], stage, atol=1e-12)
    assert np.array_equal(booster.predict(X), np.where(score >= 0, "b", "a"))
    if hasattr(booster, "predict_proba"):
        proba = booster.predict_proba(X)
        assert np.allclose(proba[:, 1], np.clip(score + 0.5, 0, 1)) and np.allclose(proba.sum(axis=1), 1)


def test_recorded_weights_are_those_that_a_shorter_fit_ends_with(booster):
    X, y = problem(1, n=120, d=4)
    share = np.random.default_rng(0).integers(0, 3, 120).astype(float)
    share[share > 0] += 1 - share[share > 0] if getattr(booster, "margin", None) == "hard" else 0
    kept = share > 0
    plain = clone(booster).fit(X, y, share)
    model = booster.set_params(record_weights=True).fit(X, y, share)
    weights = model.sample_weights_
    assert weights.shape == (len(model.estimators_), kept.sum()) and len(weights) > 1
    assert np.allclose(np.abs(weights).sum(axis=1), 1, rtol=1e-12)
    assert np.allclose(weights[0], share[kept] / share.sum(), rtol=1e-12)
    for rounds in range(1, len(weights)):
        last = y[kept] * clone(booster).set_params(n_estimators=rounds).fit(X, y, share).weights_
        assert np.allclose(weights[rounds], last / np.abs(last).sum(), rtol=1e-12)
    assert isinstance(model, RMBoostClassifier) or weights.min() >= 0
    assert not hasattr(plain, "sample_weights_")
    assert np.array_equal(plain.mu_, model.mu_) and np.array_equal(plain.weights_, model.weights_)


class Checked(RobustDecisionTreeClassifier):
    """Another class, which is fitted by `fit` and asked by `predict`."""


RULES = [{**LEAVES, "ccp_alpha": 0.0}, {"criterion": "entropy", "max_depth": 2, "ccp_alpha": 0.0}]


@pytest.mark.parametrize("options", [*RULES, {"ccp_alpha": 0.01, "max_features": 1}])
def test_trees_that_are_checked_once_are_those_of_fit(options):
    X, y = problem(4, n=200, d=4)
    rules = RobustDecisionTreeClassifier(**options), Checked(**options)
    once, always = (RMBoostClassifier(rule, n_estimators=10, random_state=0).fit(X, y) for rule in rules)
    assert len(once.estimators_) == 10 and np.array_equal(once.decision_function(X), always.decision_function(X))
    for one, other in zip(once.estimators_, always.estimators_, strict=True):
        assert np.array_equal(one.predict_proba(X), other.predict_proba(X))
        assert one.classes_.tolist() == other.classes_.tolist() and one.get_params() == other.get_params()


@pytest.mark.parametrize(("samples", "most"), [(1199, 11), (1200, 12)])
@pytest.mark.parametrize("base", ["bootstrap", "weighted"])
def test_trees_grow_with_the_sample(samples, most, base):
    X, y = problem(3, n=samples, d=5, noise=0.2)
    booster = RMBoostClassifier(n_estimators=2, base=base, random_state=0).fit(X, y)
    assert max((rule.tree_.children_left == -1).sum() for rule in booster.estimators_) == most
    fixed = RMBoostClassifier(max_leaf_nodes=most, n_estimators=2, base=base, random_state=0).fit(X, y)
    assert np.array_equal(booster.decision_function(X), fixed.decision_function(X))


VERTEX = {"lp_solution": "vertex", "n_estimators": 6, "random_state": 0}
FAILING = [
    (RMBoostClassifier(**VERTEX), "try another lp_solution or tol"),
    (LPBoostClassifier(n_estimators=6, random_state=0), "try another tol"),
]


@pytest.mark.parametrize(("booster", "remedy"), FAILING)
def test_highs_is_asked_twice(monkeypatch, booster, remedy):
    """HiGHS solves, but reports these statuses, one per call, and "kOptimal" after the last one."""
    X, y = problem(9)
    expected, run = clone(booster).fit(X, y), Model._run
    answers = ["kUnknown"]
    monkeypatch.setattr(Model, "_run", lambda self: (run(self), answers.pop(0) if answers else "kOptimal")[1])
    model = clone(booster).fit(X, y)
    assert model.edges_[0] == expected.edges_[0]
    assert optima_of(model)[0] == pytest.approx(optima_of(expected)[0], abs=1e-9)
    answers += ["kTimeLimit", "kUnknown"]
    words = f"{type(booster).__name__}, round 1: .* kTimeLimit, and from scratch with status kUnknown; {remedy}"
    with pytest.raises(SolverError, match=words):
        clone(booster).fit(X, y)


def test_the_interior_point_method_starts_twice(monkeypatch):
    """In the first round from two points, later from the last solution and from scratch."""
    booster, run, starts = RMBoostClassifier(n_estimators=6, random_state=0), interior_point.InteriorPoint._run, []
    expected = clone(booster).fit(*problem(9))
    failing = {0}

    def recorded(solver, point):
        starts.append((solver.t, point.m.copy()))
        return None if len(starts) - 1 in failing else run(solver, point)

    monkeypatch.setattr(interior_point.InteriorPoint, "_run", recorded)
    assert clone(booster).fit(*problem(9)).risks_[0] == pytest.approx(expected.risks_[0], abs=1e-3)
    assert not np.array_equal(starts[0][1], starts[1][1])
    starts.clear()
    failing = {2, 3}
    words = re.escape("RMBoostClassifier, round 3: the interior point method did not reach tol=0.001 in 100 iterations")
    with pytest.raises(SolverError, match=f"^{words}; try another lp_solution or tol.$"):
        booster.fit(*problem(9))
    assert [rules for rules, _ in starts] == [1, 2, 3, 3]

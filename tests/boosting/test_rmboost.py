"""RMBoost: its invariants on real fits, a round by hand, stages, seeds, sample weights."""

import pickle
import warnings

import numpy as np
import pytest
from boosting.linear_programs import minimax_risk, problem
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark import RMBoostClassifier

COPIES = {
    "check_sample_weight_equivalence_on_dense_data": (
        "draws with replacement from samples and from copies differ, and n in lam is that of the samples"
    )
}

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    scikit_learn_checks = parametrize_with_checks(
        [RMBoostClassifier(n_estimators=5), RMBoostClassifier(n_estimators=5, lp_solution="vertex", base="weighted")],
        expected_failed_checks=lambda estimator: COPIES,
    )


@scikit_learn_checks
def test_scikit_learn_contract(estimator, check):
    if estimator.lp_solution == "vertex":
        pytest.importorskip("highspy")
    check(estimator)


def values_of(booster, X):
    return np.array([rule.predict(X) for rule in booster.estimators_], dtype=float)


@pytest.mark.parametrize("seed", range(2))
def test_invariants_of_a_fit(seed, variant):
    X, y = problem(seed, n=150, d=5)
    booster = RMBoostClassifier(n_estimators=30, random_state=seed, **variant).fit(X, y)
    tol = 1e-3 if "lp_solution" not in variant else 1e-6
    H, mu, lam, n = values_of(booster, X), booster.mu_, booster.lam_, len(y)
    norm = np.abs(mu).sum()
    assert lam == pytest.approx(n**-0.5, rel=1e-12)
    assert np.diff(booster.risks_).max() <= tol and 0 <= booster.minimax_risk_ <= 0.5
    assert np.abs(mu @ H).max() <= 0.5 + tol * 1e-3
    assert booster.minimax_risk_ == booster.risks_[-1]
    randomised = np.mean(0.5 - y * (mu @ H))
    assert randomised == pytest.approx(booster.minimax_risk_ - lam * norm, abs=1e-9)
    assert np.mean(booster.predict(X) != y) <= 2 * randomised + 1e-9
    assert norm <= 1 / (2 * lam)
    errors = np.mean(np.where(y == H, 0, 1), axis=1)
    errors = np.minimum(errors, 1 - errors)
    assert booster.risks_[0] == pytest.approx(errors[0] + lam / 2, abs=tol)
    assert (booster.risks_ <= np.minimum.accumulate(errors) + lam / 2 + tol).all()
    if not variant.get("prune"):
        p = booster.weights_
        edges = np.abs(H @ p)
        assert edges.max() <= lam + 1e-8
        assert np.abs(y / n - p).sum() == pytest.approx(1 - 2 * booster.minimax_risk_, abs=2 * tol)
        if "lp_solution" in variant:
            assert edges[np.abs(mu) > 1e-9] == pytest.approx(lam, abs=1e-7)
    assert (booster.edges_ > lam).all()


def test_first_round_by_hand():
    """Ten samples, lam = 0.2. The stump x <= 4.5 is wrong about one, so R = 0.1 + 0.1, mu = 1/2 and |r|_1 = 0.6."""
    X = np.arange(10.0)[:, None]
    y = np.array(["no"] * 5 + ["yes"] * 4 + ["no"])
    stump = DecisionTreeClassifier(max_leaf_nodes=2)
    for tol, settings in ((1e-5, {"tol": 1e-5}), (1e-9, {"lp_solution": "vertex"})):
        if settings.get("lp_solution"):
            pytest.importorskip("highspy")
        booster = RMBoostClassifier(stump, n_estimators=1, lam=0.2, base="weighted", **settings).fit(X, y)
        assert booster.edges_ == pytest.approx([0.8], abs=1e-12)
        assert booster.minimax_risk_ == pytest.approx(0.2, abs=tol)
        assert booster.mu_ == pytest.approx([0.5], abs=10 * tol)
        signs = np.where(y == "yes", 1, -1)
        assert np.abs(signs / 10 - booster.weights_).sum() == pytest.approx(0.6, abs=10 * tol)
        assert booster.predict(X).tolist() == ["no"] * 5 + ["yes"] * 5
        assert booster.predict_proba(X)[:, 1] == pytest.approx([0] * 5 + [1] * 5, abs=10 * tol)
    # near the centre all ten samples, whose margins are all tight, share r evenly
    booster = RMBoostClassifier(stump, n_estimators=1, lam=0.2, base="weighted", tol=1e-5).fit(X, y)
    expected = signs / 10 - 0.06 * np.where(X[:, 0] <= 4.5, -1, 1)
    assert booster.weights_ == pytest.approx(expected, abs=1e-4)


def test_vertices_collapse_to_one_tree_and_the_centre_does_not():
    """Of 20 trees the simplex method keeps one: the dual put most of the weight on single samples."""
    pytest.importorskip("highspy")
    X, y = problem(8, n=150, d=4)
    boosters = {
        name: RMBoostClassifier(n_estimators=20, random_state=0, lp_solution=name).fit(X, y)
        for name in ("central", "vertex")
    }
    assert (np.abs(boosters["vertex"].mu_) > 1e-3).sum() == 1
    assert (np.abs(boosters["central"].mu_) > 1e-3).sum() >= 10
    assert boosters["central"].minimax_risk_ < boosters["vertex"].minimax_risk_ - 0.01


def test_stages_scores_and_probabilities_agree(variant):
    X, y = problem(5, n=120, d=4)
    labels = np.where(y > 0, "b", "a")
    booster = RMBoostClassifier(n_estimators=8, random_state=0, **variant).fit(X, labels)
    stages = list(booster.staged_decision_function(X))
    assert len(stages) == len(booster.risks_) == len(booster.mu_path_) == len(booster.lp_iterations_)
    assert np.allclose(stages[-1], booster.decision_function(X), atol=1e-12)
    for mu, stage in zip(booster.mu_path_, stages, strict=True):
        assert np.allclose(mu @ values_of(booster, X)[: len(mu)], stage, atol=1e-12)
    score, proba = booster.decision_function(X), booster.predict_proba(X)
    assert np.allclose(proba[:, 1], np.clip(score + 0.5, 0, 1)) and np.allclose(proba.sum(axis=1), 1)
    assert np.array_equal(booster.predict(X), np.where(score >= 0, "b", "a"))


def test_a_score_of_zero_is_the_second_class():
    X, y = problem(6)
    booster = RMBoostClassifier(n_estimators=3, lam=1e6).fit(X, y)
    assert booster.stop_reason_ == "no rule with an edge" and booster.estimators_ == []
    assert booster.minimax_risk_ == 0.5 and len(booster.risks_) == 0 and len(booster.mu_) == 0
    assert set(booster.predict(X)) == {1} and np.all(booster.predict_proba(X) == 0.5)
    assert list(booster.staged_decision_function(X)) == []


def test_same_seed_same_bits(variant):
    X, y = problem(8, n=150, d=4)
    first, again, other = (
        RMBoostClassifier(n_estimators=10, random_state=seed, **variant).fit(X, y) for seed in (1, 1, 2)
    )
    for name in ("mu_", "risks_", "edges_", "weights_"):
        assert np.array_equal(getattr(first, name), getattr(again, name))
    score = first.decision_function(X)
    assert np.array_equal(clone(first).fit(X, y).decision_function(X), score)
    assert np.array_equal(pickle.loads(pickle.dumps(first)).decision_function(X), score)
    assert not np.array_equal(other.weights_, first.weights_) or variant.get("base") == "weighted"


def test_sample_weights():
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

"""RMBoost: its invariants on real fits, the full linear program over all stumps, a round by hand, bad input."""

import builtins
import pickle
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from boosting.linear_programs import all_stumps, minimax_risk, problem
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ironbark import RMBoostClassifier, RobustDecisionTreeClassifier
from ironbark.boosting import column_generation
from ironbark.boosting.base_learner import LEAVES
from ironbark.boosting.linear_program import Solution, SolverError
from ironbark.errors import InputError

COPIES = {
    "check_sample_weight_equivalence_on_dense_data": (
        "draws with replacement from samples and from copies differ, and n in lam is that of the samples"
    )
}
VARIANTS = {
    "central": {},
    "weighted": {"base": "weighted"},
    "primal": {"lp_solution": "vertex"},
    "dual": {"lp_solution": "vertex", "formulation": "dual"},
    "symmetric": {"lp_solution": "vertex", "symmetric_duals": True},
    "pruned": {"lp_solution": "vertex", "prune": True, "base": "weighted"},
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


@pytest.fixture(params=VARIANTS)
def variant(request):
    if "vertex" in VARIANTS[request.param].values():
        pytest.importorskip("highspy")
    return VARIANTS[request.param]


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


class PrunesAlways(RMBoostClassifier):
    """Pruning after every round, as it is printed."""

    def _tidy(self, record, program, solution):
        optima, record.optima = record.optima, record.optima[-1:]
        super()._tidy(record, program, solution)
        record.optima = optima


def test_pruning_does_not_go_in_circles():
    """Here pruning after every round finds the same stumps again and again, and takes half as many rounds more."""
    pytest.importorskip("highspy")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = np.where(X.sum(axis=1) + rng.normal(size=200) > 0, 1, -1)
    settings = {"lam": 0.05 / np.sqrt(200), "base": "weighted", "prune": True}
    boosters = [
        make(BestStump(), lp_solution="vertex", n_estimators=rounds, **settings).fit(X, y)
        for make, rounds in ((RMBoostClassifier, 1200), (PrunesAlways, 430))
    ]
    optimum = minimax_risk(all_stumps(X), y / 200, settings["lam"])
    assert boosters[0].stop_reason_ == "no rule with an edge"
    assert boosters[0].minimax_risk_ == pytest.approx(optimum, abs=2e-6)
    for booster in boosters:
        assert np.diff(booster.risks_).max() <= 1e-9 and len(booster.risks_) <= 1200
    stumps = [{(rule.feature_, rule.threshold_) for rule in booster.estimators_} for booster in boosters]
    assert len(stumps[1]) < 0.9 * len(boosters[1].estimators_)


@pytest.mark.parametrize(
    ("risks", "removed"), [([0.3], [0]), ([0.3, 0.2], [0]), ([0.3, 0.3], []), ([0.3, 0.3 - 1e-12], [])]
)
def test_rules_are_dropped_only_in_rounds_that_lower_the_risk(risks, removed):
    booster = RMBoostClassifier(prune=True, lp_solution="vertex")
    booster.lam_ = 0.1
    record, gone = column_generation.Record(), []
    for values in ([1.0, 1.0], [1.0, -1.0]):
        record.add(None, np.array(values), 0.2)
    record.optima = risks
    solution = Solution(np.array([0.0, 0.5]), np.array([0.05, -0.05]), risks[-1], 1)  # edges 0 and 0.1 = lam
    program = SimpleNamespace(remove=gone.extend)
    booster._tidy(record, program, solution)
    assert gone == removed and record.active == [k for k in range(2) if k not in removed]


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
        name: RMBoostClassifier(n_estimators=20, random_state=0, **VARIANTS[name]).fit(X, y)
        for name in ("central", "primal")
    }
    assert (np.abs(boosters["primal"].mu_) > 1e-3).sum() == 1
    assert (np.abs(boosters["central"].mu_) > 1e-3).sum() >= 10
    assert boosters["central"].minimax_risk_ < boosters["primal"].minimax_risk_ - 0.01


def test_trees_of_the_bootstrap_are_those_of_the_draws():
    """Counts on encoded features give the tree that scikit-learn grows on the drawn rows."""
    X, y = problem(4, n=200, d=4)
    ours = RMBoostClassifier(n_estimators=4, random_state=0).fit(X, y)
    theirs = RMBoostClassifier(DecisionTreeClassifier(**LEAVES), n_estimators=4, random_state=0).fit(X, y)
    same = np.mean(values_of(ours, X) == values_of(theirs, X), axis=1)
    assert same[0] > 0.97 and ours.risks_[0] == pytest.approx(theirs.risks_[0], abs=0.02)  # but for ties between splits


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


def test_redraws_are_bounded():
    X, y = problem(6)
    calls = []

    class Counted(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            calls.append(len(y))
            return super().fit(X, y, sample_weight)

    RMBoostClassifier(Counted(max_depth=1), lam=1e6, redraws=3, random_state=0).fit(X, y)
    RMBoostClassifier(Counted(max_depth=1), lam=1e6, redraws=3, base="weighted").fit(X, y)
    assert calls == [80] * 5


@pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(), KNeighborsClassifier(3), RobustDecisionTreeClassifier("misclassification", max_depth=3)],
    ids=lambda estimator: type(estimator).__name__,
)
def test_any_classifier_can_be_the_base_learner(estimator):
    X, y = problem(7, n=150, noise=0.2)
    booster = RMBoostClassifier(estimator, n_estimators=8, random_state=0).fit(X, y)
    assert booster.score(X, y) > 0.7


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


X20, Y20 = np.arange(20.0)[:, None], [0, 1] * 10


@pytest.mark.parametrize(
    ("params", "y", "sentence"),
    [
        ({"lam": 0}, Y20, "lam=0 must be 'auto' or a finite number > 0"),
        ({"lam": -1.0}, Y20, "lam=-1.0 must be"),
        ({"lam": float("nan")}, Y20, "lam=nan must be"),
        ({"lam": "big"}, Y20, "lam='big' must be"),
        ({"n_estimators": 0}, Y20, "n_estimators=0 must be an integer >= 1"),
        ({"n_estimators": True}, Y20, "n_estimators=True must be"),
        ({"redraws": -1}, Y20, "redraws=-1 must be an integer >= 0"),
        ({"base": "bagging"}, Y20, "base='bagging' must be one of 'bootstrap', 'weighted'"),
        ({"lp_solution": "simplex"}, Y20, "lp_solution='simplex' must be one of 'central', 'vertex'"),
        ({"formulation": "both"}, Y20, "formulation='both' must be one of 'primal', 'dual'"),
        ({"tol": 1e-9}, Y20, "tol=1e-09 must be None or a number in .1e-05, 0.1. with lp_solution='central'"),
        ({"prune": True}, Y20, "prune=True needs lp_solution='vertex'"),
        ({"estimator": KNeighborsClassifier(), "base": "weighted"}, Y20, "KNeighborsClassifier takes no sample_weight"),
        ({}, [0, 1, 2, 0] * 5, "multiclass. Wrap it: sklearn.multiclass.OneVsRestClassifier.RMBoostClassifier"),
        ({}, [1] * 20, "RMBoostClassifier needs samples of two classes, but y holds only one class"),
    ],
)
def test_refused(params, y, sentence):
    with pytest.raises(InputError, match=sentence):
        RMBoostClassifier(**params).fit(X20, y)


def test_missing_values_and_bad_weights_are_refused():
    with pytest.raises(ValueError, match="Input X contains NaN"):
        RMBoostClassifier().fit(np.where(X20 == 3, np.nan, X20), Y20)
    with pytest.raises(ValueError, match="[Nn]egative"):
        RMBoostClassifier().fit(X20, Y20, np.arange(20) - 1)
    with pytest.raises(InputError, match="only one class"):
        RMBoostClassifier().fit(X20, Y20, Y20)


def test_missing_highspy_is_named(monkeypatch):
    find = builtins.__import__
    monkeypatch.setattr(
        builtins, "__import__", lambda name, *a, **k: find("no_highspy" if name == "highspy" else name, *a, **k)
    )
    RMBoostClassifier(n_estimators=2).fit(X20, Y20)
    with pytest.raises(InputError, match="need the package highspy"):
        RMBoostClassifier(lp_solution="vertex").fit(X20, Y20)


def test_a_failed_program_names_the_round(monkeypatch):
    class Failing(column_generation.Record):
        def solved(self, program, name):
            if len(self.rules) == 3:
                program.solve = lambda: (_ for _ in ()).throw(SolverError("status kUnknown"))
            return super().solved(program, name)

    monkeypatch.setattr(column_generation, "Record", Failing)
    X, y = problem(9)
    with pytest.raises(
        SolverError, match="RMBoostClassifier, round 3: status kUnknown; try another lp_solution or tol"
    ):
        RMBoostClassifier(random_state=0).fit(X, y)

"""Golden fits of boosters by linear programs."""

from functools import partial

import numpy as np
from golden import tables
from golden.cases import Case, nodes, outputs
from golden.tables import counts, normal, shares
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from ironbark import LPBoostClassifier, RMBoostClassifier, RobustDecisionTreeClassifier, RobustRandomForestClassifier

VECTORS = ("mu_", "weights_", "edges_", "lp_iterations_", "risks_", "minimax_risk_", "lam_", "margins_")
VECTORS += ("sample_weights_",)


table = partial(tables.table, n=60)


def grid():
    """Few distinct samples, so that rules agree on many of them."""
    X, y = normal(80, noise=0.3)
    return np.round(X[:, :2]), y, {}


def separable(n=40):
    X = np.arange(float(n))[:, None]
    return X, (X[:, 0] > n // 2).astype(int), {}


def one_of_many(n=30):
    """One sample of the second class, which few bootstrap samples hold."""
    return np.arange(float(n))[:, None], (np.arange(n) == 11).astype(int), {}


def kept(model, X):
    """Rules, coefficients of every round, duals, risks, scores of every round."""
    trees = [tree for rule in model.estimators_ if (tree := getattr(rule, "tree_", None)) is not None]
    found = {"trees": [array for tree in trees for array in nodes(tree, ("children_left", "feature", "threshold"))]}
    found["program"] = [np.asarray(getattr(model, name)) for name in VECTORS if hasattr(model, name)]
    found["program"] += [*model.mu_path_, np.array([model.stop_reason_])]
    found["stages"] = list(model.staged_decision_function(X))
    return found | outputs(model, X)


def with_importances(model, X):
    return kept(model, X) | {"importances": [model.feature_importances_]}


def cases():
    central = partial(RMBoostClassifier, n_estimators=12, random_state=0)
    vertex = partial(central, lp_solution="vertex")
    for base in ("bootstrap", "weighted"):
        for way, model in {
            "central": central,
            "vertex, primal": vertex,
            "symmetric": partial(central, symmetric_duals=True),
            "vertex, symmetric": partial(vertex, symmetric_duals=True),
        }.items():
            own = partial(model, base=base)
            yield f"RMBoost, {way}, {base}", Case(table, own, with_importances)
            yield f"RMBoost, {way}, {base}, grid", Case(grid, own, kept)
    for name, params in {
        "larger lam": {"lam": 0.3},
        "smaller lam": {"lam": 0.02, "max_leaf_nodes": 3, "n_estimators": 25},
        "tight": {"tol": 2e-5},
        "no redraws": {"redraws": 0, "n_estimators": 20},
        "recorded": {"record_weights": True},
    }.items():
        yield f"RMBoost, {name}", Case(table, partial(central, **params), kept)
        yield f"RMBoost, vertex, {name}", Case(table, partial(vertex, **params), kept)
    yield "RMBoost, no edge", Case(table, partial(central, lam=1.0), with_importances)
    yield "RMBoost, weights", Case(partial(table, weights=shares), central, kept)
    yield "RMBoost, counts", Case(partial(table, weights=counts), vertex, kept)
    yield "RMBoost, separable", Case(separable, central, kept)
    yield "RMBoost, one of many", Case(one_of_many, partial(central, lam=0.01), with_importances)


def of_rules():
    """RMBoost of other classifiers."""
    central = partial(RMBoostClassifier, n_estimators=12, random_state=0)
    rules = {
        "shallow tree": RobustDecisionTreeClassifier(max_depth=2, ccp_alpha=0.0),
        "tree of all samples once": RobustDecisionTreeClassifier(min_samples_split=20, ccp_alpha=0.0),
        "tree of balanced classes": RobustDecisionTreeClassifier(max_depth=2, class_weight="balanced", ccp_alpha=0.0),
        "small whole forest": RobustRandomForestClassifier(3, ccp_alpha=0.0),
        "scikit-learn's tree": DecisionTreeClassifier(max_depth=1),
        "tree by a share": DecisionTreeClassifier(min_samples_split=0.2),
    }
    for name, rule in rules.items():
        for base in ("bootstrap", "weighted"):
            model = partial(central, rule, base=base, n_estimators=5)
            yield f"RMBoost of a {name}, {base}", Case(table, model, with_importances)
    yield "RMBoost of a linear rule", Case(table, partial(central, LogisticRegression()), kept)


def of_margins():
    """LPBoost."""
    lp = partial(LPBoostClassifier, n_estimators=12, random_state=0)
    for base in ("bootstrap", "weighted"):
        for margin in ("soft", "hard"):
            own = partial(lp, margin=margin, base=base)
            yield f"LPBoost, {margin}, {base}", Case(table, own, with_importances)
            yield f"LPBoost, {margin}, {base}, separable", Case(separable, own, kept)
            yield f"LPBoost, {margin}, {base}, grid", Case(grid, own, kept)
    for nu in (0.05, 0.5, 1.0):
        yield f"LPBoost, nu={nu}", Case(table, partial(lp, nu=nu), kept)
    yield "LPBoost, precise", Case(table, partial(lp, precision=0.2, record_weights=True), kept)
    yield "LPBoost, weights", Case(partial(table, weights=shares), lp, kept)


CASES = {**dict(cases()), **dict(of_rules()), **dict(of_margins())}

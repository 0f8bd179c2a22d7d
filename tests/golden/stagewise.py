"""Golden fits of stage-wise boosters but AdaBoost."""

from functools import partial

import numpy as np
from golden import tables
from golden.cases import Case, nodes, outputs
from golden.tables import shares

import ironbark
from ironbark.boosting.stagewise.potential_step import Bracketed

BINARY = ("BrownBoost", "GentleBoost", "LogitBoost", "RobustBoost")
NODES = ("children_left", "feature", "threshold", "means", "value")
VECTORS = ("steps_", "decays_", "estimator_weights_", "estimator_errors_", "times_", "remaining_", "sample_weights_")


table = partial(tables.table, n=120)


def threshold(n=40):
    """One feature that separates the classes."""
    X = np.arange(float(n))[:, None]
    return X, (X[:, 0] > n // 3).astype(int), {}


def chance():
    """Labels that no split of the only feature tells anything of."""
    return np.repeat(np.arange(4.0), 8)[:, None], np.tile([0, 1], 16), {}


def constant(n=30):
    """A feature that is constant, and a majority."""
    return np.ones((n, 1)), (np.arange(n) % 3 == 0).astype(int), {}


def kept(model, X):
    """Trees, steps, weights, scores of every round, importances, reason to stop."""
    trees = [tree for row in model.estimators_ for tree in (row if isinstance(row, list) else [row])]
    found = {"trees": [array for tree in trees for array in nodes(getattr(tree, "tree_", tree), NODES)]}
    found["rounds"] = [np.asarray(getattr(model, name)) for name in VECTORS if hasattr(model, name)]
    found["stages"] = [np.asarray(stage) for stage in model.staged_decision_function(X)]
    found["about"] = [model.feature_importances_, np.array([model.stop_reason_])]
    if hasattr(model, "validation_loss_"):
        found["choice"] = [model.validation_loss_, np.array([model.n_estimators_])]
    return found | outputs(model, X)


def of_any(kind):
    """Cases that all boosters of two classes have."""
    model = partial(kind, n_estimators=12, random_state=2)
    yield "plain", Case(table, model, kept)
    more = partial(model, record_weights=True, max_leaf_nodes=4, min_samples_split=5)
    yield "weights", Case(partial(table, weights=shares, text=True), more, kept)
    yield "stumps", Case(partial(table, noise=0.4), partial(model, max_leaf_nodes=2), kept)
    yield "one separating split", Case(threshold, partial(model, record_weights=True), kept)
    yield "chance", Case(chance, partial(model, record_weights=True), kept)
    yield "constant", Case(constant, model, kept)
    yield "few samples", Case(partial(table, n=8), partial(model, min_samples_split=10), kept)


def cases():
    for name in BINARY:
        for case, fit in of_any(getattr(ironbark, f"{name}Classifier")):
            yield f"{name}, {case}", fit
    slow = partial(ironbark.LogitBoostClassifier, n_estimators=8, learning_rate=0.3, random_state=0)
    yield "LogitBoostClassifier, learning rate", Case(table, slow, kept)
    for n_classes in (2, 3):
        rows = partial(table, n_classes=n_classes)
        model = partial(ironbark.LogitBoostClassifier, n_estimators=6, random_state=0)
        yield f"LogitBoost, {n_classes} classes", Case(rows, partial(model, record_weights=True), kept)
        chosen = partial(model, validation_fraction=0.3)
        yield f"LogitBoost, {n_classes} classes, rounds chosen", Case(rows, chosen, kept)
        weighted = partial(table, n_classes=n_classes, weights=shares)
        yield f"LogitBoost, {n_classes} classes, rounds chosen, weights", Case(weighted, chosen, kept)
    yield "LogitBoost, many rounds", Case(threshold, partial(ironbark.LogitBoostClassifier, n_estimators=60), kept)
    stuck = partial(ironbark.RobustBoostClassifier, 0.001, n_estimators=60, max_leaf_nodes=2, random_state=0)
    yield "RobustBoost, no positive step", Case(partial(table, n=40, d=2, seed=5, noise=0.05), stuck, kept)
    for noise in (0.05, 0.3):
        rows = partial(table, noise=noise, n=80)
        for c in (0.1, 1.0, 60.0):
            model = partial(ironbark.BrownBoostClassifier, c, n_estimators=40)
            yield f"BrownBoost, c={c}, noise {noise}", Case(rows, model, kept)
        for goal, margin, width in ((0.02, 0.0, 0.1), (0.1, 0.5, 0.1), (0.3, 0.0, 1e-3), (0.5, 0.2, 2.0)):
            model = partial(ironbark.RobustBoostClassifier, goal, margin, width, n_estimators=40)
            name = f"RobustBoost, goal {goal}, margin {margin}, width {width}, noise {noise}"
            yield name, Case(rows, model, kept)


def steps():
    """Searches of `potential_step` that fits reach seldom: potentials of few samples, of any shape."""
    found = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        centre, width = rng.normal(0, 2, 5), 10.0 ** rng.uniform(-2, 1)
        agrees = np.where(rng.random(5) < rng.uniform(0.3, 0.9), 1.0, -1.0)
        drift = rng.choice([1.0, 0.0, -1.0, 0.1])

        def potential(size, time, most=np.inf, centre=centre, width=width, agrees=agrees, drift=drift):
            return float(np.mean(1 / (1 + np.exp((centre + size * agrees - drift * time) / width))))

        def correlation(size, time, centre=centre, width=width, agrees=agrees, drift=drift):
            z = np.exp(-np.abs((centre + size * agrees - drift * time) / width))
            return float(np.dot(z / (1 + z) ** 2, agrees))

        search = Bracketed(rng.choice([0.1, 1.0, 4.0]))
        for left in (1.0, 0.3):
            step = search.step(potential, correlation, left)
            found.append(np.full(3, np.nan) if step is None else np.array(step, np.float64))
    return {"steps": found}


CASES = {**dict(cases()), "steps of potentials": steps}

"""Golden fits of losses for XGBoost and LightGBM."""

from functools import partial

import lightgbm
import numpy as np
from golden import tables
from golden.cases import Case, outputs
from golden.tables import shares
from scipy.sparse import csr_matrix

from ironbark import QuadraticXGBClassifier, RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt.losses.definitions import LOSSES
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.pipeline.diagnostics.authors_gradient import AuthorsGradientXGBClassifier

KINDS = {"XGB": RobustXGBClassifier, "LGBM": RobustLGBMClassifier}
OWN = {"XGB": {"max_depth": 3}, "LGBM": {"verbose": -1, "min_child_samples": 5, "num_leaves": 7}}
VALUES = ({}, {"r": 0.0, "q": 0.0}, {"r": 2.0, "q": 0.7}, {"r": 1.0, "a": 0.1, "b": 2.0})


table = partial(tables.table, n=120)


def with_more(data, **more):
    """The data with further arguments of `fit`."""

    def made():
        X, y, options = data()
        return X, y, options | more

    return made


def held(**options):
    """Features and labels of an evaluation set."""
    return table(**options, seed=9)[:2]


def kept(model, X):
    found = outputs(model, X)
    found["scores"] = [np.asarray(model.predict(X, **_raw(model)))]
    found["rounds"] = [np.array([model.n_estimators_])]
    if hasattr(model, "validation_loss_"):
        found["choice"] = [model.validation_loss_]
    return found


def with_metrics(model, X):
    results = getattr(model, "evals_result_", None) or model.evals_result()
    return kept(model, X) | {"metrics": [np.array(one) for sets in results.values() for one in sets.values()]}


def _raw(model):
    return {"output_margin": True} if isinstance(model, RobustXGBClassifier) else {"raw_score": True}


def derivatives(losses):
    """Values and derivatives of `losses` of a number of classes, at scores of all sizes."""
    rng, found = np.random.default_rng(4), {}
    for n_classes in (2, 3, 5):
        scores = 10.0 ** rng.uniform(-3, 3, (200, n_classes)) * rng.choice([-1, 1], (200, n_classes))
        scores[:10], scores[10:13] = 0.0, 800.0
        scores = scores[:, 0] if n_classes == 2 else scores
        y = rng.integers(0, n_classes, 200)
        for loss in losses(n_classes):
            name = f"{loss.name}, {n_classes} classes"
            for typed in (scores, np.asfortranarray(scores)):
                found.setdefault(name, []).extend([*loss.derivatives(y, typed), loss.values(y, typed)])
    return found


def _losses(n_classes):  # noqa: ARG001 - those of `corrected_losses` take a matrix
    for name in LOSSES:
        for multi in ("softmax", "ovr"):
            yield from (BoostingLoss(name, multi, **values) for values in VALUES)


def of_losses():
    for library, kind in KINDS.items():
        model = partial(kind, n_estimators=8, **OWN[library])
        for name in LOSSES:
            for n_classes in (2, 3):
                own = partial(model, loss=name)
                if name in ("mean_absolute_error", "normalized_cross_entropy"):
                    own = partial(own, **({"base_score": 0.7} if library == "XGB" and n_classes == 2 else {}))
                    if library == "LGBM" or n_classes == 3:
                        continue  # no curvature where boosting starts
                yield f"{library}, {name}, {n_classes} classes", Case(partial(table, n_classes=n_classes), own, kept)
        for r, q in ((0.0, 0.0), (1.0, 0.0), (0.0, 0.6)):
            yield f"{library}, r={r}, q={q}", Case(table, partial(model, r, q), kept)
        soft = partial(model, 0.1, 0.1, multi="softmax")
        yield f"{library}, softmax", Case(partial(table, n_classes=3), soft, kept)


def of_uses():
    """Weights, forms of features, rounds that are chosen, and weights of classes, of both libraries."""
    for library, kind in KINDS.items():
        model = partial(kind, n_estimators=8, **OWN[library])
        for n_classes in (2, 3):
            place, rows = f"{library}, {n_classes} classes", partial(table, n_classes=n_classes)
            weighted, scaled = partial(rows, weights=shares), {"scale_pos_weight": 2.0}
            chosen = partial(model, validation_fraction=0.25, random_state=3)
            for name, data, own in (
                ("weights", weighted, model),
                ("gaps and texts", partial(rows, gaps=True, text=True), model),
                ("sparse", partial(rows, as_=csr_matrix), model),
                ("scaled", rows, partial(model, **scaled)),
                ("rounds chosen", rows, chosen),
                ("rounds chosen, weights", weighted, chosen),
                ("rounds chosen, sparse", partial(rows, as_=lambda X: csr_matrix(X).tocoo()), chosen),
                ("rounds chosen, scaled", weighted, partial(chosen, **scaled)),
            ):
                yield f"{place}, {name}", Case(data, own, kept)


def of_metrics():
    """Metrics of evaluation sets."""
    log_loss = {2: "logloss", 3: "merror"}
    for n_classes in (2, 3):
        rows = partial(table, n_classes=n_classes)
        sets = partial(with_more, rows, eval_set=[held(n_classes=n_classes)])
        several, third = [log_loss[n_classes], "robust_loss"], "mlogloss" if n_classes == 3 else None
        for metric in ("robust_loss", several, third, None):
            model = partial(RobustXGBClassifier, n_estimators=5, eval_metric=metric)
            yield f"XGB, {n_classes} classes, metric {metric}", Case(sets(verbose=False), model, with_metrics)
        own = partial(RobustXGBClassifier, n_estimators=5, eval_metric=_brier)
        yield f"XGB, {n_classes} classes, custom metric", Case(sets(verbose=False), own, with_metrics)
        quiet = partial(RobustLGBMClassifier, n_estimators=5, **OWN["LGBM"])
        for metric in ("robust_loss", ["logloss,error", "robust_loss"], None):
            asked = sets(eval_metric=metric)
            yield f"LGBM, {n_classes} classes, metric {metric}", Case(asked, quiet, with_metrics)
        asked = sets(eval_metric=lambda y, p: ("brier", _brier(y, p), False))
        yield f"LGBM, {n_classes} classes, custom metric", Case(asked, quiet, with_metrics)
    (X, y), (X_held, y_held) = table()[:2], held()
    apart = with_more(table, eval_X=X_held, eval_y=y_held)
    more = with_more(table, eval_X=(X_held, X), eval_y=(y_held, y))
    yield "LGBM, sets apart", Case(apart, partial(quiet, metric="auc"), with_metrics)
    yield "LGBM, several sets apart", Case(more, partial(quiet, metric="none"), kept)
    yield "LGBM, one pair", Case(with_more(table, eval_set=held()), quiet, with_metrics)


def of_starts():
    """Scores to start from, other boosters, models without a split, and models that diverge."""
    xgb = partial(RobustXGBClassifier, n_estimators=5)
    lgbm = partial(RobustLGBMClassifier, n_estimators=5, **OWN["LGBM"])
    linear = {"booster": "gblinear", "updater": "coord_descent"}
    logged = with_more(table, callbacks=[lightgbm.log_evaluation(0)])
    wild = partial(xgb, 2.0, 0.9, multi="softmax", learning_rate=3.0)
    yield "XGB, scores given", Case(with_more(table, base_margin=np.linspace(-1, 1, 120)), xgb, kept)
    yield "XGB, a higher start", Case(table, partial(xgb, base_score=0.6), kept)
    yield "XGB, linear", Case(table, partial(xgb, **linear), kept)
    yield "XGB, no splits", Case(table, partial(xgb, min_child_weight=1000), kept)
    yield "XGB, diverging", Case(partial(table, n_classes=3), wild, kept)
    yield "XGB, diverging, 2 classes", Case(table, partial(xgb, 0.0, 0.0, learning_rate=30.0), kept)
    yield "LGBM, scores given", Case(with_more(table, init_score=np.linspace(-1, 1, 120)), lgbm, kept)
    yield "LGBM, unbalanced", Case(table, partial(lgbm, is_unbalance=True), kept)
    yield "LGBM, no splits", Case(table, partial(lgbm, min_child_samples=1000), kept)
    yield "LGBM, class weights", Case(table, partial(lgbm, class_weight="balanced"), kept)
    yield "LGBM, rounds chosen, callbacks", Case(logged, partial(lgbm, validation_fraction=0.2), kept)
    by_state = partial(lgbm, validation_fraction=0.2, random_state=np.random.RandomState(1))
    yield "LGBM, rounds chosen, random state", Case(table, by_state, kept)
    for r, q in ((0.5, 0.3), (0.0, 0.3), (0.5, 0.0), (0.1, 0.6)):
        for weights in (None, shares):
            model = partial(AuthorsGradientXGBClassifier, r, q, n_estimators=5, max_depth=3)
            rows = partial(table, n_classes=3, weights=weights)
            yield f"authors' gradient, r={r}, q={q}, {weights is not None}", Case(rows, model, kept)
    for n in (10, 120):
        for weights in (None, shares):
            rows, model = partial(table, n=n, weights=weights), partial(QuadraticXGBClassifier, 6, gamma=0.1)
            yield f"quadratic, {n} samples, {weights is not None}", Case(rows, model, quadratic)


def quadratic(model, X):
    stages = list(model.staged_decision_function(X))
    return outputs(model, X) | {"stages": stages, "importances": [model.feature_importances_]}


def _brier(y, p):
    return float(np.mean((p if p.ndim == 1 else p[np.arange(len(y)), y.astype(int)]) ** 2))


CASES = {"derivatives": partial(derivatives, _losses), **dict(of_losses()), **dict(of_uses()), **dict(of_metrics())}
CASES |= dict(of_starts())

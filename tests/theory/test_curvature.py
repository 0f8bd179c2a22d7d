"""Robust-GBDT: where a loss has to be convex so that trees can grow.

H is the second derivative of a loss by the score, as a function of the predicted probability p of the label.

Luo et al. (2024), Robust-GBDT, arXiv:2310.05067v2: Theorems 1 to 3, section 3.3.
"""

import numpy as np
import pytest
import xgboost
from scipy.special import expit
from theory.cases import at_most

from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.pipeline.figures.losses import curvature

UPPER = np.linspace(0.5, 0.999, 500)
SCORES = np.linspace(-6, 6, 241)

#: Losses that the paper says conform: name -> parameters from rng, at and within the ends that the conditions leave.
CONFORMING = {
    "robust_focal": lambda rng: {"r": rng.choice([0, rng.uniform(0, 1), rng.uniform(1, 8)]), "q": rng.uniform(0, 0.99)},
    "generalized_cross_entropy": lambda rng: {"q": rng.uniform(0, 0.99)},
    "symmetric_cross_entropy": lambda rng: {"a": rng.uniform(0.01, 3), "b": rng.uniform(0, 3)},
    "cross_entropy": lambda rng: {},
}

#: Losses without curvature at p = 1/2.
CENTRAL = ("mean_absolute_error", "normalized_cross_entropy")

#: All of them -> parameters from rng.
DRAWN = CONFORMING | dict.fromkeys(CENTRAL, lambda rng: {})


def leaves_of(loss, X, y, *, n_classes=2, max_depth=2, min_child_weight=1.0):
    """Samples of each leaf of a tree that XGBoost grows without penalties; of more classes, leaves of each tree.
    `ironbark.RobustXGBClassifier` refuses losses without curvature at its start, hence not by it.
    """
    columns = n_classes if n_classes > 2 else 1
    options = {"max_depth": max_depth, "min_child_weight": min_child_weight, "lambda": 0.0, "nthread": 1}
    options |= {"base_score": 0.0, "disable_default_eval_metric": True, "tree_method": "exact"}
    if columns > 1:
        options |= {"num_class": n_classes, "objective": "multi:softprob"}
    booster = xgboost.train(options, xgboost.DMatrix(X, y), 1, obj=lambda scores, data: loss.derivatives(y, scores))
    leaves = booster.predict(xgboost.DMatrix(X), pred_leaf=True).reshape(len(y), columns).T
    sizes = [np.unique(column, return_counts=True)[1].tolist() for column in leaves]
    return list(map(len, sizes)) if columns > 1 else sizes[0]


def _described(name, params):
    return f"{name}({', '.join(f'{key} = {value:.2f}' for key, value in params.items())})"


@at_most()
def test_conforming(rng):
    """RGBDT, section 3.3: conforming losses.
    RFL, GCE (q < 1) and SCE (a > 0) have H > 0 on [1/2, 1); MAE and NCE have H(1 - p) = -H(p).
    """
    for name, draw in CONFORMING.items():
        for _ in range(60):
            params = draw(rng)
            yield curvature(name, UPPER, **params).min() <= 0, _described(name, params)
    for name in CENTRAL:
        forth, back = curvature(name, UPPER), curvature(name, 1 - UPPER)
        yield abs(forth[0]) > 1e-12 or np.abs(forth + back).max() > 1e-12, name


@at_most()
def test_necessary_at_the_start(rng):
    """RGBDT, Theorem 1 at p = 1/2.
    From score 0, n H(1/2) of each first leaf of n samples reaches min_child_weight.
    """
    for name, draw in DRAWN.items():
        for least in (0.001, 1.0, 8.0):
            params = draw(rng)
            X = np.arange(60.0)[:, None]
            y = (X[:, 0] >= 30).astype(int)
            sizes = leaves_of(BoostingLoss(name, **params), X, y, max_depth=3, min_child_weight=least)
            middle = float(curvature(name, np.array([0.5]), **params)[0])
            about = f"{_described(name, params)}, least sum {least}: leaves of {sizes}"
            if len(sizes) == 1:  # the best split has 30 samples on either side
                yield 30 * middle >= 1.000001 * least, about
            else:
                yield min(sizes) * middle < 0.999999 * least, about


@at_most(1e-12)
def test_in_scores(rng):
    """RGBDT, Theorem 2.
    The condition of Theorem 1 is h > 0 for z >= 0 (label 1) and z <= 0 (label 0).
    """
    for name, draw in DRAWN.items():
        for _ in range(10):
            params = draw(rng)
            loss = BoostingLoss(name, **params)
            one = loss.derivatives(np.ones(len(SCORES)), SCORES)[1]
            zero = loss.derivatives(np.zeros(len(SCORES)), -SCORES)[1]
            far = np.abs([one - zero, one - curvature(name, expit(SCORES), **params)]).max()
            low = name in CONFORMING and one[SCORES >= 0].min() <= 0
            yield float(np.inf if low else far), _described(name, params)


@at_most(1e-12)
def test_one_against_the_rest(rng):
    """RGBDT, Theorem 3, one-vs-rest.
    h > 0 for z_k >= 0 (label k) and z_j <= 0 (the others).
    """
    for k in (3, 5, 10):
        for _ in range(10):
            params = CONFORMING["robust_focal"](rng)
            scores = rng.normal(0, 2, (50 * k, k))
            y = np.arange(len(scores)) % k
            hessian = BoostingLoss("robust_focal", "ovr", **params).derivatives(y, scores)[1]
            own = y[:, None] == np.arange(k)
            asked = hessian[np.where(own, scores >= 0, scores <= 0)].min()
            two = curvature("robust_focal", expit(np.where(own, scores, -scores)).ravel(), **params)
            far = np.abs(hessian.ravel() - two).max()
            yield float(far if asked > 0 else np.inf), f"K = {k}, {_described('robust_focal', params)}"


@pytest.mark.parametrize("k", [5, 6, 10])
def test_softmax(rng, k):
    """RGBDT, Theorem 3, refuted for softmax.
    The authors' code uses it: RFL splits at score 0, where H <= 0.
    """
    loss = BoostingLoss("robust_focal", "softmax", r=0.5, q=0.3)
    y = np.arange(40 * k) % k
    X = y[:, None] + rng.normal(0, 0.4, (len(y), 1))
    assert loss.derivatives(np.zeros(1), np.zeros((1, k)))[1][0, 0] <= 0
    leaves = leaves_of(loss, X, y, n_classes=k, min_child_weight=0.1)
    assert max(leaves) > 1

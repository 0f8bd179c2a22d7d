"""Statements of the Robust-GBDT paper: where a loss has to be convex so that trees can grow.

H is the second derivative of a loss by the score, as a function of the predicted probability p of the label.

References
----------
Luo et al. (2024), Robust-GBDT, arXiv:2310.05067v2: Theorems 1 to 3, section 3.3, Appendix A.
"""

import numpy as np
from scipy.special import expit, logit

from ironbark.boosting.gbdt.losses.evaluation import BoostingLoss
from ironbark.pipeline.theory.loss_curvature import curvature
from ironbark.pipeline.theory.newton_trees import Dented, leaves_of_rounds
from ironbark.pipeline.theory.statements.statement import Statement, of_cases, tightest

UPPER = np.linspace(0.5, 0.999, 500)

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


def _described(name, params):
    return f"{name}({', '.join(f'{key} = {value:.2f}' for key, value in params.items())})"


@of_cases
def _counted(found):
    """Cases, contradictions, and the first of them."""
    contradictions = [about for wrong, about in found if wrong]
    return len(found), float(len(contradictions)), contradictions[0] if contradictions else ""


@_counted
def conforming(rng):
    """Losses with H <= 0 somewhere from 1/2 on, or with curvature at 1/2 where there should be none."""
    for name, draw in CONFORMING.items():
        for _ in range(60):
            params = draw(rng)
            yield curvature(name, UPPER, **params).min() <= 0, _described(name, params)
    for name in CENTRAL:
        forth, back = curvature(name, UPPER), curvature(name, 1 - UPPER)
        yield abs(forth[0]) > 1e-12 or np.abs(forth + back).max() > 1e-12, name


@_counted
def necessary_everywhere(rng):
    """Losses that break Theorem 1 from p = 1/2 on, and whose trees split all the same."""
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + rng.normal(0, 0.7, 300) > 0).astype(int)
    for centre in (1.0, 1.5, 2.0):
        loss = Dented(centre)
        lowest = float(loss.curvature(logit(UPPER)).min())
        leaves = leaves_of_rounds(loss, X, y, rounds=40)
        grown = sum(len(sizes) > 1 for sizes in leaves)
        about = f"log loss with a dent at p = {expit(centre):.2f}, H down to {lowest:.2f}: {grown} of 40 trees split"
        yield lowest < 0 and grown == 40, about
    late = (X[:, 0] > 0) | (rng.random(300) < 0.6)  # most labels are 1 on either side
    leaves = leaves_of_rounds(BoostingLoss("mean_absolute_error"), X, late.astype(int), start=1.0)
    about = f"MAE from score 1: the first tree has {len(leaves[0])} leaves"
    yield len(leaves[0]) > 1, about


@_counted
def necessary_at_the_start(rng):
    """First trees from score 0: leaves whose sum of H(1/2) is below the least one, and stumps that are refused."""
    for name, draw in DRAWN.items():
        for least in (0.001, 1.0, 8.0):
            params = draw(rng)
            X = np.arange(60.0)[:, None]
            y = (X[:, 0] >= 30).astype(int)
            (sizes,) = leaves_of_rounds(BoostingLoss(name, **params), X, y, max_depth=3, min_child_weight=least)
            middle = float(curvature(name, np.array([0.5]), **params)[0])
            about = f"{_described(name, params)}, least sum {least}: leaves of {sizes}"
            if len(sizes) == 1:  # the best split has 30 samples on either side
                yield 30 * middle >= 1.000001 * least, about
            else:
                yield min(sizes) * middle < 0.999999 * least, about


SCORES = np.linspace(-6, 6, 241)


@tightest
def in_scores(rng):
    """H of label 1 at z, label 0 at -z and p = S(z); and the sign of the conforming losses."""
    for name, draw in DRAWN.items():
        for _ in range(10):
            params = draw(rng)
            loss = BoostingLoss(name, **params)
            one = loss.derivatives(np.ones(len(SCORES)), SCORES)[1]
            zero = loss.derivatives(np.zeros(len(SCORES)), -SCORES)[1]
            far = np.abs([one - zero, one - curvature(name, expit(SCORES), **params)]).max()
            low = name in CONFORMING and one[SCORES >= 0].min() <= 0
            yield float(np.inf if low else far), _described(name, params)


@tightest
def one_against_the_rest(rng):
    """H of each class is that of two classes, and is above 0 where Theorem 3 asks for it."""
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


@_counted
def softmax(rng):
    """Numbers of classes for which the default robust focal loss breaks Theorem 3 at score 0, and trees split."""
    loss = BoostingLoss("robust_focal", "softmax", r=0.5, q=0.3)
    for k in (3, 4, 5, 6, 10):
        y = np.arange(40 * k) % k
        X = y[:, None] + rng.normal(0, 0.4, (len(y), 1))
        at_zero = float(loss.derivatives(np.zeros(1), np.zeros((1, k)))[1][0, 0])
        (sizes,) = leaves_of_rounds(loss, X, y, n_classes=k, min_child_weight=0.1)
        about = f"r = 0.5, q = 0.3, K = {k}: H = {at_zero:.3f} at z = 0, and the first trees have {sizes} leaves"
        yield at_zero <= 0 and max(sizes) > 1, about


def gain(share, part, gradient, hessian, penalty):
    """Gain of a split where the left side has `share` of the gradients and `part` of the Hessians, times 2 / G^2."""
    left = share**2 / (part * hessian + penalty)
    right = (1 - share) ** 2 / ((1 - part) * hessian + penalty)
    return gradient**2 * (left + right - 1 / (hessian + penalty))


@tightest
def equal_shares(rng, penalty=0.0):
    """By how much the gain differs from 0 where both shares are the same, relative to G^2 / H."""
    for share, hessian in rng.uniform([0.05, 0.1], [0.95, 20], (200, 2)):
        difference = abs(gain(share, share, 1.0, hessian, penalty)) * hessian
        yield float(difference), f"share {share:.2f}, H = {hessian:.1f}: gain differs by {difference:.2g}"


STATEMENTS = (
    Statement(
        "G1a",
        "RGBDT, Theorem 1: a leaf can only split if H > 0 for all p in [1/2, 1)",
        "losses that break it, in XGBoost; models that split",
        necessary_everywhere,
        refuted=True,
    ),
    Statement(
        "G1b",
        "RGBDT, Theorem 1 at p = 1/2: a leaf of n samples in the first tree has n H(1/2) of at least the smallest sum",
        "first trees of 6 losses in XGBoost; contradictions",
        necessary_at_the_start,
        condition="boosting starts at score 0 and the smallest sum of Hessians is above 0",
    ),
    Statement(
        "G1c",
        "RGBDT, section 3.3: RFL, GCE and SCE have H > 0 on [1/2, 1); MAE and NCE have H(1 - p) = -H(p)",
        "random parameters, 500 values of p; contradictions",
        conforming,
        condition="q < 1 for GCE, and a > 0 for SCE",
    ),
    Statement(
        "G2",
        "RGBDT, Theorem 2: the condition of Theorem 1 is h > 0 for z >= 0 (label 1) and z <= 0 (label 0)",
        "Hessians of 6 losses by score against those by probability; largest difference",
        in_scores,
        1e-12,
    ),
    Statement(
        "G3a",
        "RGBDT, Theorem 3: with several classes it is z_k >= 0 for the label k and z_j <= 0 for the others",
        "Hessians of RFL of K = 3, 5, 10 against those of two classes; largest difference",
        one_against_the_rest,
        1e-12,
        condition="each class is boosted against the rest",
    ),
    Statement(
        "G3b",
        "RGBDT, Theorem 3 under softmax, which the authors' code uses",
        "RFL at score 0, K = 3 to 10, in XGBoost; contradictions",
        softmax,
        refuted=True,
    ),
    Statement(
        "G4",
        "RGBDT, Appendix A: a split whose sides have the same shares of gradients and Hessians has gain 0",
        "random shares and Hessians; largest gain, relative to G^2 / H",
        equal_shares,
        1e-9,
        condition="lambda = 0; otherwise the gain is below 0",
    ),
)

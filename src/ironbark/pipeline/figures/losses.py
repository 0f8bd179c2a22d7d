"""Losses and weights: second derivatives (Figure 1 of the Robust-GBDT paper), and how boosters weigh samples.

The paper does not say which parameters it draws; these are ours.
"""

import numpy as np
from scipy.special import erfinv, logit
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.boosting.minimax.lpboost import LPBoostClassifier
from ironbark.boosting.minimax.rmboost import RMBoostClassifier
from ironbark.boosting.stagewise import brownboost, gentleboost, logitboost, robustboost
from ironbark.boosting.stagewise.adaboost import AdaBoostClassifier
from ironbark.boosting.stagewise.brownboost import BrownBoostClassifier
from ironbark.boosting.stagewise.gentleboost import GentleBoostClassifier
from ironbark.boosting.stagewise.logitboost import LogitBoostClassifier
from ironbark.boosting.stagewise.robustboost import RobustBoostClassifier
from ironbark.pipeline.figures.style import GREY, finish, handle, legend, looks, new_figure

P = np.linspace(0.002, 0.998, 499)

#: Panel -> label -> name and parameters of a loss.
LOSSES = {
    "Losses": {
        "CCE": ("cross_entropy", {}),
        "MAE": ("mean_absolute_error", {}),
        "GCE, $q$ = 0.5": ("generalized_cross_entropy", {"q": 0.5}),
        "SCE, $a$ = $b$ = 1": ("symmetric_cross_entropy", {"a": 1.0, "b": 1.0}),
        "NCE": ("normalized_cross_entropy", {}),
    },
    "Robust focal loss": {
        f"$r$ = {r:g}, $q$ = {q:g}": ("robust_focal", {"r": r, "q": q})
        for r, q in ((0.0, 0.3), (0.5, 0.1), (0.5, 0.3), (0.5, 0.5), (1.0, 0.3))
    },
}


def curvature(name, p, **params):
    """Second derivative by the score of two classes, where the label has the predicted probability `p`."""
    _, hessian = BoostingLoss(name, **params).derivatives(np.ones(len(p)), logit(p), np.float64)
    return hessian


def loss_curvature(_, spec, context):
    """Draw a panel for each group of losses."""
    figure = new_figure(3.8 * len(LOSSES), 3.1)
    axes = figure.subplots(1, len(LOSSES), sharey=True)
    for axis, (panel, losses) in zip(axes, LOSSES.items(), strict=True):
        for (label, (name, params)), look in zip(losses.items(), looks(losses).values(), strict=True):
            values = curvature(name, P, **params)
            axis.plot(P, values, color=look.color, linestyle=look.linestyle, label=label, gid=label)
        axis.axhline(0, color=GREY, linewidth=0.8, zorder=1)
        axis.axvline(0.5, color=GREY, linewidth=0.8, linestyle=":", zorder=1)
        axis.set(title=panel, xlabel="Predicted probability of the label", xlim=(0, 1))
        axis.legend(loc="lower right", handlelength=3)
    axes[0].set_ylabel("Second derivative")
    return finish(figure, spec, context.note)


LOWEST, HIGHEST = 1e-3, 5e2
PHASES = {0.0: ("at first", "-"), 0.5: ("half-time", (0, (4, 1.5)))}  # share of the time that has passed -> line

GOAL = 0.05  # training error that BrownBoost and RobustBoost aim at
TIME = float(erfinv(1 - GOAL) ** 2)  # of BrownBoost
LAW = robustboost.Potential(GOAL)
TREES = {"max_leaf_nodes": 3, "n_estimators": 100, "random_state": 0}
RULES = {"estimator": DecisionTreeClassifier(max_leaf_nodes=3), "n_estimators": 100, "random_state": 0}
MARGINS = np.linspace(-4, 4, 401)

#: Title of a panel -> method -> booster, which has `record_weights` and `sample_weights_`.
BOOSTERS = {
    "One mislabelled sample": {
        "AdaBoost": AdaBoostClassifier(**TREES),
        "LogitBoost": LogitBoostClassifier(**TREES),
        "GentleBoost": GentleBoostClassifier(**TREES),
        "BrownBoost": BrownBoostClassifier(c=TIME, **TREES),
        "RobustBoost": RobustBoostClassifier(error_goal=GOAL, **TREES),
    },
    "The same by linear programs": {
        "RMBoost": RMBoostClassifier(**RULES),
        "RMBoost (vertex)": RMBoostClassifier(lp_solution="vertex", **RULES),
        "LPBoost": LPBoostClassifier(**RULES),
        "LPBoost (hard)": LPBoostClassifier(margin="hard", **RULES),
    },
}

#: Method, share of its time that has passed -> weight of a margin; for methods whose weights are functions of it.
WEIGHTS = {
    ("AdaBoost", 0.0): gentleboost.weight,
    ("LogitBoost", 0.0): logitboost.weight,
    ("GentleBoost", 0.0): gentleboost.weight,
    ("BrownBoost", 0.0): lambda margin: brownboost.weight(margin, TIME, TIME),
    ("BrownBoost", 0.5): lambda margin: brownboost.weight(margin, TIME / 2, TIME),
    ("RobustBoost", 0.0): lambda margin: LAW.weight(margin, 0.0),
    ("RobustBoost", 0.5): lambda margin: LAW.weight(margin, 0.5),
}


def disc(n=300, seed=0):
    """Points of a square, of class +1 inside a disc that covers half of it; the first, its centre, is mislabelled."""
    X = np.random.default_rng(seed).uniform(-1, 1, (n, 2))
    X[0] = 0
    y = np.where((X**2).sum(axis=1) < 2 / np.pi, 1, -1)
    y[0] = -1
    return X, y


def weights_along(booster):
    """Weight of the mislabelled sample of `disc` in each round, the mean weight being 1."""
    X, y = disc()
    weights = clone(booster).set_params(record_weights=True).fit(X, y).sample_weights_
    return np.abs(weights[:, 0]) * len(y)


def weight_reactions(_, spec, context):
    """Weights by margin on the left, weights of a mislabelled sample by round beside it; all logarithmic."""
    methods = dict.fromkeys(name for names in BOOSTERS.values() for name in names)
    styles = looks(methods)
    figure = new_figure(1.0 + 3.1 * (1 + len(BOOSTERS)), 3.1)
    first, *others = figure.subplots(1, 1 + len(BOOSTERS), sharey=True)
    _margins(first, styles)
    for axis, (title, boosters) in zip(others, BOOSTERS.items(), strict=True):
        for method, booster in boosters.items():
            values, look = shown(weights_along(booster)), styles[method]
            axis.plot(np.arange(1, len(values) + 1), values, color=look.color, linestyle=look.linestyle, gid=method)
            if len(values) < booster.n_estimators:
                axis.plot(len(values), max(values[-1], LOWEST), "o", color=look.color, clip_on=False, zorder=3)
        axis.set(title=title, xlabel="Round", xscale="log")
        axis.set_xticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"])
        axis.minorticks_off()
    others[0].set(ylabel="Weight / mean weight")
    others[0].plot([], [], "o", color="black", label="has ended")
    others[0].legend(loc="upper left", handlelength=1.0)
    first.set(yscale="log", ylim=(LOWEST, HIGHEST))
    legend(figure, [handle(styles[method], context.methods[method], marker="") for method in methods])
    return finish(figure, spec, context.note)


def _margins(axis, styles):
    for (method, passed), weight in WEIGHTS.items():
        width = 2.8 if method == "AdaBoost" else 1.3  # GentleBoost's line lies on it
        values = shown(weight(MARGINS) / weight(np.array(0.0)))
        axis.plot(MARGINS, values, color=styles[method].color, linestyle=PHASES[passed][1], linewidth=width)
    axis.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    axis.set(xlabel="Margin $yF(x)$", ylabel="Weight / weight of margin 0", title="A sample by its margin")
    for label, line in PHASES.values():
        axis.plot([], [], color="black", linestyle=line, label=label)
    axis.legend(loc="upper right", handlelength=2.2)


def shown(values):
    """Values that a logarithmic axis can take: what is below it goes to a tenth of its foot."""
    return np.maximum(np.asarray(values, float), LOWEST / 10)

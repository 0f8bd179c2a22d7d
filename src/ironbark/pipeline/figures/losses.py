"""Losses and weights: second derivatives (Figure 1 of the Robust-GBDT paper), and how boosters weigh samples.

The paper does not say which parameters it draws; these are ours.
"""

import numpy as np
import pandas as pd
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
from ironbark.pipeline.figures.style import GREY, finish, handle, looks, new_figure, styled

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


def _frame():
    """Columns panel, loss (label), p and curvature."""
    parts = [
        pd.DataFrame({"panel": panel, "loss": label, "p": P, "curvature": curvature(name, P, **params)})
        for panel, losses in LOSSES.items()
        for label, (name, params) in losses.items()
    ]
    return pd.concat(parts, ignore_index=True)


@styled
def loss_curvature(_, spec, context):
    """Draw a panel for each group of losses."""
    data = _frame()
    panels = dict.fromkeys(data["panel"])
    figure = new_figure(3.8 * len(panels), 3.1)
    for axis, panel in zip(figure.subplots(1, len(panels), squeeze=False, sharey=True)[0], panels, strict=True):
        own = data[data["panel"] == panel]
        for loss, look in looks(dict.fromkeys(own["loss"])).items():
            line = own[own["loss"] == loss]
            axis.plot(line["p"], line["curvature"], color=look.color, linestyle=look.linestyle, label=loss, gid=loss)
        axis.axhline(0, color=GREY, linewidth=0.8, zorder=1)
        axis.axvline(0.5, color=GREY, linewidth=0.8, linestyle=":", zorder=1)
        axis.set(title=panel, xlabel="Predicted probability of the label", xlim=(0, 1))
        axis.legend(loc="lower right", handlelength=3)
    figure.axes[0].set_ylabel("Second derivative")
    return finish(figure, spec, context.note)


LOWEST, HIGHEST = 1e-3, 5e2
PANELS = {"rounds": "Weight of one mislabelled sample", "programs": "The same by linear programs"}  # panel -> title
PHASES = {0.0: "-", 0.5: (0, (4, 1.5))}  # share of the time that has passed -> line

GOAL = 0.05  # training error that BrownBoost and RobustBoost aim at
TIME = float(erfinv(1 - GOAL) ** 2)  # of BrownBoost
LAW = robustboost.Potential(GOAL)
TREES = {"max_leaf_nodes": 3, "n_estimators": 100, "random_state": 0}
RULES = {"estimator": DecisionTreeClassifier(max_leaf_nodes=3), "n_estimators": 100, "random_state": 0}
MARGINS = np.linspace(-4, 4, 401)

#: Panel -> method -> booster, which has `record_weights` and `sample_weights_`.
BOOSTERS = {
    "rounds": {
        "AdaBoost": AdaBoostClassifier(**TREES),
        "LogitBoost": LogitBoostClassifier(**TREES),
        "GentleBoost": GentleBoostClassifier(**TREES),
        "BrownBoost": BrownBoostClassifier(c=TIME, **TREES),
        "RobustBoost": RobustBoostClassifier(error_goal=GOAL, **TREES),
    },
    "programs": {
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


def frame() -> pd.DataFrame:
    """All panels of the picture as one table."""
    parts = []
    for (method, passed), weight in WEIGHTS.items():
        values = weight(MARGINS) / weight(np.array(0.0))
        parts.append(pd.DataFrame({"panel": "margin", "method": method, "passed": passed, "x": MARGINS, "y": values}))
    for panel, boosters in BOOSTERS.items():
        for method, booster in boosters.items():
            parts.append(
                pd.DataFrame({"panel": panel, "method": method, "passed": np.nan, **along_the_rounds(booster)})
            )
    return pd.concat(parts, ignore_index=True)


def along_the_rounds(booster):
    """Columns x, y and ended of a booster's part of the table; see `frame`."""
    X, y = disc()
    weights = clone(booster).set_params(record_weights=True).fit(X, y).sample_weights_
    rounds = np.arange(1, len(weights) + 1.0)
    return {"x": rounds, "y": np.abs(weights[:, 0]) * len(y), "ended": len(weights) < booster.n_estimators}


@styled
def weight_reactions(_, spec, context):
    """Weights by margin on the left, weights of a mislabelled sample by round beside it; all logarithmic."""
    data = frame()
    methods = list(dict.fromkeys(data["method"]))
    styles = looks(methods)
    present = [panel for panel in PANELS if (data["panel"] == panel).any()]
    figure = new_figure(1.0 + 3.1 * (1 + len(present)), 3.3)
    first, *others = figure.subplots(1, 1 + len(present), sharey=True, squeeze=False)[0]
    _margins(first, data[data["panel"] == "margin"], styles)
    for axis, panel in zip(others, present, strict=True):
        _rounds(axis, data[data["panel"] == panel], styles)
        axis.set(title=PANELS[panel])
    if others:
        others[0].set(ylabel="Weight / mean weight")
        end = handle(next(iter(styles.values())), "has ended", linestyle="", marker="o", color="black")
        others[0].legend(handles=[end], loc="lower left", handlelength=1.0)
    first.set(yscale="log", ylim=(LOWEST, HIGHEST))
    entries = [handle(styles[method], context.methods[method], marker="", linestyle="-") for method in methods]
    rows = 1 + len(entries) // 7
    figure.legend(handles=entries, loc="outside lower center", ncols=-(-len(entries) // rows), handlelength=2.0)
    return finish(figure, spec, context.note)


def _margins(axis, data, styles):
    for (method, passed), part in data.groupby(["method", "passed"], sort=False):
        width = 2.8 if method == "AdaBoost" else 1.3  # GentleBoost's line lies on it
        color, name = styles[method].color, f"{method} {passed:g}"
        axis.plot(part["x"], shown(part["y"]), color=color, linestyle=PHASES[passed], linewidth=width, gid=name)
    axis.axvline(0, color="#999999", linewidth=0.8, zorder=0)
    axis.set(xlabel="Margin $yF(x)$", ylabel="Weight / weight of margin 0", title="Weight of a sample by its margin")
    look = next(iter(styles.values()))
    entries = [
        handle(look, label, marker="", color="black", linestyle=PHASES[passed], linewidth=1.3)
        for passed, label in ((0.0, "at first"), (0.5, "half-time"))
    ]
    axis.legend(handles=entries, loc="upper right", handlelength=2.2)


def _rounds(axis, data, styles):
    for method, part in data.groupby("method", sort=False):
        color, values = styles[method].color, shown(part["y"])
        axis.plot(part["x"], values, color=color, gid=method)
        if part["ended"].iloc[-1]:
            last = max(values[-1], LOWEST)
            axis.plot(part["x"].iloc[-1:], [last], "o", color=color, clip_on=False, zorder=3, gid=f"end of {method}")
    axis.set(xlabel="Round", xscale="log")
    axis.set_xticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"], minor=False)
    axis.minorticks_off()


def shown(values):
    """Values that a logarithmic axis can take: what is below it goes to a tenth of its foot."""
    return np.maximum(np.asarray(values, float), LOWEST / 10)

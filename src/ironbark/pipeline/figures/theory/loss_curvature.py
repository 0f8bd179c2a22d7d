"""Second derivatives of losses by the predicted probability of the label: Figure 1 of the Robust-GBDT paper.

The paper does not say which parameters it draws; these are ours.
"""

import numpy as np
import pandas as pd
from scipy.special import logit

from ironbark.boosting.gbdt.losses.evaluation import BoostingLoss
from ironbark.pipeline.figures.style import GREY, finish, looks, new_figure, styled

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


def frame():
    """Columns panel, loss (label), p and curvature."""
    parts = [
        pd.DataFrame({"panel": panel, "loss": label, "p": P, "curvature": curvature(name, P, **params)})
        for panel, losses in LOSSES.items()
        for label, (name, params) in losses.items()
    ]
    return pd.concat(parts, ignore_index=True)


@styled
def draw(_, spec, context):
    """Draw a panel for each group of losses."""
    data = frame()
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

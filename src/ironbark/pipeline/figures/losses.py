"""Second derivatives of losses, Figure 1 of the Robust-GBDT paper; the parameters are ours, as it does not name any."""

import numpy as np
from scipy.special import logit

from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.pipeline.figures.style import GREY, finish, looks, new_figure

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

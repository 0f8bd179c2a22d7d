"""Second derivatives of losses: Figure 1 of the Robust-GBDT paper."""

from ironbark.pipeline.figures.style import GREY, finish, looks, new_figure, styled


@styled
def draw(data, spec, context):
    """Draw a panel for each group of losses.

    Parameters
    ----------
    data : DataFrame
        Columns panel, loss, p and curvature; see `ironbark.pipeline.theory.loss_curvature.frame`.

    Returns
    -------
    matplotlib.figure.Figure
    """
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

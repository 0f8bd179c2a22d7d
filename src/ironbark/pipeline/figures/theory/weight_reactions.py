"""Sample weights of boosters: by margin, and of one mislabelled sample by round."""

import numpy as np

from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, styled

LOWEST, HIGHEST = 1e-3, 5e2
PANELS = {"rounds": "Weight of one mislabelled sample", "programs": "The same by linear programs"}  # panel -> title
PHASES = {0.0: "-", 0.5: (0, (4, 1.5))}  # share of the time that has passed -> line


@styled
def draw(data, spec, context):
    """Weights by margin on the left, weights of a mislabelled sample by round beside it; all logarithmic.

    Parameters
    ----------
    data : DataFrame
        Columns panel, method, passed, x, y, ended; see `ironbark.pipeline.theory.weight_reactions.frame`. Methods may
        be in some panels only, and panels of rounds without methods are left out.

    Returns
    -------
    matplotlib.figure.Figure
        Lines leave a panel of rounds at the foot where weights are zero. A dot ends the line of a booster that ended by
        itself.
    """
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

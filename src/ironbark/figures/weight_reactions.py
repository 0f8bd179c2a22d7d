"""How boosters weigh samples: by their margin, and one mislabelled sample along the rounds."""

import numpy as np

from ironbark.figures.style import finish, handle, looks, new_figure, styled

LOWEST, HIGHEST = 1e-3, 1e2
PHASES = {0.0: "-", 0.5: (0, (4, 1.5))}  # share of the time that has passed -> line


@styled
def draw(data, spec, labels, *, noise_labels, dataset_labels, caption_note=""):
    """Weights by margin on the left, weights of a mislabelled sample by round on the right; both logarithmic.

    Parameters
    ----------
    data : DataFrame
        Columns panel, method, passed, x, y, ended; see `ironbark.theory.weight_reactions.frame`. Methods may be in one
        panel only.
    spec : dict
        ``caption``.
    labels : dict
        Method -> display name.
    noise_labels, dataset_labels : dict
        Not used.
    caption_note : str

    Returns
    -------
    matplotlib.figure.Figure
        Lines leave the right panel at the foot where weights are zero. A dot ends the line of a booster that ended by
        itself.
    """
    methods = list(dict.fromkeys(data["method"]))
    styles = looks(methods)
    figure = new_figure(7.6, 3.2)
    left, right = figure.subplots(1, 2)
    _margins(left, data[data["panel"] == "margin"], styles)
    _rounds(right, data[data["panel"] == "rounds"], styles)
    for axis in (left, right):
        axis.set(yscale="log", ylim=(LOWEST, HIGHEST))
    entries = [handle(styles[method], labels.get(method, method), marker="", linestyle="-") for method in methods]
    figure.legend(handles=entries, loc="outside lower center", ncols=len(entries), handlelength=2.0)
    return finish(figure, spec, caption_note)


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
    axis.set(xlabel="Round", ylabel="Weight / mean weight", title="Weight of one mislabelled sample")
    axis.set_xscale("log")
    axis.set_xticks([1, 2, 5, 10, 20, 50, 100], ["1", "2", "5", "10", "20", "50", "100"], minor=False)
    axis.minorticks_off()
    end = handle(next(iter(styles.values())), "has ended", linestyle="", marker="o", color="black")
    axis.legend(handles=[end], loc="lower left", handlelength=1.0)


def shown(values):
    """Values that a logarithmic axis can take: what is below it goes to a tenth of its foot."""
    return np.maximum(np.asarray(values, float), LOWEST / 10)

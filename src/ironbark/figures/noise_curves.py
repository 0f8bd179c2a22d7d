"""Accuracy against the noise rate: one panel per data set, lines for uniform noise, points for the other noises."""

import itertools
import math

import numpy as np

from ironbark.analysis import metrics
from ironbark.analysis.collect import cells, order, select
from ironbark.errors import InputError
from ironbark.figures.style import GREY, finish, handle, looks, new_figure, panels, styled

SLOT = 0.15  # width of one point noise, in units of the rate when the line spans 0 to 0.4
SPAN = 0.4


@styled
def draw(rows, spec, labels, *, noise_labels, dataset_labels, caption_note=""):
    """Draw the cells of a table as curves with bands of two standard deviations.

    Parameters
    ----------
    rows : DataFrame
        Result rows, see `ironbark.records`.
    spec : dict
        Selection of `ironbark.analysis.collect.select`; ``metric`` (accuracy by default); ``line``, the noise model
        whose single rates make the line together with ``clean`` at 0 (uniform by default); ``columns`` of panels.
    labels, noise_labels, dataset_labels : dict
        Id -> display name; an id without a name is shown itself.
    caption_note : str

    Returns
    -------
    matplotlib.figure.Figure
        Noises other than the line's stand as points right of a thin separator, with bars of two standard deviations.
        Cells without a finished fit are left out and counted below the figure.

    Raises
    ------
    InputError
        If nothing is selected or the metric is unknown.
    """
    chosen = select(rows, spec)
    if chosen.empty:
        raise InputError(f"no result row is in figure {spec.get('id', '')!r}; check its datasets, methods and noises")
    metric = metrics.resolve(spec.get("metric", "accuracy"))
    gathered = cells(chosen, spec.get("metric", "accuracy"))
    datasets, methods, noises = order(gathered, spec)
    datasets = [dataset for dataset in datasets if dataset in set(gathered["dataset"])]
    methods = [method for method in methods if method in set(gathered["method"])]
    style = looks(methods)
    columns = min(len(datasets), spec.get("columns", 3))
    lines = math.ceil(len(datasets) / columns)
    figure = new_figure(2.0 + 2.7 * columns, 0.4 + max(2.4 * lines, 0.17 * len(methods) + 0.3))
    axes = panels(figure, len(datasets), columns)
    places = _places(gathered, noises, spec.get("line", "uniform"))
    for i, (axis, dataset) in enumerate(zip(axes, datasets, strict=True)):
        _panel(axis, gathered[gathered["dataset"] == dataset], style, places)
        axis.set_title(dataset_labels.get(dataset, dataset))
        _ticks(axis, places, noise_labels)
        if i % columns == 0:
            axis.set_ylabel(metric.name)
        if i + columns >= len(datasets):
            axis.set_xlabel("Noise rate" if any(on_line for _, on_line in places.values()) else "Noise")
    handles = [handle(look, labels.get(method, method)) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside right upper", handlelength=3)
    return finish(figure, spec, _left_out(gathered), caption_note)


def _places(gathered, noises, line):
    """Noise id -> (position, whether it is on the line), the line's by rate, the others side by side after it."""
    known = gathered.drop_duplicates("noise_id").set_index("noise_id")
    on_line = {}
    for noise in noises:
        if noise in known.index and known.loc[noise, "noise"] in ("clean", line):
            rate = known.loc[noise, "rate"]
            if rate.replace(".", "", 1).isdigit():
                on_line[noise] = float(rate)
    others = [noise for noise in noises if noise in known.index and noise not in on_line]
    scale = (max(on_line.values(), default=0) or SPAN) / SPAN
    start = max(on_line.values(), default=-SLOT * scale)
    places = {noise: (rate, True) for noise, rate in on_line.items()}
    for i, noise in enumerate(others):
        places[noise] = (start + (i + 1) * SLOT * scale, False)
    return places


def _panel(axis, gathered, style, places):
    slot = SLOT * max((x for x, on_line in places.values() if on_line), default=SPAN) / SPAN or SLOT
    for i, (method, look) in enumerate(style.items()):
        own = gathered[(gathered["method"] == method) & (gathered["n"] > 0)].set_index("noise_id")
        shift = slot * 0.8 * ((i + 0.5) / len(style) - 0.5)
        _line(axis, own.loc[[noise for noise in own.index if places[noise][1]]], look, places)
        points = own.loc[[noise for noise in own.index if not places[noise][1]]]
        if len(points):
            x = [places[noise][0] + shift for noise in points.index]
            bars = 2 * points["sd"].fillna(0)
            axis.errorbar(x, points["mean"], bars, color=look.color, marker=look.marker, linestyle="none", capsize=1.5,
                          elinewidth=0.9, markersize=3.6)  # fmt: skip


def _line(axis, own, look, places):
    """Line and band of one method; a rate without a finished fit is a gap."""
    rates = sorted(x for x, on_line in places.values() if on_line)
    at = {places[noise][0]: cell for noise, cell in own.iterrows()}
    if not at:
        return
    mean = np.array([at[x]["mean"] if x in at else np.nan for x in rates])
    sd = np.array([at[x]["sd"] if x in at else np.nan for x in rates])
    axis.plot(rates, mean, color=look.color, marker=look.marker, linestyle=look.linestyle, zorder=3)
    axis.fill_between(rates, mean - 2 * sd, mean + 2 * sd, color=look.color, alpha=0.13, linewidth=0)


def _ticks(axis, places, noise_labels):
    axis.yaxis.get_major_locator().set_params(nbins=7, min_n_ticks=4)
    rates = sorted(x for x, on_line in places.values() if on_line)
    points = [(x, noise_labels.get(noise, noise)) for noise, (x, on_line) in places.items() if not on_line]
    for (before, _), (after, _) in itertools.pairwise([*((x, "") for x in rates[-1:]), *points]):
        axis.axvline((before + after) / 2, color=GREY, linewidth=0.6, linestyle=":", gid="separator")
    axis.set_xticks([*rates, *(x for x, _ in points)], [*(f"{x:g}" for x in rates), *(text for _, text in points)])
    for tick in axis.get_xticklabels()[len(rates) :]:
        tick.set(rotation=30, ha="right", rotation_mode="anchor")


def _left_out(gathered):
    failed = int(gathered["failed"].sum())
    fits = int((gathered["n"] + gathered["failed"]).sum())
    return f"{failed} of {fits} fits failed and are left out" if failed else ""

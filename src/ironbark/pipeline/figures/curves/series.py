"""A measure against a number that the methods or the noises of a line have, such as a noise rate or lambda."""

import textwrap

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, select
from ironbark.pipeline.analysis.series import varied
from ironbark.pipeline.figures.style import GREY, finish, handle, looks, new_figure, panels, styled

WIDTH = 22  # letters beside one of several rows of panels


@styled
def draw(rows, spec, context):
    """Draw a column of panels for each data set, a row for each measure.

    Parameters
    ----------
    spec : dict
        ``x``, numbers; ``series``, a list of dicts with ``label``, ``methods`` and ``noises``, one of which lists has
        an id for each x and the other a single one; ``metrics``, or ``metric`` (accuracy by default); ``datasets``;
        ``x_label``, ``x_scale`` (linear, log), ``mark`` (an x to mark), ``band`` (standard deviations, 0 by default).

    Returns
    -------
    matplotlib.figure.Figure
        Tables' units: errors and risks in percent.
    """
    names = spec.get("metrics") or [spec.get("metric", "accuracy")]
    chosen = select(rows, {key: spec[key] for key in ("id", "task", "datasets") if key in spec})
    gathered = {name: cells(chosen, name) for name in names}
    lines = {name: _lines(found, spec, metrics.resolve(name).factor) for name, found in gathered.items()}
    datasets = [
        d for d in spec.get("datasets") or chosen["dataset"].unique() if any(d == k[0] for k in lines[names[0]])
    ]
    if not datasets:
        raise InputError(f"no result row is in figure {spec.get('id', '')!r}; check its datasets, methods and noises")
    style = looks([line["label"] for line in spec["series"]], spec.get("colors", "ironbark"))
    figure = new_figure(max(4.6, 0.6 + 2.7 * len(datasets)), 0.95 + (1.9 * len(names) if len(names) > 1 else 2.7))
    axes = panels(figure, len(names) * len(datasets), len(datasets))
    for i, name in enumerate(names):
        for j, dataset in enumerate(datasets):
            axis = axes[i * len(datasets) + j]
            _fill(axis, lines[name], dataset, style, spec)
            if j == 0:
                axis.set_ylabel(textwrap.fill(_y_label(name), WIDTH) if len(names) > 1 else _y_label(name))
            if i == 0:
                axis.set_title(context.datasets[dataset])
    for axis in axes[-len(datasets) :]:
        axis.set_xlabel(spec.get("x_label", ""))
    figure.align_ylabels(axes)
    handles = [handle(look, label) for label, look in style.items()]
    figure.legend(handles=handles, loc="outside upper center", ncols=min(2, len(handles)), handlelength=3)
    return finish(figure, spec, _absent(lines[names[0]], spec, datasets), context.note)


def _lines(found, spec, factor):
    """(data set, label) -> list of (x, mean, sd) of the points that have a finished fit, in shown units."""
    at = {(cell.dataset, cell.method, cell.noise_id): cell for cell in found.itertuples()}
    result = {}
    for line in spec["series"]:
        key = varied(line)
        for dataset in dict.fromkeys(found["dataset"]):
            for x, name in zip(spec["x"], line[key], strict=True):
                place = (line["methods"][0], name) if key == "noises" else (name, line["noises"][0])
                cell = at.get((dataset, *place))
                if cell is not None and cell.n and np.isfinite(cell.mean):
                    result.setdefault((dataset, line["label"]), []).append((x, factor * cell.mean, factor * cell.sd))
    return result


def _fill(axis, lines, dataset, style, spec):
    for label, look in style.items():
        points = np.array(lines.get((dataset, label), np.empty((0, 3))), dtype=float)
        x, mean, sd = points.T
        axis.plot(x, mean, color=look.color, marker=look.marker, linestyle=look.linestyle, zorder=3)
        if spec.get("band"):
            wide = spec["band"] * sd
            axis.fill_between(x, mean - wide, mean + wide, color=look.color, alpha=0.13, linewidth=0)
    if spec.get("x_scale") == "log":
        axis.set_xscale("log")
        axis.minorticks_off()
        axis.set_xticks(spec["x"], [f"{x:g}" for x in spec["x"]])
    if "mark" in spec:
        axis.axvline(spec["mark"], color=GREY, linewidth=0.8, linestyle=":", gid="mark")


def _y_label(name):
    metric = metrics.resolve(name)
    return f"{metric.name} (%)" if metric.unit == "percent" else metric.name


def _absent(lines, spec, datasets):
    asked = len(spec["x"]) * len(spec["series"]) * len(datasets)
    drawn = sum(len(points) for (dataset, _), points in lines.items() if dataset in datasets)
    return f"{asked - drawn} of {asked} points have no finished fit" if drawn < asked else ""

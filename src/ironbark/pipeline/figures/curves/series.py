"""A measure against a number that the methods or the noises of a line have, such as a noise rate or lambda."""

import textwrap

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, select
from ironbark.pipeline.analysis.series import varied
from ironbark.pipeline.figures.curves import published_points
from ironbark.pipeline.figures.curves.published_points import HOLLOW
from ironbark.pipeline.figures.style import GREY, finish, handle, looks, new_figure, panels, styled

WIDTH = 22  # letters beside one of several rows of panels


@styled
def draw(rows, spec: dict, context, *, printed=None):
    """Draw a column of panels for each data set, a row for each measure."""
    names = spec.get("metrics") or [spec.get("metric", "accuracy")]
    chosen = select(rows, {key: spec[key] for key in ("id", "task", "datasets") if key in spec})
    gathered = {name: cells(chosen, name) for name in names}
    lines = {name: _lines(found, spec, metrics.resolve(name).factor) for name, found in gathered.items()}
    theirs = {} if printed is None else {name: _printed(printed, gathered[name], spec, name) for name in names}
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
            for (place, label), points in theirs.get(name, {}).items():
                if place == dataset:
                    axis.plot(*points, **style[label]._asdict() | HOLLOW, zorder=4, gid="published")
            if j == 0:
                axis.set_ylabel(textwrap.fill(_y_label(name), WIDTH) if len(names) > 1 else _y_label(name))
            if i == 0:
                axis.set_title(context.datasets[dataset])
    for axis in axes[-len(datasets) :]:
        axis.set_xlabel(spec.get("x_label", ""))
    figure.align_ylabels(axes)
    handles = [handle(look, label) for label, look in style.items()]
    handles += published_points.handles() if any(theirs.values()) else []
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


def _printed(printed, found, spec, name):
    """(data set, label) -> x and values of the published points, in shown units."""
    noises = {cell.noise_id: (cell.noise, cell.rate) for cell in found.itertuples()}
    factor, result = metrics.resolve(name).factor, {}
    for cell in published_points.chosen(printed, spec, name).itertuples():
        for line in spec["series"]:
            x = _place(cell, line, spec["x"], noises)
            if x is not None:
                points = result.setdefault((cell.dataset, line["label"]), ([], []))
                points[0].append(x)
                points[1].append(factor * cell.published_mean)
    return result


def _place(cell, line, x, noises):
    """x of a published cell on a line, None if it is not there; `noises` are model and rate by id."""
    if cell.method not in line["methods"]:
        return None
    if varied(line) == "methods":
        return x[line["methods"].index(cell.method)] if cell.noise_id in line["noises"] else None
    at = dict(zip(line["noises"], x, strict=True))
    if cell.noise_id in at:
        return at[cell.noise_id]
    same = [(noises[name][1], x) for name, x in at.items() if noises.get(name, ("",))[0] in ("clean", cell.noise)]
    return published_points.between(cell.rate, same)


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

"""Accuracy against the noise rate: one panel per data set, lines for uniform noise, points for the other noises."""

import math

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, order, select
from ironbark.pipeline.figures.curves import noise_axes
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, panels, styled


@styled
def draw(rows, spec, labels, *, noise_labels, dataset_labels, caption_note=""):
    """Draw the cells of a table as curves with bands of standard deviations.

    Parameters
    ----------
    rows : DataFrame
        Result rows, see `ironbark.pipeline.results.records`.
    spec : dict
        Selection of `ironbark.pipeline.analysis.collect.select`; ``metric`` (accuracy by default); ``line``, the noise
        model whose single rates make the line together with ``clean`` at 0 (uniform by default); ``columns`` of panels;
        ``colors``, a name in `ironbark.pipeline.figures.style.PALETTES`; ``axis_labels``, of x and y; ``band``, in
        standard deviations (2 by default, 0 for none).
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
    style = looks(methods, spec.get("colors", "ironbark"))
    columns = min(len(datasets), spec.get("columns", 3))
    lines = math.ceil(len(datasets) / columns)
    figure = new_figure(2.0 + 2.7 * columns, 0.4 + max(2.4 * lines, 0.17 * len(methods) + 0.3))
    axes = panels(figure, len(datasets), columns)
    places = noise_axes.places_of(gathered, noises, spec.get("line", "uniform"))
    x_label, y_label = spec.get("axis_labels") or (noise_axes.x_label(places), metric.name)
    for i, (axis, dataset) in enumerate(zip(axes, datasets, strict=True)):
        noise_axes.fill(axis, gathered[gathered["dataset"] == dataset], style, places, spec.get("band", 2))
        axis.set_title(dataset_labels.get(dataset, dataset))
        noise_axes.ticks(axis, places, noise_labels)
        if i % columns == 0:
            axis.set_ylabel(y_label)
        if i + columns >= len(datasets):
            axis.set_xlabel(x_label)
    handles = [handle(look, labels.get(method, method)) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside right upper", handlelength=3)
    return finish(figure, spec, noise_axes.left_out(gathered), caption_note)

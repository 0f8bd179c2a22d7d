"""Accuracy against the noise rate: one panel per data set, lines for uniform noise, points for the other noises."""

from ironbark.pipeline.analysis.collect import metric_of, order, selected, selected_cells
from ironbark.pipeline.figures.curves import noise_axes
from ironbark.pipeline.figures.style import finish, grid_size, handle, looks, new_figure, panels, styled


@styled
def draw(rows, spec: dict, context):
    """Draw the cells of a table as curves with bands of standard deviations."""
    metric, gathered = metric_of(spec), selected_cells(selected(rows, spec, "figure"), spec)
    datasets, methods, noises = order(gathered, spec)
    datasets = [dataset for dataset in datasets if dataset in set(gathered["dataset"])]
    methods = [method for method in methods if method in set(gathered["method"])]
    style = looks(methods, spec.get("colors", "ironbark"))
    columns, lines = grid_size(len(datasets), spec, 3)
    figure = new_figure(2.0 + 2.7 * columns, 0.4 + max(2.4 * lines, 0.17 * len(methods) + 0.3))
    axes = panels(figure, len(datasets), columns)
    places = noise_axes.places_of(gathered, noises, spec.get("line", "uniform"))
    x_label, y_label = spec.get("axis_labels") or (noise_axes.x_label(places), metric.name)
    for i, (axis, dataset) in enumerate(zip(axes, datasets, strict=True)):
        noise_axes.fill(axis, gathered[gathered["dataset"] == dataset], style, places, spec.get("band", 2))
        noise_axes.end_above(axis, metric)
        axis.set_title(context.datasets[dataset])
        noise_axes.ticks(axis, places, context.noises)
        if i % columns == 0:
            axis.set_ylabel(y_label)
        if i + columns >= len(datasets):
            axis.set_xlabel(x_label)
    handles = [handle(look, context.methods[method]) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside right upper", handlelength=3)
    return finish(figure, spec, noise_axes.left_out(gathered), context.note)

"""Several measures against the noise rate: a column of panels for each data set, a row for each measure."""

from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, order, selected
from ironbark.pipeline.figures.curves import noise_axes
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, panels, styled


@styled
def draw(rows, spec: dict, context):
    """Draw the cells of each measure as `ironbark.pipeline.figures.curves.noise_curves` does."""
    chosen = selected(rows, spec, "figure")
    gathered = {name: cells(chosen, name) for name in spec["metrics"]}
    found = gathered[spec["metrics"][0]]
    datasets, methods, noises = order(found, spec)
    datasets = [dataset for dataset in datasets if dataset in set(found["dataset"])]
    style = looks([method for method in methods if method in set(found["method"])], spec.get("colors", "ironbark"))
    lines, columns = len(gathered), len(datasets)
    figure = new_figure(0.5 + 2.1 * columns, 0.75 + 1.75 * lines)
    axes = panels(figure, lines * columns, columns)
    places = noise_axes.places_of(found, noises)
    for i, (name, values) in enumerate(gathered.items()):
        for j, dataset in enumerate(datasets):
            axis = axes[i * columns + j]
            noise_axes.fill(axis, values[values["dataset"] == dataset], style, places, spec.get("band", 2))
            noise_axes.end_above(axis, metrics.resolve(name))
            noise_axes.ticks(axis, places, context.noises)
            if i == 0:
                axis.set_title(context.datasets[dataset])
            if j == 0:
                axis.set_ylabel(metrics.resolve(name).name)
    figure.align_ylabels(axes)
    for axis in axes[-columns:]:
        axis.set_xlabel(spec.get("x_label", noise_axes.x_label(places)))
    handles = [handle(look, context.methods[method]) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), handlelength=3)
    return finish(figure, spec, noise_axes.left_out(found), context.note)

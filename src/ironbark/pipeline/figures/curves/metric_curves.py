"""Several measures against the noise rate: a column of panels for each data set, a row for each measure."""

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.analysis.collect import cells, order, select
from ironbark.pipeline.figures.curves import noise_axes
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, panels, styled


@styled
def draw(rows, spec, labels, *, noise_labels, dataset_labels, caption_note=""):
    """Draw the cells of each measure as `ironbark.pipeline.figures.curves.noise_curves` does.

    Parameters
    ----------
    rows : DataFrame
        Result rows, see `ironbark.pipeline.results.records`.
    spec : dict
        Selection of `ironbark.pipeline.analysis.collect.select`; ``metrics``, columns of the rows; ``x_label``;
        ``colors``; ``band``, in standard deviations (2 by default, 0 for none).
    labels, noise_labels, dataset_labels : dict
        Id -> display name; an id without a name is shown itself.
    caption_note : str

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If nothing is selected or a metric is unknown.
    """
    chosen = select(rows, spec)
    if chosen.empty:
        raise InputError(f"no result row is in figure {spec.get('id', '')!r}; check its datasets, methods and noises")
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
            noise_axes.ticks(axis, places, noise_labels)
            if i == 0:
                axis.set_title(dataset_labels.get(dataset, dataset))
            if j == 0:
                axis.set_ylabel(metrics.resolve(name).name)
    figure.align_ylabels(axes)
    for axis in axes[-columns:]:
        axis.set_xlabel(spec.get("x_label", noise_axes.x_label(places)))
    handles = [handle(look, labels.get(method, method)) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), handlelength=3)
    return finish(figure, spec, noise_axes.left_out(found), caption_note)

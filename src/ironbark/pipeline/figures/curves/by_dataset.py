"""A measure of each method on each data set, on a logarithmic scale."""

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import cells, metric_of, order, selected
from ironbark.pipeline.figures.curves import noise_axes
from ironbark.pipeline.figures.style import finish, handle, looks, new_figure, panels, styled

SPREAD = 0.5  # of the methods of one data set, where data sets stand 1 apart


@styled
def draw(rows, spec: dict, context):
    """Draw one point per data set and method, with a bar between the quartiles of the fits."""
    chosen, name = selected(rows, spec, "figure"), spec.get("metric", "accuracy")
    if chosen["noise_id"].nunique() > 1:
        raise InputError(f"figure {spec.get('id', '')!r} shows one noise; set `noises` to one of them")
    metric, gathered = metric_of(spec), cells(chosen, name)
    if (gathered["mean"] <= 0).any():
        raise InputError(f"figure {spec.get('id', '')!r}: {name} is not above zero, as a logarithmic axis needs")
    datasets, methods, _ = order(gathered, spec)
    means = gathered.pivot(index="dataset", columns="method", values="mean")
    means = means.reindex(index=[d for d in datasets if d in means.index], columns=[m for m in methods if m in means])
    figure = new_figure(max(5.5, 1.2 + 0.27 * len(means)), 3.6)
    [axis] = panels(figure, 1, 1)
    fits = chosen[chosen["status"] == "ok"].groupby(["dataset", "method"])[name]
    quartiles = fits.quantile([0.25, 0.75]).unstack(["method", None]).reindex(means.index)
    style = looks(means.columns, spec.get("colors", "ironbark"))
    for i, (method, look) in enumerate(style.items()):
        x = np.arange(len(means)) + SPREAD * ((i + 0.5) / len(style) - 0.5)
        low, high = (quartiles[method, q].to_numpy() for q in (0.25, 0.75))
        axis.vlines(x, low, high, color=look.color, linewidth=0.9)
        axis.plot(x, means[method], color=look.color, marker=look.marker, linestyle="none", markersize=3.6)
    axis.set_yscale("log")
    unit = f" ({metric.unit})" if metric.unit and metric.factor == 1 else ""
    axis.set(ylabel=f"{metric.name}{unit}", xlim=(-0.6, len(means) - 0.4))
    names = [context.datasets[dataset] for dataset in means.index]
    axis.set_xticks(range(len(means)), names, rotation=45, ha="right", rotation_mode="anchor")
    handles = [handle(look, context.methods[method], linestyle="none") for method, look in style.items()]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    notes = (_ratios(means, context.methods), "Bars join the quartiles of the fits", noise_axes.left_out(gathered))
    return finish(figure, spec, *notes, context.note)


def _ratios(means, labels):
    """Ratios of the other methods to the first, in words; empty for a single method."""
    first, *others = means.columns
    shown = [f"{labels[m]} {np.nanmedian(means[m] / means[first]):.2f}" for m in others]
    return f"Median over the data sets, as a multiple of {labels[first]}: {', '.join(shown)}" if shown else ""

"""Our means against the rate of noise, with the published means as open points: one panel per method."""

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, select
from ironbark.pipeline.figures.curves import noise_axes, published_points
from ironbark.pipeline.figures.style import finish, grid_size, handle, looks, new_figure, panels, styled


@styled
def draw(comparison, spec: dict, context):
    """Draw one panel per method and one colour per data set."""
    found = _chosen(comparison, spec)
    methods = [name for name in spec.get("methods", found["method"].unique()) if name in set(found["method"])]
    places = noise_axes.places_of(found, sorted(found["noise_id"].unique()), spec.get("line", "uniform"))
    style = looks([name for name in spec.get("datasets", found["dataset"].unique()) if name in set(found["dataset"])])
    columns, lines = grid_size(len(methods), spec, 4)
    figure = new_figure(0.9 + 2.0 * columns, 1.6 + 1.7 * lines)
    axes = panels(figure, len(methods), columns)
    metric, band = metric_of(spec), spec.get("band", 2)
    for i, (axis, method) in enumerate(zip(axes, methods, strict=True)):
        own = found[found["method"] == method].assign(method=lambda frame: frame["dataset"])
        noise_axes.fill(axis, own, style, places, band)
        published_points.draw(axis, own, style, places, band)
        noise_axes.end_above(axis, metric, 100)
        axis.set_title(context.methods[method])
        is_lowest = i // columns == (len(methods) - 1) // columns
        noise_axes.ticks(axis, places, context.noises if is_lowest else dict.fromkeys(places, ""))
        if i % columns == 0:
            axis.set_ylabel(f"{metric.name} (%)")
        if is_lowest:
            axis.set_xlabel(noise_axes.x_label(places))
    lower, upper = zip(*(axis.get_ylim() for axis in axes), strict=True)
    for axis in axes:
        axis.set_ylim(min(lower), max(upper))
    handles = [handle(look, context.datasets[name]) for name, look in style.items()]
    handles += published_points.handles()
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return finish(figure, spec, f"Bands and bars are {band} standard deviations" * bool(band), context.note)


def _chosen(comparison, spec):
    """Cells with both means, in the columns that `noise_axes` reads."""
    found = comparison[comparison["metric"] == spec.get("metric", "accuracy")].dropna(subset=["mean", "published_mean"])
    found = found.rename(columns={"spread": "sd"}).assign(rate=found["rate"].fillna(""))
    ids = [published_points.noise_id(*pair) for pair in zip(found["noise"], found["rate"], strict=True)]
    found = select(found.assign(noise_id=ids), spec)
    if found.empty:
        raise InputError(
            f"figure {spec.get('id', '')!r} shows no published cell of which we have a mean; run the study first, or "
            "check its datasets, methods and task"
        )
    return found

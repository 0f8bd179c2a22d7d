"""One data set in several panels, each with its own task, methods and measure."""

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, order, selected_cells
from ironbark.pipeline.figures.curves import noise_axes, published_points
from ironbark.pipeline.figures.style import finish, grid_size, handle, looks, new_figure, panels, styled


@styled
def draw(rows, spec: dict, context, *, printed=None):
    """Draw the cells of each panel as `ironbark.pipeline.figures.curves.noise_curves` does."""
    wanted = spec["panels"]
    longest = wanted[0]["methods"]
    if any(len(panel["methods"]) > len(longest) for panel in wanted):
        raise InputError(f"figure {spec.get('id', '')!r}: the first panel needs all methods, for the legend")
    legend = looks(longest, spec.get("colors", "ironbark"))
    columns, lines = grid_size(len(wanted), spec, 2)
    below = spec.get("legend") == "below"
    figure = new_figure((0.3 if below else 1.4) + 3.1 * columns, (1.1 if below else 0.4) + 2.4 * lines)
    gathered = []
    for i, (axis, panel) in enumerate(zip(panels(figure, len(wanted), columns), wanted, strict=True)):
        last = i + columns >= len(wanted)
        gathered.append(_panel(axis, rows, spec, panel, legend, context.noises, last, printed))
    handles = [handle(look, context.methods[name]) for name, look in legend.items()]
    handles += [] if printed is None else published_points.handles()
    place = {"loc": "outside lower center", "ncols": 4} if below else {"loc": "outside right upper"}
    figure.legend(handles=handles, title=spec.get("legend_title"), handlelength=3, **place)
    notes = dict.fromkeys(filter(None, map(noise_axes.left_out, gathered)))
    return finish(figure, spec, "; ".join(notes), context.note)


def _panel(axis, rows, spec, panel, legend, noise_labels, last, printed):
    """Fill one panel; its cells."""
    about = spec | panel | {"datasets": [spec["dataset"]], "metric": panel.get("metric", "accuracy")}
    gathered = selected_cells(rows, about)
    if gathered.empty:
        raise InputError(f"no result row is in panel {panel['title']!r} of figure {spec.get('id', '')!r}")
    noises = order(gathered, about)[2]
    places = noise_axes.places_of(gathered, noises)
    style = {method: legend.get(method, look) for method, look in zip(panel["methods"], legend.values(), strict=False)}
    noise_axes.fill(axis, gathered, style, places)
    if printed is not None:
        published_points.draw(axis, published_points.chosen(printed, about, about["metric"]), style, places, 2)
    noise_axes.end_above(axis, metric_of(about))
    noise_axes.ticks(axis, places, noise_labels)
    axis.set(title=panel["title"], ylabel=panel.get("y_label", metric_of(about).name))
    if "y_range" in panel:
        axis.set_ylim(panel["y_range"])
    if last:
        axis.set_xlabel(spec.get("x_label", noise_axes.x_label(places)))
    return gathered

"""Panels of measures against the noise rate: by data set, by measure, by method, or as chosen."""

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.figures import series
from ironbark.pipeline.figures.style import finish, grid_size, handle, looks, new_figure, panels, styled
from ironbark.pipeline.tables.collect import cells, metric_of, order, select, selected, selected_cells


@styled
def noise_curves(rows, spec: dict, context):
    """Draw the cells of a table as curves with bars of standard deviations."""
    metric = metric_of(spec)
    gathered = series.shown(selected_cells(selected(rows, spec, "figure"), spec), metric)
    datasets, methods, noises = order(gathered, spec)
    datasets = [dataset for dataset in datasets if dataset in set(gathered["dataset"])]
    methods = [method for method in methods if method in set(gathered["method"])]
    style = looks(methods, spec.get("colors", "ironbark"))
    columns, lines = grid_size(len(datasets), spec, 3)
    figure = new_figure(2.0 + 2.7 * columns, 0.4 + max(2.4 * lines, 0.17 * len(methods) + 0.3))
    axes = panels(figure, len(datasets), columns)
    places = series.places_of(gathered, noises, spec.get("line", "uniform"))
    x_label, y_label = spec.get("axis_labels") or (series.x_label(places), "")
    for i, (axis, dataset) in enumerate(zip(axes, datasets, strict=True)):
        series.fill(axis, gathered[gathered["dataset"] == dataset], style, places, spec.get("band", 2))
        series.end_above(axis, metric)
        axis.set_title(context.datasets[dataset])
        series.ticks(axis, places, context.noises)
        if i % columns == 0:
            axis.set_ylabel(series.with_unit(metric, y_label))
        if i + columns >= len(datasets):
            axis.set_xlabel(x_label)
    handles = [handle(look, context.methods[method]) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside right upper", handlelength=3)
    notes = series.bars(spec.get("band", 2)), series.left_out(gathered), series.spelled(places, context.noises)
    return finish(figure, spec, *notes, context.note)


@styled
def metric_curves(rows, spec: dict, context):
    """Draw the cells of each measure as `ironbark.pipeline.figures.curve_panels` does."""
    chosen = selected(rows, spec, "figure")
    gathered = {name: series.shown(cells(chosen, name), metrics.resolve(name)) for name in spec["metrics"]}
    found = gathered[spec["metrics"][0]]
    datasets, methods, noises = order(found, spec)
    datasets = [dataset for dataset in datasets if dataset in set(found["dataset"])]
    style = looks([method for method in methods if method in set(found["method"])], spec.get("colors", "ironbark"))
    lines, columns = len(gathered), len(datasets)
    figure = new_figure(0.5 + 2.1 * columns, 0.75 + 1.75 * lines)
    axes = panels(figure, lines * columns, columns)
    places = series.places_of(found, noises)
    for i, (name, values) in enumerate(gathered.items()):
        for j, dataset in enumerate(datasets):
            axis = axes[i * columns + j]
            series.fill(axis, values[values["dataset"] == dataset], style, places, spec.get("band", 2))
            series.end_above(axis, metrics.resolve(name))
            series.ticks(axis, places, context.noises)
            if i == 0:
                axis.set_title(context.datasets[dataset])
            if j == 0:
                axis.set_ylabel(series.with_unit(metrics.resolve(name)))
    figure.align_ylabels(axes)
    for axis in axes[-columns:]:
        axis.set_xlabel(spec.get("x_label", series.x_label(places)))
    handles = [handle(look, context.methods[method]) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), handlelength=3)
    notes = series.bars(spec.get("band", 2)), series.left_out(found), series.spelled(places, context.noises)
    return finish(figure, spec, *notes, context.note)


@styled
def noise_panels(rows, spec: dict, context, *, printed=None):
    """Draw the cells of each panel as `ironbark.pipeline.figures.curve_panels` does."""
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
    handles += [] if printed is None else series.handles()
    place = {"loc": "outside lower center", "ncols": 4} if below else {"loc": "outside right upper"}
    figure.legend(handles=handles, title=spec.get("legend_title"), handlelength=3, **place)
    notes = dict.fromkeys(filter(None, map(series.left_out, gathered)))
    return finish(figure, spec, series.bars(2), "; ".join(notes), context.note)


def _panel(axis, rows, spec, panel, legend, noise_labels, last, printed):
    """Fill one panel; its cells."""
    about = spec | panel | {"datasets": [spec["dataset"]], "metric": panel.get("metric", "accuracy")}
    metric = metric_of(about)
    gathered = series.shown(selected_cells(rows, about), metric)
    if gathered.empty:
        raise InputError(f"no result row is in panel {panel['title']!r} of figure {spec.get('id', '')!r}")
    noises = order(gathered, about)[2]
    places = series.places_of(gathered, noises)
    style = {method: legend.get(method, look) for method, look in zip(panel["methods"], legend.values(), strict=False)}
    series.fill(axis, gathered, style, places)
    if printed is not None:
        theirs = series.shown(series.chosen(printed, about, about["metric"]), metric)
        series.draw_published(axis, theirs, style, places, 2)
    series.end_above(axis, metric)
    series.ticks(axis, places, noise_labels)
    axis.set(title=panel["title"], ylabel=series.with_unit(metric, panel.get("y_label", "")))
    if "y_range" in panel:
        axis.set_ylim([metric.factor * end for end in panel["y_range"]])
    if last:
        axis.set_xlabel(spec.get("x_label", series.x_label(places)))
    return gathered


@styled
def published_curves(comparison, spec: dict, context):
    """Draw one panel per method and one colour per data set."""
    found = _chosen(comparison, spec)
    methods = [name for name in spec.get("methods", found["method"].unique()) if name in set(found["method"])]
    places = series.places_of(found, sorted(found["noise_id"].unique()), spec.get("line", "uniform"))
    style = looks([name for name in spec.get("datasets", found["dataset"].unique()) if name in set(found["dataset"])])
    columns, lines = grid_size(len(methods), spec, 4)
    figure = new_figure(0.9 + 2.0 * columns, 1.6 + 1.7 * lines)
    axes = panels(figure, len(methods), columns)
    metric, band = metric_of(spec), spec.get("band", 2)
    for i, (axis, method) in enumerate(zip(axes, methods, strict=True)):
        own = found[found["method"] == method].assign(method=lambda frame: frame["dataset"])
        series.fill(axis, own, style, places, band)
        series.draw_published(axis, own, style, places, band)
        series.end_above(axis, metric)
        axis.set_title(context.methods[method])
        is_lowest = i // columns == (len(methods) - 1) // columns
        series.ticks(axis, places, context.noises if is_lowest else dict.fromkeys(places, ""))
        if i % columns == 0:
            axis.set_ylabel(series.with_unit(metric))
        if is_lowest:
            axis.set_xlabel(series.x_label(places))
    lower, upper = zip(*(axis.get_ylim() for axis in axes), strict=True)
    for axis in axes:
        axis.set_ylim(min(lower), max(upper))
    handles = [handle(look, context.datasets[name]) for name, look in style.items()]
    handles += series.handles()
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    notes = series.bars(band), series.spelled(places, context.noises)
    return finish(figure, spec, *notes, context.note)


def _chosen(comparison, spec):
    """Cells with both means, in the columns that `noise_axes` reads."""
    found = comparison[comparison["metric"] == spec.get("metric", "accuracy")].dropna(subset=["mean", "published_mean"])
    found = found.rename(columns={"spread": "sd"}).assign(rate=found["rate"].fillna(""))
    ids = [series.noise_id(*pair) for pair in zip(found["noise"], found["rate"], strict=True)]
    found = select(found.assign(noise_id=ids), spec)
    if found.empty:
        raise InputError(
            f"figure {spec.get('id', '')!r} shows no published cell of which we have a mean; run the study first, or "
            "check its datasets, methods and task"
        )
    return found

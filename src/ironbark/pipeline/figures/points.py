"""Points of methods: trade-offs, costs, times, our means against published ones, and a measure by data set."""

import numpy as np
from matplotlib.ticker import LogLocator, NullLocator

from ironbark.errors import InputError
from ironbark.pipeline import metrics
from ironbark.pipeline.figures import style
from ironbark.pipeline.published.comparison import DIFFERS, NOT_COMPARABLE, NOT_REJECTED
from ironbark.pipeline.results.records import FAILED, NoResults
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.tables.collect import cells, metric_of, order, select, selected, selected_cells
from ironbark.pipeline.tables.rankings import seconds
from ironbark.pipeline.tables.trade_off import OURS, RANK, SAME, TABLE_4, ids_of, sources


def trade_off(rows, spec: dict, context, *, printed, tradeoff, mapping):
    """Draw average rank by clean error, best on top, against the average increase of the error at one noise."""
    found, datasets = sources(rows, spec, printed, tradeoff, mapping)
    columns = ids_of(rows, spec)
    noises = [name for name, column in columns.items() if column in found[OURS]]
    if len(noises) != 1:
        raise InputError(f"figure {spec.get('id', '')!r} shows clean and one other noise; set `noises` to these")
    [noise] = noises
    theirs = found.get(SAME, found[TABLE_4])
    print_name = f"published ({SAME if SAME in found else TABLE_4})"
    figure = style.new_figure(5.6, 3.6)
    [axis] = style.panels(figure, 1, 1)
    look_of = style.looks(found[OURS].index)
    for method, look in look_of.items():
        x, y = 100 * found[OURS].loc[method, columns[noise]], found[OURS].loc[method, RANK]
        if method in theirs.index:
            there = 100 * theirs.loc[method, columns[noise]], theirs.loc[method, RANK]
            axis.plot([x, there[0]], [y, there[1]], color=look.color, linewidth=0.6, alpha=0.5, zorder=2, gid="link")
            axis.plot(*there, **look._asdict() | style.HOLLOW, zorder=3, gid="print")
        axis.plot(x, y, color=look.color, marker=look.marker, linestyle="none", markersize=6.5, zorder=3, gid="ours")
    axis.invert_yaxis()
    x_label = f"Error with noise {context.noises[noise]} − error without noise (percentage points)"
    axis.set(xlabel=x_label, ylabel="Average rank without noise")
    handles = [style.handle(look, context.methods[method], linestyle="none") for method, look in look_of.items()]
    grey = style.Look(style.GREY, "o", "none")
    handles += [style.handle(grey, "ours"), style.handle(grey, print_name.replace(", ", ",\n"), **style.HOLLOW)]
    figure.legend(handles=handles, loc="outside right upper")
    sets = ", ".join(context.datasets[d] for d in datasets)
    return style.finish(figure, spec, f"Averages over {sets}; best methods are at the upper left", context.note)


RUN = ["dataset", "method", "n_train"]


def relative_times(rows, spec, context):
    """Draw a panel for each data set, both axes as in the paper: sizes linear, ratios logarithmic."""
    chosen = selected(rows[rows["status"] != FAILED], spec, "figure")
    times = chosen.groupby(RUN)["fit_seconds"].mean().unstack("n_train")
    least = chosen["n_train"] == chosen.groupby("dataset")["n_train"].transform("min")
    smallest = chosen[least].groupby(RUN[:2])["fit_seconds"].mean().reindex(times.index)
    if smallest.isna().any():
        absent = ", ".join(f"{method} on {dataset}" for dataset, method in times.index[smallest.isna()])
        raise NoResults(f"{absent} has no finished fit of the smallest size; complete the runs")
    ratios = times.div(smallest, axis=0)
    datasets = [name for name in spec.get("datasets") or dict.fromkeys(chosen["dataset"]) if name in times.index]
    methods = [m for m in spec.get("methods") or dict.fromkeys(chosen["method"]) if m in times.index.unique("method")]
    look_of = style.looks(methods)
    figure = style.new_figure(1.0 + 3.4 * len(datasets), 3.1)
    for axis, dataset in zip(style.panels(figure, len(datasets), len(datasets)), datasets, strict=True):
        for method, look in look_of.items():
            line = ratios.loc[(dataset, method)].dropna()
            axis.plot(line.index, line, **look._asdict())
        axis.set_yscale("log")
        axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.yaxis.set_major_formatter("{x:g}")
        axis.yaxis.set_minor_locator(NullLocator())
        axis.set(title=context.datasets[dataset], xlabel="Training size", ylabel="Relative running time")
    style.legend(figure, [style.handle(look, context.methods[method]) for method, look in look_of.items()])
    notes = [_seconds(times.loc[d], methods, context.methods, context.datasets[d]) for d in datasets]
    return style.finish(figure, spec, *notes, context.note)


def _seconds(times, methods, labels, name):
    """Mean times at both ends, in words."""
    ends = times.columns[times.notna().any()][[0, -1]]
    parts = [f"{labels[m]} {times.loc[m, ends[0]]:.3g} to {times.loc[m, ends[1]]:.3g}" for m in methods]
    return f"{name}: seconds of a fit from {ends[0]} to {ends[1]} samples, {', '.join(parts)}"


#: Verdict -> marker.
MARKERS = {NOT_REJECTED: "o", DIFFERS: "X", NOT_COMPARABLE: "^"}


def comparison_scatter(comparison, spec: dict, context):
    """Draw one panel per published table; colour is the display name of the method, marker the verdict."""
    drawn = comparison.dropna(subset=["mean", "published_mean"])
    if drawn.empty:
        raise NoResults("no published cell has a mean of ours; run the study before drawing the comparison")
    tables = list(dict.fromkeys(drawn["table"]))
    columns, lines = style.grid_size(len(tables), spec, 2)
    figure = style.new_figure(2.9 * columns + 1.7, 2.9 * lines + 0.35, "compressed")
    drawn = drawn.assign(method=[context.methods[method] for method in drawn["method"]])  # trees and forests alike
    look_of = style.looks(dict.fromkeys(drawn["method"]))
    for axis, table in zip(style.panels(figure, len(tables), columns), tables, strict=True):
        _panel(axis, drawn[drawn["table"] == table], look_of)
        axis.set_title(f"Table {table}")
    _legend(figure, look_of, drawn)
    absent = len(comparison) - len(drawn)
    note = f"{absent} published cells have no mean of ours and are not drawn" if absent else ""
    return style.finish(figure, spec, note, context.note)


def _panel(axis, cells, look_of):
    values = cells[["published_mean", "mean"]].to_numpy()
    margin = max(0.05 * np.ptp(values), 0.5)
    ends = values.min() - margin, values.max() + margin
    axis.plot(ends, ends, color=style.GREY, linewidth=0.8, zorder=1, gid="diagonal")
    for verdict, marker in MARKERS.items():
        group = cells[cells["verdict"] == verdict]
        colors = [look_of[method].color for method in group["method"]]
        axis.scatter(group["published_mean"], group["mean"], c=colors, marker=marker, s=20, alpha=0.75, linewidth=0)
    [name] = {metrics.resolve(metric).name for metric in cells["metric"]}  # a published table has one
    axis.set(xlim=ends, ylim=ends, aspect="equal", xlabel=f"{name}, published (%)", ylabel=f"{name}, ours (%)")
    axis.locator_params(nbins=6)


def _legend(figure, look_of, drawn):
    dots = {"marker": "o", "linestyle": "none"}
    handles = [style.handle(look, method, **dots) for method, look in look_of.items()]
    counts = drawn["verdict"].value_counts()
    for verdict in [verdict for verdict in MARKERS if verdict in counts]:
        look = style.Look(style.GREY, MARKERS[verdict], "none")
        handles.append(style.handle(look, f"{verdict} ({counts[verdict]})"))
    figure.legend(handles=handles, loc="outside right upper")


LIGHT = "#b0b0b0"  # of methods that are not the best ones
NAMED = 6  # of the best methods


def accuracy_cost(rows, spec, context):
    """Draw the mean over all settings (data set and noise) that all methods have finished."""
    metric, chosen = metric_of(spec), select(rows, spec)
    complete, notes = ranks.compared(selected_cells(chosen, spec), spec, context.methods)
    points = seconds(chosen, complete).to_frame("seconds").assign(value=complete.mean())
    joined = front(points, metric.larger_is_better)
    figure = style.new_figure(6.3, 3.8)
    [axis] = style.panels(figure, 1, 1)
    axis.set_xscale("log")
    values = metric.factor * points["value"]
    axis.plot(points["seconds"], values, "o", color=LIGHT, markersize=3.5, gid="method")
    axis.plot(points.loc[joined, "seconds"], values[joined], color=style.GREY, linewidth=0.8, gid="front")
    best = points["value"].sort_values(ascending=not metric.larger_is_better).index[:NAMED]
    look_of = style.looks(dict.fromkeys([*joined, *best]))
    for method, look in look_of.items():
        axis.plot(points.loc[method, "seconds"], values[method], **look._asdict(), zorder=3, gid=method)
    axis.set(xlabel="CPU seconds of a fit with its tuning", ylabel=style.with_unit(metric))
    handles = [style.handle(look, context.methods[method], linestyle="none") for method, look in look_of.items()]
    others = [style.handle(style.Look(LIGHT, "o", "none"), "others")] * (len(look_of) < len(points))
    style.legend(figure, [*handles, *others])
    note = f"Means over {len(complete)} settings of data set and noise, geometric for seconds; joined: no cheaper "
    note += f"method is as good; named: these and the best {NAMED}"
    return style.finish(figure, spec, note, *notes, context.note)


def front(points, larger):
    """Methods, from cheap to dear, each better than all that cost less."""
    ordered = points.sort_values(["seconds", "value"], ascending=[True, not larger])
    values = ordered["value"] if larger else -ordered["value"]
    return list(ordered.index[values > values.cummax().shift(fill_value=-np.inf)])


SPREAD = 0.5  # of the methods of one data set, where data sets stand 1 apart


def by_dataset(rows, spec: dict, context):
    """Draw one point per data set and method, with a bar between the quartiles of the fits."""
    chosen, name = selected(rows, spec, "figure"), spec.get("metric", "accuracy")
    metric, gathered = metric_of(spec), cells(chosen, name)
    if (gathered["mean"] <= 0).any():
        raise InputError(f"figure {spec.get('id', '')!r}: {name} is not above zero, as a logarithmic axis needs")
    datasets, methods, _ = order(gathered, spec)
    means = metric.factor * gathered.pivot(index="dataset", columns="method", values="mean")
    means = means.reindex(index=[d for d in datasets if d in means.index], columns=[m for m in methods if m in means])
    fits = chosen[chosen["status"] == "ok"].groupby(["dataset", "method"])[name]
    low, high = (metric.factor * fits.quantile(q).unstack().reindex_like(means) for q in (0.25, 0.75))
    figure = style.new_figure(max(5.5, 1.2 + 0.27 * len(means)), 3.4)
    [axis] = style.panels(figure, 1, 1)
    look_of = style.looks(means.columns)
    for i, (method, look) in enumerate(look_of.items()):
        x = np.arange(len(means)) + SPREAD * ((i + 0.5) / len(look_of) - 0.5)
        axis.vlines(x, low[method], high[method], color=look.color, linewidth=0.9)
        axis.plot(x, means[method], color=look.color, marker=look.marker, linestyle="none", markersize=3.6)
    axis.set(yscale="log", ylabel=style.with_unit(metric), xlim=(-0.6, len(means) - 0.4))
    names = [context.datasets[dataset] for dataset in means.index]
    axis.set_xticks(range(len(means)), names, rotation=45, ha="right", rotation_mode="anchor")
    handles = [style.handle(look, context.methods[method], linestyle="none") for method, look in look_of.items()]
    style.legend(figure, handles)
    noise = style.noise_name(chosen["noise_id"].iloc[0], chosen, context.noises)
    about = f"Points are means, bars join the quartiles of the fits; noise: {noise}"
    notes = (_ratios(means, context.methods), about, style.left_out(gathered))
    return style.finish(figure, spec, *notes, context.note)


def _ratios(means, labels):
    """Ratios of the other methods to the first, in words; empty for a single method."""
    first, *others = means.columns
    shown = [f"{labels[m]} {np.nanmedian(means[m] / means[first]):.2f}" for m in others]
    return f"Median over the data sets, as a multiple of {labels[first]}: {', '.join(shown)}" if shown else ""

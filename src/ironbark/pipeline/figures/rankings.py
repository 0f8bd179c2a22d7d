"""Rankings of methods over data sets: Elo, average ranks, how often among the best, gains over one method."""

import numpy as np
import pandas as pd

from ironbark.pipeline.figures import style
from ironbark.pipeline.results.records import NoResults
from ironbark.pipeline.statistics import against_best, elo, ranks
from ironbark.pipeline.statistics.significance import ALPHA
from ironbark.pipeline.tables.collect import metric_of, order, select, selected, selected_cells
from ironbark.pipeline.tables.rank_table import ranked
from ironbark.pipeline.tables.rankings import board

BEST = "#0072B2"


def _intervals(points, low, high, alike, names, label):
    """A figure of points with intervals, the first on top; those `alike` the best are blue."""
    figure = style.new_figure(3.6 + 0.065 * max(map(len, names)), 0.9 + 0.18 * len(points))
    [axis] = style.panels(figure, 1, 1)
    bars = np.nan_to_num([points - low, high - points])  # nothing where there is no interval
    for place, color in enumerate(np.where(alike, BEST, style.GREY)):
        axis.errorbar(points.iloc[place], place, xerr=bars[:, [place]], fmt="o", color=color, elinewidth=1.2)
    axis.set_yticks(range(len(names)), names)
    axis.set(xlabel=label, ylim=(len(names) - 0.5, -0.5))
    axis.grid(axis="y", visible=False)
    return figure


def elo_ratings(rows, spec: dict, context):
    """Draw ratings with their bootstrap intervals."""
    chosen = select(rows, spec)
    complete, notes = ranks.compared(selected_cells(chosen, spec), spec, context.methods)
    rated = board(chosen, complete, spec.get("metric", "accuracy"))
    found = rated.head(spec.get("best", len(rated)))
    names, label = [context.methods[method] for method in found.index], f"Elo rating by {metric_of(spec).inline}"
    alike = found["high"] >= found["low"].iloc[0]
    figure = _intervals(found["elo"], found["low"], found["high"], alike, names, label)
    sets = len(set(complete.index.get_level_values("dataset")))
    cut = f"The best {len(found)} of {len(rated)} methods" * (len(found) < len(rated))
    about = f"{len(complete)} settings of {sets} data sets, {elo.intervals_in_words(sets, 'blue')}"
    return style.finish(figure, spec, about, cut, *notes, context.note)


def critical_difference(rows, spec: dict, context):
    """Draw average ranks, with intervals as long as Nemenyi's critical difference."""
    complete, notes = ranks.compared(selected_cells(rows, spec), spec, context.methods)
    averaged = ranks.dataset_ranks(complete if metric_of(spec).larger_is_better else -complete)
    sets = complete.index.unique("dataset").size
    difference = ranks.critical_difference(len(averaged), sets)
    names, label = [context.methods[method] for method in averaged.index], f"Average rank by {metric_of(spec).inline}"
    half, alike = difference / 2, averaged - averaged.iloc[0] <= difference
    figure = _intervals(averaged, averaged - half, averaged + half, alike, names, label)
    about = f"{len(complete)} settings of {sets} data sets, which count alike. Nemenyi's test over data sets separates "
    about += f"those whose intervals do not overlap (critical difference {difference:.2f}); blue: within it of the best"
    return style.finish(figure, spec, about, *notes, context.note)


def counts(ranks):
    """Number of settings in which each method (columns) has rank n or better, for n = 1, 2, ... (index)."""
    return pd.DataFrame({n: (ranks <= n).sum() for n in range(1, ranks.shape[1] + 1)}).T


def top_counts(rows, spec: dict, context):
    """Draw the counts against n, one line per method."""
    gathered = selected_cells(selected(rows, spec, "figure"), spec)
    ranks = ranked(gathered, spec.get("metric", "accuracy"))
    found = counts(ranks)
    methods = [method for method in order(gathered, spec)[1] if method in found]
    look_of = style.looks(methods)
    figure = style.new_figure(5.4, 3.3)
    [axis] = style.panels(figure, 1, 1)
    for method, look in look_of.items():
        axis.plot(found.index, found[method], gid=method, **look._asdict())
    axis.set(xlabel="n", ylabel="Settings with rank n or better", xticks=found.index, ylim=(0, 1.04 * len(ranks)))
    axis.yaxis.get_major_locator().set_params(integer=True)
    style.legend(figure, [style.handle(look, context.methods[method]) for method, look in look_of.items()])
    about = f"{len(ranks)} settings of data set and noise, ranked by {metric_of(spec).inline}"
    return style.finish(figure, spec, about, style.left_out(gathered), context.note)


DARK = 0.6  # gains beyond this part of the scale are white


def gains(complete: pd.DataFrame, reference: str, noises: list[str]) -> pd.DataFrame:
    """Mean gain of each method over the reference, and p-values."""
    others = [method for method in complete if method != reference]
    means, p = {}, {}
    for noise in noises:
        part = complete.xs(noise, level="noise_id")
        means[noise] = part[others].sub(part[reference], axis=0).mean()
        p[noise] = against_best.over_datasets(part[[reference, *others]], chosen=False)[others]
    found = pd.DataFrame(means)
    found = found.loc[found.mean(axis=1).sort_values(ascending=False, kind="stable").index]
    return found, pd.DataFrame(p).loc[found.index]


def gain_map(rows, spec: dict, context):
    """Draw methods by noises as colours, with the numbers that are significant."""
    metric, reference = metric_of(spec), spec["reference"]
    if "methods" in spec:
        spec = spec | {"methods": list(dict.fromkeys([reference, *spec["methods"]]))}
    gathered = selected_cells(rows, spec)
    complete, notes = ranks.compared(gathered, spec, context.methods)
    if reference not in complete:
        raise NoResults(f"figure {spec.get('id', 'gains')!r}: no fit of the reference {reference!r} has finished")
    there = set(complete.index.get_level_values("noise_id"))
    noises = [noise for noise in order(gathered, spec)[2] if noise in there]
    means, p = gains(complete if metric.larger_is_better else -complete, reference, noises)
    found = means.head(spec.get("best", len(means)))
    figure = style.new_figure(2.6 + 0.36 * len(noises), 1.7 + 0.21 * max(len(found), 6))
    [axis] = style.panels(figure, 1, 1)
    image = _heat_map(axis, metric.factor * found, p.loc[found.index] < ALPHA)
    axis.set_yticks(range(len(found)), [context.methods[method] for method in found.index])
    names = {noise: style.noise_name(noise, gathered, context.noises) for noise in noises}
    axis.set_xticks(range(len(noises)), names.values(), rotation=45, ha="right", rotation_mode="anchor")
    unit = {"percent": " (percentage points)", "": ""}.get(metric.unit, f" ({metric.unit})")
    figure.colorbar(image, ax=axis, label=f"Gain{unit}", aspect=25).outline.set_visible(False)
    sizes = complete.index.to_frame(index=False).groupby("noise_id")["dataset"].nunique().loc[noises]
    sets = " to ".join(str(size) for size in sorted({sizes.min(), sizes.max()}))
    cut = f"the best {len(found)} of {len(means)} methods; " * (len(found) < len(means))
    about = f"Gain in {metric.inline} over {context.methods[reference]}, mean of {sets} data sets; {cut}"
    test = "Wilcoxon's signed-rank test over data sets, Holm's adjustment within a noise"
    few = f"no numbers: {sets} data sets are too few to test so many methods"
    about += few if p.isna().all(axis=None) else f"numbers: significant at {ALPHA:g} ({test})"
    return style.finish(figure, spec, about, style.spelled(noises, names), *notes, context.note)


def _heat_map(axis, values, significant):
    top = float(np.nanmax(np.abs(values.to_numpy()))) or 1.0
    image = axis.imshow(values, cmap="RdBu", vmin=-top, vmax=top, aspect="auto")
    for (row, column), value in np.ndenumerate(values.to_numpy()):
        if significant.iloc[row, column]:
            color = "white" if abs(value) > DARK * top else "black"
            axis.text(column, row, f"{value:.1f}".replace("-", "−"), ha="center", va="center", fontsize=7, color=color)
    axis.grid(False)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)
    return image

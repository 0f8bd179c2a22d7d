"""Rankings of methods over data sets: Elo, average ranks, how often among the best, gains over one method."""

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.figures import series
from ironbark.pipeline.figures.style import GREY, finish, handle, looks, new_figure, panels, styled
from ironbark.pipeline.statistics import against_best, elo, ranks
from ironbark.pipeline.statistics.significance import ALPHA
from ironbark.pipeline.tables.collect import metric_of, order, select, selected, selected_cells
from ironbark.pipeline.tables.rank_table import ranked
from ironbark.pipeline.tables.rankings import board

BEST = "#0072B2"


@styled
def elo_ratings(rows, spec: dict, context):
    """Draw one line per method."""
    chosen = select(rows, spec)
    complete, notes = ranks.compared(selected_cells(chosen, spec), spec)
    rated = board(chosen, complete, spec.get("metric", "accuracy"))
    found = rated.head(spec.get("best", len(rated)))
    longest = max(len(context.methods[method]) for method in found.index)
    figure = new_figure(3.6 + 0.065 * longest, 0.9 + 0.18 * len(found))
    [axis] = panels(figure, 1, 1)
    for place, line in enumerate(found.itertuples()):
        color = BEST if line.high >= found["low"].iloc[0] else GREY
        if line.low <= line.high:  # not NaN
            axis.plot([line.low, line.high], [place, place], color=color, linewidth=1.2, gid="interval")
        axis.plot(line.elo, place, "o", color=color, markersize=4, gid="rating")
    axis.set_yticks(range(len(found)), [context.methods[method] for method in found.index])
    axis.set(xlabel=f"Elo rating by {metric_of(spec).inline}", ylim=(len(found) - 0.5, -0.5))
    axis.grid(axis="y", visible=False)
    sets = len(set(complete.index.get_level_values("dataset")))
    shown = elo.intervals_in_words(sets, "blue")
    cut = f"The best {len(found)} of {len(rated)} methods" * (len(found) < len(rated))
    return finish(figure, spec, f"{len(complete)} settings of {sets} data sets, {shown}", cut, *notes, context.note)


def counts(ranks):
    """Number of settings in which each method (columns) has rank n or better, for n = 1, 2, ... (index)."""
    return pd.DataFrame({n: (ranks <= n).sum() for n in range(1, ranks.shape[1] + 1)}).T


@styled
def top_counts(rows, spec: dict, context):
    """Draw the counts against n, one line per method."""
    gathered = selected_cells(selected(rows, spec, "figure"), spec)
    ranks = ranked(gathered, spec.get("metric", "accuracy"))
    found = counts(ranks)
    methods = [method for method in order(gathered, spec)[1] if method in found]
    style = looks(methods, spec.get("colors", "ironbark"))
    figure = new_figure(5.4, 3.4)
    [axis] = panels(figure, 1, 1)
    for method, look in style.items():
        axis.plot(found.index, found[method], gid=method, **look._asdict())
    axis.set(xlabel="n", ylabel="Settings with rank n or better", xticks=found.index, ylim=(0, 1.04 * len(ranks)))
    axis.yaxis.get_major_locator().set_params(integer=True)
    handles = [handle(look, context.methods[method]) for method, look in style.items()]
    figure.legend(handles=handles, loc="outside right upper", handlelength=3)
    about = f"{len(ranks)} settings of data set and noise, ranked by {metric_of(spec).inline}"
    return finish(figure, spec, about, series.left_out(gathered), context.note)


DARK = 0.6  # gains beyond this part of the scale are printed white


def gains(complete: pd.DataFrame, reference: str, noises: list[str]) -> pd.DataFrame:
    """Mean gain of each method over the reference, and p-values."""
    others = [method for method in complete if method != reference]
    means, p = {}, {}
    for noise in noises:
        part = complete.xs(noise, level="noise_id")
        means[noise] = part[others].sub(part[reference], axis=0).mean()
        p[noise] = against_best.over_datasets(part[[reference, *others]])[others]
    found = pd.DataFrame(means)
    found = found.loc[found.mean(axis=1).sort_values(ascending=False, kind="stable").index]
    return found, pd.DataFrame(p).loc[found.index]


@styled
def gain_bars(rows, spec: dict, context):
    """Draw methods by noises."""
    metric, reference = metric_of(spec), spec["reference"]
    if "methods" in spec:
        spec = spec | {"methods": list(dict.fromkeys([reference, *spec["methods"]]))}
    gathered = selected_cells(rows, spec)
    complete, notes = ranks.compared(gathered, spec)
    if reference not in complete:
        raise InputError(f"figure {spec.get('id', 'gains')!r}: no fit of the reference {reference!r} has finished")
    there = set(complete.index.get_level_values("noise_id"))
    noises = [noise for noise in order(gathered, spec)[2] if noise in there]
    means, p = gains(complete if metric.larger_is_better else -complete, reference, noises)
    figure = new_figure(2.2 + 0.36 * len(noises), 1.6 + 0.17 * len(means))
    _heat_map(panels(figure, 1, 1)[0], metric.factor * means, p < ALPHA)
    [axis] = figure.axes
    axis.set_yticks(range(len(means)), [context.methods[method] for method in means.index])
    models = gathered.drop_duplicates("noise_id").set_index("noise_id")["noise"]
    axis.set_xticks(range(len(noises)), [_name(context.noises[noise], models[noise]) for noise in noises])
    axis.tick_params(axis="x", rotation=45)
    for text in axis.get_xticklabels():
        text.set(ha="right", rotation_mode="anchor")
    sets = len(set(complete.index.get_level_values("dataset")))
    unit = {"percent": " in points", "": ""}.get(metric.unit, f" in {metric.unit}")
    about = (
        f"Gain{unit} over {context.methods[reference]} by {metric.inline}, mean of {sets} data sets; bold: "
        f"significant at {ALPHA:g} (Wilcoxon's signed-rank test over data sets, Holm's adjustment within a noise)"
    )
    return finish(figure, spec, about, *notes, context.note)


def _name(label, model):
    """Name of a noise; papers call clean and uniform noise by their rates alone."""
    if not label.replace(".", "").isdigit():
        return label
    words = model.replace("_", " ").capitalize()
    return words if model == "clean" else f"{words} {label}"


def _heat_map(axis, values, significant):
    top = float(np.nanmax(np.abs(values.to_numpy()))) or 1.0
    axis.imshow(values, cmap="RdBu", vmin=-top, vmax=top, aspect="auto")
    for (row, column), value in np.ndenumerate(values.to_numpy()):
        weight = "bold" if significant.to_numpy()[row, column] else "normal"
        color = "white" if abs(value) > DARK * top else "black"
        axis.text(column, row, f"{value:+.1f}", ha="center", va="center", fontsize=6, color=color, weight=weight)
    axis.grid(False)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


STEP = 0.24  # inches between two labels
BAR = 0.1  # inches between two bars
HEAD = 0.72  # inches above the axis: ruler and tick labels
WIDTH = 7.0  # inches
MARGIN, WIDEST = 0.3, 0.4  # shares of the width on each side for labels of usual and of the longest names
LETTER = 0.0085  # share of the width that a letter takes
CROWDED = 15  # methods beyond which only every fifth rank has its number, and every tenth beyond twice as many


@styled
def critical_difference(rows, spec: dict, context):
    """Draw the diagram over all settings (data set and noise) that all methods have finished."""
    gathered = selected_cells(rows, spec)
    complete, dropped = ranks.scores(gathered)
    if complete.empty or complete.shape[1] < 2:
        raise InputError("the diagram needs two methods and a setting that all of them have finished; add runs")
    averaged = ranks.average_ranks(complete if metric_of(spec).larger_is_better else -complete)
    difference = ranks.critical_difference(len(averaged), len(complete), spec.get("alpha", 0.05))
    figure = diagram(averaged.rename(index=context.methods), difference)
    left_out = f"; {dropped} incomplete settings are left out" * bool(dropped)
    absent = [context.methods[method] for method in dict.fromkeys(gathered["method"]) if method not in complete]
    left_out += f"; not ranked, since no fit has finished: {', '.join(absent)}" * bool(absent)
    note = f"Average ranks over {len(complete)} settings of data set and noise{left_out}; CD: critical difference"
    return finish(figure, spec, note, context.note)


@styled
def diagram(averaged, difference: float):
    """The diagram of given average ranks."""
    averaged = averaged.sort_values(kind="stable")
    bars = ranks.groups(averaged, difference)
    left = int(np.ceil(len(averaged) / 2))
    below = 0.18 + BAR * len(bars)
    height = HEAD + below + STEP * left + 0.1
    figure = new_figure(WIDTH, height)
    axis = figure.add_subplot()
    span = len(averaged) - 1
    margin = min(max(MARGIN, LETTER * (5 + max(map(len, averaged.index)))), WIDEST)
    pad = span * margin / (1 - 2 * margin)
    axis.set(xlim=(1 - pad, len(averaged) + pad), ylim=(height - HEAD, -HEAD))  # y in inches below the axis
    axis.axis("off")
    _scale(axis, len(averaged), difference)
    for i, group in enumerate(bars):
        y = 0.16 + BAR * i
        ends = averaged[group[0]] - 0.012 * span, averaged[group[-1]] + 0.012 * span
        axis.plot(ends, (y, y), color="black", linewidth=3, solid_capstyle="butt", zorder=4, gid="bar")
    for i, (name, rank) in enumerate(averaged.items()):
        on_left = i < left
        depth = below + STEP * (0.5 + (i if on_left else len(averaged) - 1 - i))
        end = 1 - 0.1 * pad if on_left else len(averaged) + 0.1 * pad
        axis.plot((rank, rank, end), (0, depth, depth), color=GREY, linewidth=0.9, gid="stem")
        text = f"{name}  {rank:.2f}" if on_left else f"{rank:.2f}  {name}"
        axis.text(
            end + 0.02 * span * (-1 if on_left else 1), depth, text, va="center", ha="right" if on_left else "left"
        )
    return figure


def _scale(axis, last, difference):
    """The axis of ranks and the ruler of the critical difference above it."""
    axis.plot((1, last), (0, 0), color="black", linewidth=1, solid_capstyle="projecting")
    step = 1 if last <= CROWDED else 5 if last <= 2 * CROWDED else 10
    for rank in range(1, last + 1):
        axis.plot((rank, rank), (0, -0.08), color="black", linewidth=1)
        if rank == 1 or rank % step == 0:
            axis.text(rank, -0.12, str(rank), va="bottom", ha="center", fontsize=8)
    if difference >= last - 1:  # no two ranks can differ by as much
        axis.text((1 + last) / 2, -0.45, f"CD = {difference:.2f}, wider than the axis", ha="center", fontsize=8)
        return
    axis.errorbar(1 + difference / 2, -0.42, xerr=difference / 2, color="black", linewidth=1, capsize=3, gid="ruler")
    axis.text(1 + difference / 2, -0.48, f"CD = {difference:.2f}", va="bottom", ha="center", fontsize=8)

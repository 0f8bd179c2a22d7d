"""Critical-difference diagram: average ranks on an axis, methods that Nemenyi's test does not separate joined."""

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline.analysis.collect import metric_of, selected_cells
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.figures.style import GREY, finish, new_figure, styled

STEP = 0.24  # inches between two labels
BAR = 0.1  # inches between two bars
HEAD = 0.72  # inches above the axis: ruler and tick labels
WIDTH = 7.0  # inches
MARGIN = 0.3  # share of the width on each side for the labels
CROWDED = 15  # methods beyond which only every fifth rank has its number


@styled
def draw(rows, spec: dict, context):
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
    note = f"Average ranks over {len(complete)} settings of data set and noise{left_out}"
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
    pad = span * MARGIN / (1 - 2 * MARGIN)
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
    for rank in range(1, last + 1):
        axis.plot((rank, rank), (0, -0.08), color="black", linewidth=1)
        if last <= CROWDED or rank == 1 or rank % 5 == 0:
            axis.text(rank, -0.12, str(rank), va="bottom", ha="center", fontsize=8)
    if difference >= last - 1:  # no two ranks can differ by as much
        axis.text((1 + last) / 2, -0.45, f"CD = {difference:.2f}, wider than the axis", ha="center", fontsize=8)
        return
    axis.errorbar(1 + difference / 2, -0.42, xerr=difference / 2, color="black", linewidth=1, capsize=3, gid="ruler")
    axis.text(1 + difference / 2, -0.48, f"CD = {difference:.2f}", va="bottom", ha="center", fontsize=8)

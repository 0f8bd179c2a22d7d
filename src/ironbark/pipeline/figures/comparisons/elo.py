"""Elo ratings of methods with their bootstrap intervals, best on top."""

from ironbark.pipeline.analysis.collect import metric_of, select, selected_cells
from ironbark.pipeline.analysis.statistics import elo, ranks
from ironbark.pipeline.analysis.tables.ranks.leaderboard import board
from ironbark.pipeline.figures.style import GREY, finish, new_figure, panels, styled

BEST = "#0072B2"


@styled
def draw(rows, spec: dict, context):
    """Draw one line per method."""
    chosen = select(rows, spec)
    complete, notes = ranks.compared(selected_cells(chosen, spec), spec)
    rated = board(chosen, complete, spec.get("metric", "accuracy"))
    found = rated.head(spec.get("best", len(rated)))
    figure = new_figure(5.4, 0.8 + 0.16 * len(found))
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

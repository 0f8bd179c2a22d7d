"""Kinds of figures. A kind's module, and matplotlib, are imported only where a figure of it is drawn."""

from functools import partial

from ironbark.pipeline.figures.style import save, styled
from ironbark.pipeline.published import CURVES
from ironbark.pipeline.tables import kinds
from ironbark.pipeline.tables.kinds import Kind

__all__ = ["FIGURES", "draw", "save"]

_FIGURES = "ironbark.pipeline.figures"
_CONCEPT = {"data": "nothing", "one_task": False}
_POINTS = {"printed": ("", CURVES)}

#: Name -> kind. A new kind is a module with a function that draws it, an entry here and a test.
FIGURES = {
    "noise-curves": Kind(
        f"{_FIGURES}.curves.noise_curves",
        "measures by the rate of noise, a panel for each data set and a row of them for each of several measures",
        options=("line", "metrics", "x_label", "band", "columns", "colors"),
    ),
    "critical-difference": Kind(
        f"{_FIGURES}.rankings.critical_difference",
        "average ranks with intervals; Nemenyi's test separates methods whose intervals do not overlap",
        compares=True,
    ),
    "transition-matrix": Kind(
        f"{_FIGURES}.transition_matrix.draw",
        "transition matrices of the first split of a data set",
        data="labels",
        needs=("dataset", "task", "noises"),
    ),
    "comparison-scatter": Kind(
        f"{_FIGURES}.points.comparison_scatter",
        "our means against the published ones",
        data="comparison",
        compared=True,
        one_task=False,
        repeats_labels=True,
    ),
    "published-curves": Kind(
        f"{_FIGURES}.curves.published_curves",
        "our means and the published ones by the rate of noise, a panel for each method",
        data="comparison",
        options=("line", "columns", "band"),
        compared=True,
    ),
    "noise-panels": Kind(
        f"{_FIGURES}.curves.noise_panels",
        "measures by the rate of noise on one data set, in panels of chosen methods",
        needs=("dataset", "panels"),
        options=("columns", "colors", "x_label", "legend_title", "paper", "printed_methods"),
        published=_POINTS,
        repeats_labels=True,
    ),
    "by-dataset": Kind(
        f"{_FIGURES}.points.by_dataset",
        "a measure by data set under one noise, logarithmic",
        needs=("noises",),
        chosen_noises=True,
        one_noise=True,
    ),
    "trade-off": Kind(
        f"{_FIGURES}.points.trade_off",
        "rank without noise against the increase of the error by one noise, next to the RMBoost paper's",
        published={"printed": ("rmb", "cells"), "tradeoff": ("rmb", "tradeoff")},
        facts=("mapping",),
        compared=True,
        chosen_noises=True,
    ),
    "series": Kind(
        f"{_FIGURES}.curves.series_curves",
        "measures by a number that methods or noises differ in",
        needs=("x", "series"),
        options=("metrics", "x_label", "x_scale", "mark", "band", "colors", "paper", "printed_methods"),
        published=_POINTS,
        repeats_labels=True,
    ),
    "relative-times": Kind(
        f"{_FIGURES}.points.relative_times",
        "training time by the size of the training part, relative to that of the smallest",
    ),
    "losses-and-impurities": Kind(
        f"{_FIGURES}.impurities.losses", "losses and the impurities that they lead to", **_CONCEPT
    ),
    "risk-reductions": Kind(f"{_FIGURES}.impurities.reductions", "risk reduction of a split by its shares", **_CONCEPT),
    "top-n": Kind(f"{_FIGURES}.rankings.top_counts", "how often a method is among the best n"),
    "loss-curvature": Kind(f"{_FIGURES}.losses.loss_curvature", "second derivatives of losses", **_CONCEPT),
    "elo": Kind(
        f"{_FIGURES}.rankings.elo_ratings",
        "Elo ratings with their bootstrap intervals",
        options=("best",),
        compares=True,
    ),
    "gains": Kind(
        f"{_FIGURES}.rankings.gain_map",
        "what the best methods gain over one of them, by noise",
        needs=("reference",),
        options=("best",),
        compares=True,
    ),
    "accuracy-cost": Kind(f"{_FIGURES}.points.accuracy_cost", "a measure against CPU time", compares=True),
}

#: The figure of a spec from its data, see `ironbark.pipeline.tables.kinds.build`; its ``get_label()`` is the caption.
draw = styled(partial(kinds.build, FIGURES))

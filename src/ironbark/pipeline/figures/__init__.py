"""Kinds of figures. A kind's module, and matplotlib, are imported only where a figure of it is drawn."""

from functools import partial

from ironbark.pipeline.analysis import kinds
from ironbark.pipeline.analysis.kinds import Kind
from ironbark.pipeline.analysis.published import CURVES
from ironbark.pipeline.figures.style import save

__all__ = ["FIGURES", "draw", "save"]

_FIGURES = "ironbark.pipeline.figures"
_CONCEPT = {"data": "nothing", "one_task": False}
_POINTS = {"printed": ("", CURVES)}

#: Name -> kind. A new kind is a module with a function that draws it, an entry here and a test.
FIGURES = {
    "noise-curves": Kind(
        f"{_FIGURES}.curves.noise_curves.draw",
        "a measure by the rate of noise, a panel for each data set",
        options=("line", "axis_labels", "band", "columns", "colors"),
    ),
    "critical-difference": Kind(
        f"{_FIGURES}.comparisons.critical_difference.draw",
        "average ranks, with bars over methods that Nemenyi's test does not separate",
        options=("alpha",),
        least_datasets=1,
    ),
    "transition-matrix": Kind(
        f"{_FIGURES}.transition_matrix.draw",
        "transition matrices of the first split of a data set",
        data="labels",
        needs=("dataset", "task", "noises"),
        options=("columns",),
    ),
    "comparison-scatter": Kind(
        f"{_FIGURES}.comparisons.comparison_scatter.draw",
        "our means against the published ones",
        data="comparison",
        options=("columns",),
        compared=True,
        one_task=False,
        repeats_labels=True,
    ),
    "published-curves": Kind(
        f"{_FIGURES}.curves.published_curves.draw",
        "our means and the published ones by the rate of noise, a panel for each method",
        data="comparison",
        options=("line", "columns", "band"),
        compared=True,
    ),
    "noise-panels": Kind(
        f"{_FIGURES}.curves.noise_panels.draw",
        "measures by the rate of noise on one data set, in panels of chosen methods",
        needs=("dataset", "panels"),
        options=("columns", "colors", "x_label", "legend", "legend_title", "paper", "printed_methods"),
        published=_POINTS,
        repeats_labels=True,
    ),
    "metric-curves": Kind(
        f"{_FIGURES}.curves.metric_curves.draw",
        "several measures by the rate of noise, a row of panels each",
        needs=("metrics",),
        options=("band", "colors", "x_label"),
    ),
    "by-dataset": Kind(
        f"{_FIGURES}.curves.by_dataset.draw",
        "a measure by data set under one noise, logarithmic",
        needs=("noises",),
        options=("colors",),
        chosen_noises=True,
    ),
    "trade-off": Kind(
        f"{_FIGURES}.comparisons.trade_off.draw",
        "rank without noise against the increase of the error by one noise, next to the RMBoost paper's",
        published={"printed": ("rmb", "cells"), "tradeoff": ("rmb", "tradeoff")},
        facts=("mapping",),
        compared=True,
        chosen_noises=True,
    ),
    "series": Kind(
        f"{_FIGURES}.curves.series.draw",
        "measures by a number that methods or noises differ in",
        needs=("x", "series"),
        options=("metrics", "x_label", "x_scale", "mark", "band", "colors", "paper", "printed_methods"),
        published=_POINTS,
        repeats_labels=True,
    ),
    "relative-times": Kind(
        f"{_FIGURES}.comparisons.relative_times.draw",
        "training time by the size of the training part, relative to that of the smallest",
        options=("colors",),
    ),
    "losses-and-impurities": Kind(
        f"{_FIGURES}.theory.concepts.losses", "losses and the impurities that they lead to", **_CONCEPT
    ),
    "risk-reductions": Kind(
        f"{_FIGURES}.theory.concepts.reductions", "risk reduction of a split by its shares", **_CONCEPT
    ),
    "weight-reactions": Kind(
        f"{_FIGURES}.theory.weight_reactions.draw",
        "how boosters weigh samples",
        **_CONCEPT,
    ),
    "top-n": Kind(f"{_FIGURES}.comparisons.top_n.draw", "how often a method is among the best n", options=("colors",)),
    "loss-curvature": Kind(
        f"{_FIGURES}.theory.loss_curvature.draw",
        "second derivatives of losses",
        **_CONCEPT,
    ),
    "elo": Kind(
        f"{_FIGURES}.comparisons.elo.draw",
        "Elo ratings with their bootstrap intervals",
        options=("best",),
        least_datasets=1,
    ),
    "gains": Kind(
        f"{_FIGURES}.comparisons.gains.draw",
        "what methods gain over one of them, by noise",
        needs=("reference",),
        least_datasets=1,
    ),
    "accuracy-cost": Kind(f"{_FIGURES}.comparisons.accuracy_cost.draw", "a measure against CPU time"),
}

#: The figure of a spec from its data, see `ironbark.pipeline.analysis.kinds.build`; its ``get_label()`` is the caption.
draw = partial(kinds.build, FIGURES)

"""Kinds of tables. A kind's module, and pandas, are imported only where a table of it is made."""

from functools import partial

from ironbark.pipeline.tables import kinds
from ironbark.pipeline.tables.kinds import Kind

_TABLES = "ironbark.pipeline.tables"

#: Name -> kind. A new kind is a module with a builder, an entry here and a test.
TABLES = {
    "accuracy": Kind(
        f"{_TABLES}.means.build_accuracy",
        "a measure with its spread, data sets and methods by noises",
        options=("spread", "bold"),
    ),
    "ranks": Kind(f"{_TABLES}.rankings.build_ranks", "average ranks with Nemenyi's critical difference", compares=True),
    "measures": Kind(f"{_TABLES}.means.build_measures", "means of several measures, a column each", needs=("metrics",)),
    "significance": Kind(
        f"{_TABLES}.pairwise.build_significance",
        "as accuracy, with marks of the first method against each other one",
        compares=True,
    ),
    "datasets": Kind(
        f"{_TABLES}.dataset_tables.build",
        "a paper's table of data sets next to the prepared data",
        data="datasets",
        needs=("printed",),
        facts=("members",),
        one_task=False,
    ),
    "pairs": Kind(
        f"{_TABLES}.pairwise.build_pairs",
        "differences of pairs of methods",
        needs=("pairs",),
        options=("pool",),
        repeats_labels=True,
    ),
    "pg-claims": Kind(
        f"{_TABLES}.claims.build",
        "statements in the text of the PG paper, counted in its Table III and in our cells",
        published={"accuracy": ("pg", "cells")},
        facts=("mapping", "capped_fits"),
        compared=True,
        one_task=False,
    ),
    "errors": Kind(
        f"{_TABLES}.means.build_errors",
        "errors in percent, in the digits of the RMBoost paper",
        options=("columns", "risk_of"),
    ),
    "trade-off": Kind(
        f"{_TABLES}.trade_off.build",
        "error without noise and its increase by noise, next to the RMBoost paper's",
        published={"printed": ("rmb", "cells"), "tradeoff": ("rmb", "tradeoff")},
        facts=("mapping",),
        compared=True,
    ),
    "rank-table": Kind(
        f"{_TABLES}.rank_table.build",
        "average ranks next to those of the Robust-GBDT paper",
        needs=("task", "printed_methods"),
        published={"printed": ("rgbdt", "ranks"), "averages": ("rgbdt", "averages")},
    ),
    "leaderboard": Kind(
        f"{_TABLES}.rankings.build_leaderboard",
        "Elo ratings with intervals, average ranks, what noise costs, and CPU time",
        compares=True,
    ),
    "filter-places": Kind(
        f"{_TABLES}.filter_places.build",
        "F1, time and place of detectors among the published filters of MisLaBenchmark, with intervals",
        options=("pool",),
        published={"printed": ("misla", "filters")},
        one_task=False,
    ),
}

#: The table of a spec from its data, see `ironbark.pipeline.tables.kinds.build`.
build = partial(kinds.build, TABLES)

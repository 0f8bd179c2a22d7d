"""Statements of docs/arena.md, from the pack of `arena`."""

import pandas as pd
from docs.arena import labels, leaderboard, rows, scores
from docs.reference import table

from ironbark.pipeline.analysis.statistics import against_best, ranks
from ironbark.pipeline.analysis.statistics.significance import ALPHA

SHOWN = 10  # methods of a leaderboard


def leaders(task):
    """The first methods of a leaderboard, with scikit-learn's forest for comparison."""
    found = leaderboard(task).reset_index()
    found.insert(0, "place", range(1, len(found) + 1))
    chosen = found[(found["place"] <= SHOWN) | (found["method"] == "sklearn-rf")]
    lines = [
        [line.place, labels()[line.method], f"{line.elo:.0f} [{line.low:.0f}, {line.high:.0f}]", f"{line.rank:.1f}"]
        + [f"{100 * line.mean:.1f}", f"{100 * line.lost:.1f}", f"{line.seconds:.2g}"]
        for line in chosen.itertuples()
    ]
    heads = ["Place", "Method", "Elo [95 %]", "Average rank", "Accuracy", "Lost by noise (points)", "CPU seconds"]
    return table(heads, lines, texts=2)


def binary():
    return leaders("binary")


def multiclass():
    return leaders("multiclass")

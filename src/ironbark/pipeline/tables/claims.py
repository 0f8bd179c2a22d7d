"""Statements in the text of a paper, counted in its published cells and in ours by the same code.

A claim is its words, the rule by which it holds, and a function of cells that makes a `Count`.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ironbark.pipeline.tables.result_table import ABSENT, Table

HOLDS, FAILS, NOT_COMPARABLE = "holds", "doesn't hold", "not comparable"
HEADS = ["Claim", "Holds if", "Published", "Published, cells as ours", "Ours", "Verdict"]
MOST, HALF = "more cells than any other", "more than half of the cells"


class Count(NamedTuple):
    """In how many of the cells it is so, whether that is what the claim says, and for some claims by how much."""

    count: int
    total: int
    holds: bool
    size: str = ""

    def __str__(self):
        return f"{self.count}/{self.total}{self.size}"


def half(hits, size=""):
    """A count of booleans that holds if more than half of them are true."""
    hits = np.asarray(hits, bool)
    return Count(int(hits.sum()), hits.size, bool(hits.sum() > hits.size / 2), size)


def leads(votes, name, total):
    """A count of the cells of one name that holds if no other has as many."""
    own = int(votes.get(name, 0))
    return Count(own, total, own > votes.drop(name, errors="ignore").max() if set(votes.index) - {name} else True)


def verdict(count, capped=""):
    """The verdict on our count; `capped` says how the scale changes fits, and is empty where it does not."""
    if count is None or capped:
        return NOT_COMPARABLE
    return HOLDS if count.holds else FAILS


def table(claims, counts, spec, context, note, capped):
    """Claims as a table, one line each: counts in all published cells, in those that we have too, and in ours."""
    lines = [
        [name, rule, *(ABSENT if count is None else str(count) for count in three), verdict(three[-1], capped)]
        for (name, rule, _), three in zip(claims, zip(*counts, strict=True), strict=True)
    ]
    values = pd.DataFrame(lines, columns=HEADS)
    frame, caption = values.set_index(HEADS[0]), context.caption({"caption": "Claims of the text"} | spec)
    return Table(frame, values, frame.eq("") & False, caption, [note])


def named(gathered, mapping):
    """Our cells by the models and methods of a paper."""
    ids = [(model, name, own) for model, names in mapping.items() for name, own in names.items()]
    both = gathered.merge(pd.DataFrame(ids, columns=["model", "name", "method"]), on="method")
    return both.assign(method=both["name"])


def within(cells, **wanted):
    """Cells with one of these values in each column."""
    for column, values in wanted.items():
        cells = cells[cells[column].isin(values)]
    return cells

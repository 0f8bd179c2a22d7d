"""A statement in the text of a paper, counted in cells: what a count is, and the verdict on it."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from ironbark.pipeline.analysis.tables.result_table import ABSENT, Table

HOLDS, FAILS, NOT_COMPARABLE = "holds", "doesn't hold", "not comparable"


class Count(NamedTuple):
    """In how many of the cells it is so, whether that is what the claim says, and for some claims by how much."""

    count: int
    total: int
    holds: bool
    size: str = ""


def text(count):
    """A count as tables show it."""
    return ABSENT if count is None else f"{count.count}/{count.total}{count.size}"


def verdict(count, capped):
    """The verdict on our count; `capped` says how the scale changes fits, and is empty where it does not."""
    if count is None or capped:
        return NOT_COMPARABLE
    return HOLDS if count.holds else FAILS


def table(claims: Sequence[tuple], counts, spec, context, note: str, capped: str = ""):
    """Claims as a table, one line each."""
    columns = ["Claim", "Holds if", "Published", "Published, cells as ours", "Ours", "Verdict"]
    lines = [
        [name, rule, *map(text, three), verdict(three[2], capped)]
        for (name, rule, *_), three in zip(claims, zip(*counts, strict=True), strict=True)
    ]
    values = pd.DataFrame(lines, columns=columns)
    frame = values.set_index("Claim")
    caption = context.caption({"caption": "Claims of the text"} | spec)
    return Table(frame, values, frame.eq("") & False, caption, [note])

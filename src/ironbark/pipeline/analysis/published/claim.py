"""A statement in the text of a paper, counted in cells: what a count is, and the verdict on it."""

from typing import NamedTuple

from ironbark.pipeline.analysis.tables.result_table import ABSENT

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

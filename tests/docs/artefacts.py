"""The tables and figures of the papers, of `artefacts.csv`; which studies make them follows from the studies."""

import csv
from pathlib import Path
from typing import NamedTuple

#: Names in `ironbark.pipeline.published.Paper.values`: means with a spread, average ranks.
CELLS, RANKS = "cells", "ranks"


class Artefact(NamedTuple):
    """A table or figure."""

    shows: str  # in a few words
    values: str  # name in `published.Paper.values` of its published numbers; empty for none
    rows: dict  # column of these -> values of the rows that it has; empty for all rows
    of: str  # the artefact whose published numbers it shows in another way; empty for none


with open(Path(__file__).parents[2] / "data/published/artefacts.csv", encoding="utf-8", newline="") as stream:
    ARTEFACTS = {
        line["artefact"]: Artefact(
            line["shows"],
            line["values"],
            {column: line["entries"].split("|") for column in line["column"].split()},
            line["of"],
        )
        for line in csv.DictReader(stream)
    }


def numbered(artefact):
    """The artefact that has the published numbers of this one: itself, another, or none."""
    entry = ARTEFACTS[artefact]
    return entry.of or (artefact if entry.values else "")

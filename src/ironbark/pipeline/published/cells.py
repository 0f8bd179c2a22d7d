"""The published cells of all papers, each named by plain text. Importing this module imports no pandas."""

from pathlib import Path
from typing import NamedTuple

from ironbark.entries import imported
from ironbark.pipeline.published import PAPERS


class Cell(NamedTuple):
    """Name of a published number; what a paper's tables do not distinguish is empty."""

    paper: str  # id in `PAPERS`
    table: str  # as the paper numbers it; minimax risks are in a table of their own such as "3, risk"
    dataset: str  # our id
    task: str
    model: str
    method: str  # as in the file of published values
    noise: str  # noise model
    rate: str  # as in result rows

    @property
    def place(self):
        """The table in words, such as ``ANE Table 2``."""
        return f"{PAPERS[self.paper].label} Table {self.table}"

    @property
    def setting(self):
        """Noise model and rate, such as ``uniform 0.4``."""
        return f"{self.noise} {self.rate}".strip() if self.rate != "0" else self.noise

    def __str__(self):
        return ", ".join(filter(None, [self.place, self.dataset, self.model, self.setting, self.method]))


def is_ranked(paper):
    """Whether a paper publishes average ranks of a data set, not means."""
    return "ranks" in PAPERS[paper].values


def values(paper):
    """Entry of the published values of a paper: its means, or else its ranks."""
    return PAPERS[paper].values["ranks" if is_ranked(paper) else "cells"]


def read(paper: str, path: Path):
    """Published values of a paper."""
    frame = imported(values(paper).reader)(path).assign(paper=paper)
    if is_ranked(paper):
        frame = frame.dropna(subset="average_rank")
    return frame.assign(**{name: "" for name in Cell._fields if name not in frame})


def names(paper, path):
    """The `Cell` of each published value of a paper, in the order of the file."""
    frame = read(paper, path)[list(Cell._fields)].astype("str")
    return [Cell(*line) for line in frame.itertuples(index=False)]

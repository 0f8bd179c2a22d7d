"""The papers whose results are reproduced: their published values, and what reads them.

Importing this package imports no pandas, so that the planner can read the entries.
"""

from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple


@dataclass(frozen=True)
class Values:
    """Published results."""

    path: str  # in the repository
    reader: str  # import path of a function of the file's path, which returns a frame


@dataclass(frozen=True)
class DatasetTable:
    """A published table of data sets."""

    path: str  # in the repository
    title: str  # the table in the paper
    columns: dict  # column of the file -> heading
    rows: dict = field(default_factory=dict)  # column -> value that its rows have in the file; empty for all rows


@dataclass(frozen=True)
class Paper:
    """Entry of `PAPERS`; values called "cells" are means and spreads in a frame with the columns `readers.COLUMNS`."""

    label: str  # short name
    values: dict = field(default_factory=dict)  # name -> `Values`
    datasets: dict = field(default_factory=dict)  # key of ``papers`` in the catalogue of data sets -> `DatasetTable`
    names: dict = field(default_factory=dict)  # label of a method -> its name in the paper's own tables and figures


#: Name in `Paper.values` of what figures show as open points: cells with the column ``metric``.
CURVES = "curves"

_FILES, _READERS = "data/published", "ironbark.pipeline.published.readers"
_SIZES = {"n_samples": "Samples", "n_features": "Features"}

#: Id -> paper. A new paper is its readers, its files in data/published, and an entry.
PAPERS = {
    # Wilton and Ye, Robust Loss Functions for Training Decision Trees with Noisy Labels, AAAI 2024
    "ane": Paper(
        "ANE",
        {
            "cells": Values(f"{_FILES}/ane_accuracy.csv", f"{_READERS}.ane_cells"),
            CURVES: Values(f"{_FILES}/ane_lambda.csv", f"{_READERS}.ane_curves"),
        },
        {
            "ane": DatasetTable(
                f"{_FILES}/ane_datasets.csv",
                "Table 1 of the ANE paper",
                {"n_train": "Training", "n_test": "Test", "n_features": "Features", "n_classes": "Classes"},
            )
        },
        {"Gini": "MSE", "Gini (RDTS)": "MSE (RDTS)", "Pairwise gain": "Ranking"},
    ),
    # Yang, Gao and Li, On the Robust Splitting Criterion of Random Forest, ICDM 2019
    "pg": Paper(
        "PG",
        {"cells": Values(f"{_FILES}/pg_accuracy.csv", f"{_READERS}.pg_cells")},
        {"pg": DatasetTable(f"{_FILES}/pg_datasets.csv", "Table II of the pairwise-gain paper", _SIZES)},
    ),
    # Mazuelas and Álvarez, Robust Minimax Boosting with Performance Guarantees, NeurIPS 2025
    "rmb": Paper(
        "RMB",
        {
            "cells": Values(f"{_FILES}/rmb_error.csv", f"{_READERS}.rmb_cells"),
            "tradeoff": Values(f"{_FILES}/rmb_tradeoff.csv", f"{_READERS}.rmb_tradeoff"),
            CURVES: Values(f"{_FILES}/rmb_error.csv", f"{_READERS}.rmb_curves"),
        },
        {"rmb": DatasetTable(f"{_FILES}/rmb_datasets.csv", "Table 2 of the RMBoost paper", _SIZES)},
    ),
    # Luo et al., Robust-GBDT: GBDT with Nonconvex Loss for Tabular Classification ..., arXiv:2310.05067v2
    "rgbdt": Paper(
        "RGBDT",
        {
            "ranks": Values(f"{_FILES}/rgbdt_rank.csv", f"{_READERS}.rgbdt_ranks"),
            "averages": Values(f"{_FILES}/rgbdt_rank_average.csv", f"{_READERS}.rgbdt_averages"),
        },
        {
            "rgbdt-binary": DatasetTable(
                f"{_FILES}/rgbdt_datasets.csv",
                "Table 3 of the Robust-GBDT paper",
                {**_SIZES, "imbalance_ratio": "Imbalance"},
                {"task": "binary"},
            ),
            "rgbdt-multiclass": DatasetTable(
                f"{_FILES}/rgbdt_datasets.csv",
                "Table 4 of the Robust-GBDT paper",
                {**_SIZES, "n_classes": "Classes", "majority_percent": "Majority %"},
                {"task": "multiclass"},
            ),
        },
    ),
    # Nazaretyan et al., repository nazaretl/MisLaBenchmark, commit 569566fd831f, 2024
    "misla": Paper("MisLa", {"filters": Values(f"{_FILES}/misla_f1.csv", f"{_READERS}.misla_filters")}),
}


def of_artefact(name: str) -> str:
    """Id in `PAPERS` of the paper of a table or figure, such as ANE Figure 2."""
    return next(id for id, paper in PAPERS.items() if paper.label == name.split(maxsplit=1)[0])


#: Papers with published values that a single one can be checked of: means or average ranks.
CHECKED = tuple(name for name, paper in PAPERS.items() if {"cells", "ranks"} & paper.values.keys())

#: Papers that publish cells to compare with.
COMPARED = tuple(name for name, paper in PAPERS.items() if "cells" in paper.values)

#: Name of a published table of data sets -> the table.
DATASET_TABLES = {name: table for paper in PAPERS.values() for name, table in paper.datasets.items()}


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
    def setting(self):
        """Noise model and rate, such as ``uniform 0.4``."""
        return f"{self.noise} {self.rate}".strip() if self.rate != "0" else self.noise

    def __str__(self):
        table = f"{PAPERS[self.paper].label} Table {self.table}"
        return ", ".join(filter(None, [table, self.dataset, self.model, self.setting, self.method]))


def is_ranked(paper):
    """Whether a paper publishes average ranks of a data set, not means."""
    return "ranks" in PAPERS[paper].values


def values(paper):
    """Entry of the published values of a paper: its means, or else its ranks."""
    return PAPERS[paper].values["ranks" if is_ranked(paper) else "cells"]


def read(paper: str, path: Path):
    """Published values of a paper."""
    frame = resolve_name(values(paper).reader)(path).assign(paper=paper)
    if is_ranked(paper):
        frame = frame.dropna(subset="average_rank")
    return frame.assign(**{name: "" for name in Cell._fields if name not in frame})


def names(paper, path):
    """The `Cell` of each published value of a paper, in the order of the file."""
    frame = read(paper, path)[list(Cell._fields)].astype("str")
    return [Cell(*line) for line in frame.itertuples(index=False)]

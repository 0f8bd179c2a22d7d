"""The tables and figures of the papers, which specs of studies name under ``artefact``. Plain Python.

Which studies make them, at which scale they have run and what their data lack follows from the studies.
"""

from dataclasses import dataclass, field

from ironbark.pipeline.published import PAPERS


@dataclass(frozen=True)
class Artefact:
    """Entry of `ARTEFACTS`."""

    shows: str  # in a few words
    values: str = ""  # name in `published.Paper.values` of its published numbers; empty for none
    rows: dict = field(default_factory=dict)  # column of these -> values of the rows that it has; empty for all rows
    of: str = ""  # the artefact whose published numbers it shows in another way; empty for none


#: Names in `ironbark.pipeline.published.Paper.values`: means with a spread, average ranks, points of a figure.
CELLS, RANKS, POINTS = "cells", "ranks", "points"

_FORESTS, _TREES = "forests", "single trees"
_RMB_3, _RMB_5 = ("3", "3, risk"), ("5", "5, risk", "5, reply", "5, reply, risk")

#: Label of the paper and its name there -> artefact, in the order of the papers.
ARTEFACTS = {
    "ANE Table 1": Artefact("data sets"),
    "ANE Table 2": Artefact(f"{_TREES}, binary", CELLS, {"table": ("2",)}),
    "ANE Table 3": Artefact(f"{_TREES}, multiclass", CELLS, {"table": ("3",)}),
    "ANE Table 4": Artefact(f"{_FORESTS}, binary", CELLS, {"table": ("4",)}),
    "ANE Table 5": Artefact(f"{_FORESTS}, multiclass", CELLS, {"table": ("5",)}),
    "ANE Figure 1": Artefact("negative exponential loss and impurities"),
    "ANE Figure 2": Artefact("curves of Table 2", of="ANE Table 2"),
    "ANE Figure 3": Artefact("curves of Table 3", of="ANE Table 3"),
    "ANE Figure 4": Artefact("curves of Table 4", of="ANE Table 4"),
    "ANE Figure 5": Artefact("curves of Table 5", of="ANE Table 5"),
    "ANE Figure 6": Artefact("trees of fixed lambda", POINTS),
    "ANE Figure 7": Artefact("trees and forests on CIFAR-10 embeddings"),
    "ANE Figure 8": Artefact("two splits of a node"),
    "PG Table II": Artefact("data sets"),
    "PG Table III": Artefact(f"{_FORESTS}, asymmetric noise", CELLS),
    "PG Figure 1": Artefact(f"{_TREES}, symmetric noise"),
    "PG Figure 2": Artefact("running times"),
    "RMB Table 1": Artefact("part of Table 3", of="RMB Table 3"),
    "RMB Table 2": Artefact("data sets"),
    "RMB Table 3": Artefact("errors and minimax risks, small sets", CELLS, {"table": _RMB_3}),
    "RMB Table 4": Artefact("ranks and increases of the error", of="RMB Table 3"),
    "RMB Table 5": Artefact("errors and minimax risks, large sets", CELLS, {"table": _RMB_5}),
    "RMB Figure 1": Artefact("rank against increase of the error", of="RMB Table 3"),
    "RMB Figure 2": Artefact("growing noise, Credit"),
    "RMB Figure 3": Artefact("as Figure 1, further noises", of="RMB Table 3"),
    "RMB Figure 4": Artefact("growing noise, Diabetes and Climate"),
    "RMB Figure 5": Artefact("running times"),
    "RMB Figure 6": Artefact("several lambda"),
    "RGBDT Table 1": Artefact("average ranks, binary", RANKS, {"task": ("binary",)}),
    "RGBDT Table 2": Artefact("average ranks, multiclass", RANKS, {"task": ("multiclass",)}),
    "RGBDT Table 3": Artefact("data sets, binary"),
    "RGBDT Table 4": Artefact("data sets, multiclass"),
    "RGBDT Figure 1": Artefact("second derivatives of losses"),
    "RGBDT Figure 2": Artefact("AUCPR against the noise"),
    "RGBDT Figure 3": Artefact("how often among the best, binary"),
    "RGBDT Figure 4": Artefact("accuracy against the noise"),
    "RGBDT Figure 5": Artefact("how often among the best, multiclass"),
    "RGBDT Figure 6": Artefact("parts of the robust loss"),
}

_OF_LABEL = {paper.label: name for name, paper in PAPERS.items()}


def paper(artefact):
    """Id in `PAPERS` of the paper of an artefact."""
    return _OF_LABEL[artefact.split()[0]]


def numbered(artefact):
    """The artefact that has the published numbers of this one: itself, another, or none."""
    entry = ARTEFACTS[artefact]
    return entry.of or (artefact if entry.values else "")

"""Declaration of a kind of tables or figures for planner, jobs, site, docs and tests.

Importing this module imports neither pandas nor matplotlib, so that the planner can read the entries.
"""

import importlib
from dataclasses import dataclass, field
from typing import Any

from ironbark.entries import find


def sentences(*parts):
    """The parts with a full stop each, in one text; empty ones are left out."""
    return " ".join(f"{part.strip().rstrip('.')}." for part in parts if part.strip())


class Names(dict):
    """Id -> display name; an id without a name is shown itself."""

    def __missing__(self, id):
        return id


@dataclass(frozen=True, eq=False)
class Context:
    """What all builders get besides their data and spec.

    Attributes
    ----------
    methods, noises, datasets : Names
    note : str
        The scale and what it caps, at the end of the caption.
    missing : DataFrame, optional
        Fits without a row, from `ironbark.pipeline.analysis.collect.refuse_holes`; for tables of rows only.
    """

    methods: Names
    noises: Names
    datasets: Names
    note: str = ""
    missing: Any = None

    def caption(self, spec, *reading):
        """Caption of a table: that of its spec, how to read the table, and the note."""
        return sentences(spec.get("caption", ""), *reading, self.note)


@dataclass(frozen=True)
class Kind:
    """Entry of `ironbark.pipeline.analysis.tables.TABLES` or `ironbark.pipeline.figures.FIGURES`.

    Attributes
    ----------
    builder : str
        Import path of ``f(data, spec, context, ...)``, which returns an
        `ironbark.pipeline.analysis.tables.result_table.Table` or a matplotlib.figure.Figure. The spec is the study's
        entry: ``kind``, ``caption``, for result rows the selection of `ironbark.pipeline.analysis.collect.select` and
        mostly ``metric`` (accuracy by default), and the keys of `needs` and `options`; `Context` follows, and the
        keywords of `published` and `facts`. A builder raises InputError if there is no such metric, or too little
        has finished to show.
    description : str
        What it shows, in a few words.
    data : str
        What the builder gets first: "rows" (result rows), "comparison" (our means next to the published ones),
        "labels" (transition matrices of noisy labels), "datasets" (a published table of data sets, and the prepared
        data), or "nothing".
    needs : tuple of str
        Keys of a study's entry that it cannot do without, besides ``kind``.
    options : tuple of str
        Further keys that only some kinds take.
    published : dict
        Keyword of the builder -> (paper, name in its `values`), see `ironbark.pipeline.analysis.published.PAPERS`; an
        empty paper stands for the one that the study's entry names under ``paper``, if it does.
    facts : tuple of str
        Keywords of the builder that hold facts of the study: "mapping" (published method -> our id, from ``compare``),
        "capped_fits" (how the scale changes fits), "members" (of a table of data sets: ids and published names).
    compared : bool
        Whether the study must be compared with published values; with those of the paper in `published`, if any.
    least_datasets : int
        Smallest number of data sets, with two methods each, of a kind that compares methods; 0 for others.
    one_task : bool
        Whether it shows results of one task, so that a study of both must choose.
    repeats_labels : bool
        Whether methods of one label are shown apart anyway, so that they need no ids.
    chosen_noises : bool
        Whether it is made for the noises of its entry, so that others do not join them.
    """

    builder: str
    description: str
    data: str = "rows"
    needs: tuple = ()
    options: tuple = ()
    published: dict = field(default_factory=dict)
    facts: tuple = ()
    compared: bool = False
    least_datasets: int = 0
    one_task: bool = True
    repeats_labels: bool = False
    chosen_noises: bool = False

    def values(self, spec):
        """Keyword of the builder -> (paper, name in its `values`), for one entry of a study."""
        found = {key: (paper or spec.get("paper"), name) for key, (paper, name) in self.published.items()}
        return {key: (paper, name) for key, (paper, name) in found.items() if paper}

    @property
    def of_results(self):
        """Whether it shows results of a study, so that its caption ends with a note on their scale."""
        return self.data not in ("nothing", "datasets")

    @property
    def module(self):
        """Module of the builder."""
        return self.builder.rpartition(".")[0]


def imported(path):
    """Object at an import path."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def build(
    kinds: dict,
    data: object,
    spec: dict,
    labels: dict | None = None,
    noise_labels: dict | None = None,
    dataset_labels: dict | None = None,
    *,
    caption_note="",
    missing=None,
    **facts,
):
    """The table or figure that ``spec["kind"]`` asks for."""
    builder = imported(find("kind", spec.get("kind"), kinds)[1].builder)
    names = (Names(labels or {}) for labels in (labels, noise_labels, dataset_labels))
    return builder(data, spec, Context(*names, caption_note, missing), **facts)

"""Declaration of a kind of tables or figures, for planner, jobs, site, docs and tests.

Importing this module imports neither pandas nor matplotlib, so that the planner can read the entries.
"""

from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Any

from ironbark.entries import lookup
from ironbark.errors import InputError

#: Folder of a study -> endings of the files of each of its tables or figures.
SUFFIXES = {"tables": (".csv", ".md", ".tex", ".html"), "figures": (".png", ".svg", ".pdf")}


def sentences(*parts):
    """The parts with a full stop each, in one text; empty ones are left out."""
    return " ".join(f"{part.strip().rstrip('.')}." for part in parts if part.strip())


class Names(dict):
    """Id -> display name; an id without a name is shown itself."""

    def __missing__(self, id):
        return id


@dataclass(frozen=True, eq=False)
class Context:
    """What all builders get besides their data and spec."""

    methods: Names
    noises: Names
    datasets: Names
    note: str = ""  # the scale and what it caps, at the end of the caption
    missing: Any = None  # fits without a row, a frame of `collect.refuse_holes`; for tables of rows only

    def caption(self, spec, *reading):
        """Caption of a table: that of its spec, how to read the table, and the note."""
        return sentences(spec.get("caption", ""), *reading, self.note)


@dataclass(frozen=True)
class Kind:
    """Entry of `tables.TABLES` or `figures.FIGURES`.

    The builder is ``f(data, spec, context, ...)`` and returns a `result_table.Table` or a matplotlib.figure.Figure. The
    spec is the study's entry: ``kind``, ``caption``, for result rows the selection of `collect.select` and mostly
    ``metric`` (accuracy by default), and the keys of `needs` and `options`; `Context` follows, and the keywords of
    `published` and `facts`. A builder raises InputError if there is no such metric, or too little has finished to show.
    """

    builder: str  # import path
    description: str  # what it shows, in a few words
    #: What the builder gets first: "rows" (result rows), "comparison" (our means next to the published ones), "labels"
    #: (transition matrices of noisy labels), "datasets" (a published table, and the prepared data), or "nothing".
    data: str = "rows"
    needs: tuple = ()  # keys of a study's entry that it cannot do without, besides ``kind``
    options: tuple = ()  # further keys that only some kinds take
    #: Keyword of the builder -> (paper, name in its `values`), see `ironbark.pipeline.published.PAPERS`; an
    #: empty paper stands for the one that the study's entry names under ``paper``, if it does.
    published: dict = field(default_factory=dict)
    #: Keywords of the builder that hold facts of the study: "mapping" (published method -> our id, from ``compare``),
    #: "capped_fits" (how the scale changes fits), "members" (of a table of data sets: ids and published names).
    facts: tuple = ()
    compared: bool = False  # whether the study must be compared with published values, of `published` if it has any
    compares: bool = False  # whether it compares methods, so that it needs a data set with two of them
    one_task: bool = True  # whether it shows results of one task, so that a study of both must choose
    one_noise: bool = False  # whether it shows results of one noise
    repeats_labels: bool = False  # whether methods of one label are shown apart anyway, so that they need no ids
    chosen_noises: bool = False  # whether it is made for the noises of its entry, so that others do not join them

    def values(self, spec):
        """Keyword of the builder -> (paper, name in its `values`), for one entry of a study."""
        papers = {key: (paper or spec.get("paper"), name) for key, (paper, name) in self.published.items()}
        return {key: (paper, name) for key, (paper, name) in papers.items() if paper}

    @property
    def of_results(self):
        """Whether it shows results of a study, so that its caption ends with a note on their scale."""
        return self.data not in ("nothing", "datasets")


def build(kinds: dict, data: object, spec: dict, labels=None, noise_labels=None, dataset_labels=None, *,
          caption_note="", missing=None, **facts):  # fmt: skip
    """The table or figure that ``spec["kind"]`` asks for; labels are id -> display name."""
    builder = resolve_name(lookup("kind", spec.get("kind"), kinds).builder)
    names = (Names(labels or {}) for labels in (labels, noise_labels, dataset_labels))
    return builder(data, spec, Context(*names, caption_note, missing), **facts)


def varied(line):
    """The key whose ids are the points of a line of kind series: the longer of its two lists, methods if alike."""
    return "noises" if len(line["noises"]) > len(line["methods"]) else "methods"


def check_series(spec, line):
    """Raise InputError unless one list of a line has an id for each x, and the other a single one."""
    if {len(line["methods"]), len(line["noises"])} != {1, len(spec["x"])}:
        raise InputError(
            f"the series {line['label']!r} needs {len(spec['x'])} methods and one noise, or as many noises and one "
            "method: one for each x; correct its lists"
        )

"""Data sets: where they come from, and the prepared arrays that all fits read.

Importing this module imports no numpy, so that the planner can check a catalogue in a dry run. The way of a data set is
`fetch.fetch` (raw table) -> `prepare.prepare` (arrays) -> `bundle.load`.
"""

import difflib
import importlib
from dataclasses import dataclass, field

from ironbark.errors import InputError

#: File formats that `ironbark.datasets.formats` reads, by the end of the file name.
FORMATS = ("csv", "parquet", "arff", "libsvm")


@dataclass(frozen=True)
class Source:
    """Entry of `SOURCES`.

    Attributes
    ----------
    module : str
        Module that holds ``fetch(id, entry, folder, mirror) -> Path`` of the raw file it wrote.
    required, optional : tuple of str
        Fields of a catalogue entry that belong to this source.
    choices : dict
        Field -> the values it may have.
    mirrored : bool
        Whether a mirror folder, where one is given, takes the place of this source.
    """

    module: str
    required: tuple = ()
    optional: tuple = ()
    choices: dict = field(default_factory=dict)
    mirrored: bool = True


#: Name -> source. A new source is a module of its own and a line here.
SOURCES = {
    "sklearn": Source(
        "ironbark.datasets.sources.sklearn_builtin",
        required=("loader",),
        choices={"loader": ("breast_cancer", "digits", "iris", "wine")},
        mirrored=False,
    ),
    "file": Source(
        "ironbark.datasets.sources.local_file",
        required=("path",),
        optional=("format", "sha256"),
        choices={"format": FORMATS},
        mirrored=False,
    ),
    "openml": Source("ironbark.datasets.sources.openml_table", required=("openml_id",), optional=("mirror",)),
    "url": Source(
        "ironbark.datasets.sources.url_file",
        required=("url", "format"),
        optional=("sha256", "mirror"),
        choices={"format": FORMATS},
    ),
    "mirror": Source("ironbark.datasets.sources.mirror", optional=("mirror",)),
}


def resolve(name):
    """The entry of a source.

    Raises
    ------
    InputError
        If there is none of this name; the nearest one is named.
    """
    if name in SOURCES:
        return SOURCES[name]
    raise InputError(f"unknown source {name!r}; {suggest(name, SOURCES)}")


def suggest(name, known):
    """Half a sentence that names the nearest of the known names, or all of them."""
    near = difflib.get_close_matches(str(name), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(known)}"


_LATE = {"Bundle": "ironbark.datasets.bundle", "load": "ironbark.datasets.bundle"}


def __getattr__(name):
    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

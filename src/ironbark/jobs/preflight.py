"""Trying out the user's own tables before any job runs, so that a mistake in them is told at once."""

import contextlib
import tempfile
from pathlib import Path

from ironbark import protocols
from ironbark.datasets import bundle
from ironbark.datasets.fetch import fetch
from ironbark.datasets.prepare import prepare
from ironbark.errors import InputError


def check(name, entry, mirror, table, prepared, tasks, protocol):
    """Fetch, prepare and split a data set that lies on this machine, and keep nothing of it.

    Parameters
    ----------
    name : str
    entry : dict
        Of the catalogue.
    mirror : path or None
    table : path
        The file that the data set is read from.
    prepared : path
        Folder of the prepared data set; where it is newer than `table` and can be split, that is enough.
    tasks : iterable of str
    protocol : dict
        Keys kind, repeats, options.

    Raises
    ------
    InputError
        For whatever `fetch`, `prepare` or the protocol refuses.
    """
    if _newer(Path(prepared, bundle.META), Path(table)):
        with contextlib.suppress(InputError):  # it may be of an entry that has been mended since
            return _split(bundle.load(prepared), name, tasks, protocol)
    with tempfile.TemporaryDirectory() as folder:
        raw = fetch(name, entry, Path(folder, "raw"), mirror)
        _split(bundle.load(prepare(name, entry, raw, Path(folder, "prepared"))), name, tasks, protocol)


def _newer(meta, table):
    return meta.exists() and table.exists() and meta.stat().st_mtime > table.stat().st_mtime


def _split(data, name, tasks, protocol):
    for task in tasks:
        ids = (name, task, protocol["kind"])
        for _ in protocols.splits(protocol["kind"], data.y(task), data.split, ids, repeats=1, **protocol["options"]):
            pass

"""Source ``uci``: archives and plain files of the UCI Machine Learning Repository."""

import contextlib

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.data.io import archives, csv_files, formats
from ironbark.pipeline.data.sources import sites
from ironbark.pipeline.data.table.frame import listed

#: Ends of the names of data files, for archives whose entry names no members.
DATA = (".data", ".csv", ".dat", ".arff")

CHUNK = 200_000  # rows that are read at once where a sample is drawn
SEED = 0  # of the sample


def uci_site(id, entry, folder, mirror=None):
    """Download ``archive`` or ``files`` and make one table of the members or files, joined in their order."""
    who = f"data set {id!r}"
    paths, facts = sites.bring(who, entry, folder)
    if "archive" in entry:
        (path,) = paths
        with archives.opened(who, path) as content:
            names = [content.find(name) for name in entry.get("members") or _only(who, content)]
            table = _table(who, entry, names, [f"{path}: {name}" for name in names], content.open)
    else:
        table = _table(who, entry, paths, paths, lambda path: formats.opened(path, "csv"))
    return table, facts


def _only(who, content):
    names = [name for name in content.names if name.removesuffix(".gz").endswith(DATA)]
    if len(names) != 1:
        found = listed(names) or f"none of the kinds {', '.join(DATA)}"
        raise InputError(f"{who}: {content.path} has not one data file but {found}; set `members`")
    return names


def _table(who, entry, names, shown, opened):
    if "sample" in entry:
        return _sample(who, entry, names, shown, opened)
    tables = []
    for name, where in zip(names, shown, strict=True):
        with _reading(entry, name, where, opened) as stream:
            arff = entry.get("format") == "arff"
            tables.append(formats.read_stream(stream, "arff") if arff else _named(who, entry, _csv(entry, stream)))
    return sites.joined(who, tables, shown, entry.get("parts"))


@contextlib.contextmanager
def _reading(entry, name, where, opened):
    with formats.readable(where, entry.get("format", "csv")), opened(name) as stream:
        yield stream


def _csv(entry, stream, **options):
    separator = entry.get("separator", ",")
    fields = {
        "sep": r"\s+" if separator == "whitespace" else separator,
        "skiprows": entry.get("skip_rows", 0),
        "skipinitialspace": True,
    }
    if "columns" not in entry:
        csv_files.check_header(stream, **fields)
    return pd.read_csv(
        stream,
        header=None if "columns" in entry else 0,
        na_values=[*csv_files.MISSING, *filter(None, [entry.get("missing_marker")])],
        low_memory=False,
        **fields,
        **options,
    )


def _named(who, entry, table):
    """The table with the names of ``columns``."""
    csv_files.check_width(table)
    names = entry.get("columns")
    if names is None:
        return table
    if len(names) != table.shape[1]:
        raise InputError(f"{who}: a file has {table.shape[1]} columns, but `columns` names {len(names)}; fix it")
    return table.set_axis(names, axis=1)


def _sample(who, entry, names, shown, opened):
    """Each row gets a random number while the files are read, and those with the smallest ones stay."""
    rng, kept, keys, parts = np.random.default_rng(SEED), None, np.empty(0), entry.get("parts", [None] * len(names))
    for name, where, part in zip(names, shown, parts, strict=True):
        with _reading(entry, name, where, opened) as stream:
            for chunk in _csv(entry, stream, chunksize=CHUNK):
                rows = sites.with_parts(who, _named(who, entry, chunk), len(chunk), part and [part])
                kept = rows if kept is None else pd.concat([kept, rows], ignore_index=True)
                keys = np.concatenate([keys, rng.random(len(chunk))])
                stay = np.sort(np.argsort(keys, kind="stable")[: entry["sample"]])
                kept, keys = kept.iloc[stay].reset_index(drop=True), keys[stay]
    return kept

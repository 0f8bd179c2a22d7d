"""Sources ``keel``, ``libsvm``, ``imbalanced-learn``, ``uci`` and ``unsw-nb15``: files of public collections, joined.

Alcala-Fdez et al. (2011), KEEL data-mining software tool, Journal of Multiple-Valued Logic and Soft Computing 17;
Chang and Lin (2011), LIBSVM, ACM Transactions on Intelligent Systems and Technology 2(3); Ding (2011), Diversified
ensemble classifiers for highly imbalanced data learning, dissertation, Georgia State University (record 61452 of
zenodo.org); Moustafa and Slay (2015), UNSW-NB15: a comprehensive data set for network intrusion detection, MilCIS.
"""

import contextlib
import io

import numpy as np
import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.data import IMBALANCED, arff_files, csv_files, formats
from ironbark.pipeline.data.sources.files import SHARED, bring, joined, only_file, with_parts

#: Source -> ends of the names of data files, for archives whose entry names no members.
_ENDS = {"keel": (".dat",), "uci": (".data", ".csv", ".dat", ".data.gz", ".csv.gz", ".dat.gz")}


def fetch_tables(who, entry, folder):
    """Download ``archive`` or ``files`` and make one table of the members or files, joined in their order."""
    paths, facts = bring(who, entry, folder)
    if "archive" not in entry:
        return _table(who, entry, paths, paths, lambda path: formats.opened(path, "csv")), facts
    with formats.archive(who, paths[0]) as content:
        ends = [[name] for name in entry.get("members", ())] or [_ENDS[entry["source"]]]
        names = [content.find(*each) for each in ends]
        return _table(who, entry, names, [f"{paths[0]}: {name}" for name in names], content.open), facts


def _table(who, entry, names, shown, opened):
    tables, format = [], "keel" if entry["source"] == "keel" else "csv"
    separator = entry.get("separator", ",")
    options = {
        "names": entry.get("columns"),
        "sep": r"\s+" if separator == "whitespace" else separator,
        "skiprows": entry.get("skip_rows", 0),
        "skipinitialspace": True,
    }
    for name, where in zip(names, shown, strict=True):
        with formats.readable(f"{who}: {where}", format), opened(name) as stream:
            if format == "keel":
                tables.append(formats.compact(arff_files.read_keel(stream)))
            else:
                tables.append(csv_files.read(stream, **options))
    return joined(who, tables, shown, entry.get("parts"))


def fetch_libsvm(who, entry, folder):
    """Download ``files`` and make one table of them, as wide as the widest."""
    paths, facts = bring(who, entry, folder)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(formats.opened(path, "libsvm")) for path in paths]
        table, lengths = formats.read_libsvm(streams, entry["target"])
    return with_parts(who, table, lengths, entry.get("parts")), facts


def fetch_imbalanced(who, entry, folder):
    """Take the data set ``name`` out of the archive, which all data sets of this source share."""
    (archive,), facts = bring(who, entry, folder.parent / SHARED)
    with formats.archive(who, archive) as content:
        member = content.find(f"x{IMBALANCED.index(entry['name']) + 1}data.npz")
        with formats.readable(f"{archive}: {member}", "npz"), content.open(member) as stream:
            arrays = np.load(io.BytesIO(stream.read()), allow_pickle=False)
            X, y = arrays["data"], arrays["label"]
            if X.ndim != 2 or y.shape != (len(X),):
                raise ValueError(f"shapes {X.shape} of the data and {y.shape} of the labels do not fit")
    columns = {f"f{j + 1}": formats.smallest(X[:, j]) for j in range(X.shape[1])}
    return pd.DataFrame({**columns, entry["target"]: formats.smallest(y)}), facts


UNSW_TRAIN_ROWS = 175_341
UNSW_DROPPED = ["id", "proto", "service", "state", "label"]
UNSW_TARGET = "attack_cat"
PARTITION = "name the two CSV files of the official partition"


def fetch_unsw(who, entry, folder):
    """Join the two files, training part first."""
    if len(entry["files"]) != 2:
        raise InputError(f"{who}: `files` has {len(entry['files'])} entries; {PARTITION}")
    found = [only_file(who, entry | {"files": [place]}, "files", folder) for place in entry["files"]]
    paths, facts = zip(*found, strict=True)
    tables = [_unsw_part(who, path) for path in paths]
    tables.sort(key=lambda table: len(table) != UNSW_TRAIN_ROWS)
    if [len(table) == UNSW_TRAIN_ROWS for table in tables] != [True, False]:
        found = " and ".join(f"{len(table)}" for table in tables)
        raise InputError(f"{who}: the training part has {UNSW_TRAIN_ROWS} rows, but `files` have {found}; {PARTITION}")
    return joined(who, tables, paths, ["train", "test"]), {"files": sum((one["files"] for one in facts), [])}


def _unsw_part(who, path):
    with formats.opened(path, "csv") as stream:
        table = csv_files.read(stream, skipinitialspace=True)
    for name in (*UNSW_DROPPED, UNSW_TARGET):
        if name not in table.columns:
            raise InputError(f"{who}: {path} has no column {name!r}; {PARTITION}")
    return table.drop(columns=UNSW_DROPPED).assign(**{UNSW_TARGET: table[UNSW_TARGET].str.strip()})

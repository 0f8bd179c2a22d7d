"""Source ``unsw-nb15``: the two CSV files of the official partition of UNSW-NB15.

Moustafa and Slay (2015), UNSW-NB15: a comprehensive data set for network intrusion detection systems, MilCIS.
"""

import pandas as pd

from ironbark.errors import InputError
from ironbark.pipeline.data.io import formats
from ironbark.pipeline.data.sources import site

TRAIN_ROWS = 175_341
DROPPED = ["id", "proto", "service", "state", "label"]
TARGET = "attack_cat"


def fetch(id, entry, folder, mirror=None):
    """Join the two files, training part first."""
    who = f"data set {id!r}"
    if len(entry["files"]) != 2:
        raise InputError(f"{who}: `files` must name the two CSV files of the official partition")
    found = [site.only_file(who, entry | {"files": [place]}, "files", folder) for place in entry["files"]]
    paths, facts = zip(*found, strict=True)
    tables = [_read(who, path) for path in paths]
    tables.sort(key=lambda table: len(table) != TRAIN_ROWS)
    if [len(table) == TRAIN_ROWS for table in tables] != [True, False]:
        found = " and ".join(f"{len(table):,}" for table in tables)
        raise InputError(
            f"{who}: the training part has {TRAIN_ROWS:,} rows, but `files` have {found}; name the two CSV files of "
            "the official partition"
        )
    return site.joined(who, tables, paths, ["train", "test"]), {"files": sum((one["files"] for one in facts), [])}


def _read(who, path):
    with formats.opened(path, "csv") as stream:
        table = pd.read_csv(stream, encoding="utf-8-sig", skipinitialspace=True, low_memory=False)
    for name in (*DROPPED, TARGET):
        if name not in table.columns:
            raise InputError(f"{who}: {path} has no column {name!r}; name the two CSV files of the official partition")
    return table.drop(columns=DROPPED).assign(**{TARGET: table[TARGET].str.strip()})

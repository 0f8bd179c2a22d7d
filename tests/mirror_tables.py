"""Ready tables of the papers' data sets, where this machine has them, and the catalogue that goes with them."""

import csv
import json
import os
from functools import cache
from pathlib import Path

import pytest
import yaml
from pyarrow.parquet import read_schema

from ironbark.pipeline.data import mirrored
from ironbark.pipeline.data.fetch import fetch
from ironbark.pipeline.data.prepare import prepare
from ironbark.pipeline.plan.config.reading import read

ROOT = Path(__file__).parents[1]

#: Its place: the environment variable, or beside the repository.
MIRROR = Path(os.environ.get("IRONBARK_MIRROR", ROOT.parent / "shared/mirror"))

#: Tables of more than this many bytes are slow.
SMALL = 600_000


@cache
def config():
    """The entries of the project's configuration, with what differs in a mirror."""
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)


def catalogue():
    """Id -> entry of a data set."""
    return config()["datasets"]


@cache
def manifest():
    """Name of a table of the mirror -> its row in the list of the mirror; empty without one."""
    if not (MIRROR / "MANIFEST.csv").is_file():
        return {}
    with open(MIRROR / "MANIFEST.csv", encoding="utf-8", newline="") as stream:
        return {row["name"]: row for row in csv.DictReader(stream)}


def table_of(name):
    """Path of the table of a data set in the mirror."""
    return MIRROR / f"{catalogue()[name].get('mirror', name)}.parquet"


def mirrored_ids():
    """Ids of the data sets that a mirror may hold as numbers, as parameters; large ones are marked slow."""
    ids = [name for name, entry in catalogue().items() if mirrored(entry) and name != "20news-raw"]
    return [pytest.param(name, marks=[pytest.mark.slow] if large(table_of(name)) else []) for name in ids]


def large(path):
    """Whether a table is there and takes seconds to prepare."""
    return path.is_file() and path.stat().st_size > SMALL


def prepared(name, folder, entry=None):
    """Folder of a data set that was fetched from the mirror and prepared; a skip where its table is not there."""
    entry = catalogue()[name] if entry is None else entry
    table = MIRROR / f"{entry.get('mirror', name)}.parquet"
    if not table.is_file():
        pytest.skip(f"there is no table {table.name} in a mirror; set IRONBARK_MIRROR to its folder")
    if "given" in entry and entry["given"] not in read_schema(table).names:
        pytest.skip(f"{table.name} has no column of the given labels")
    raw = fetch(name, entry, folder / "raw" / name, MIRROR)
    return prepare(name, entry, raw, folder / "prepared" / name)


def meta_of(folder):
    """Content of meta.json."""
    return json.loads((folder / "meta.json").read_text(encoding="utf-8"))

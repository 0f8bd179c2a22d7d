"""Sources ``file``, ``url`` and ``mirror``, and what all sources share: files, tables of others, official parts."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pooch
import pyarrow as pa
import pyarrow.parquet as pq
from pandas.api.types import is_numeric_dtype

from ironbark.errors import InputError
from ironbark.files import replacing, sha256
from ironbark.pipeline.data import addresses, formats
from ironbark.pipeline.data.download import download
from ironbark.pipeline.data.frame import changed, listed, refuse_repeated
from ironbark.pipeline.log import redacted

#: Folder, beside those of the data sets, of files that several of them share; no data set can have this id.
SHARED = "_shared"

#: The raw table in the folder of a data set, and its column of official parts.
TABLE, SPLIT = "table.parquet", "split"


def bring(who: str, entry: dict, folder: Path):
    """Download the files of an entry."""
    files = addresses.files(entry)
    paths = [folder / addresses.local_name(file.name) for file in files]
    pairs = zip(files, paths, strict=True)
    return paths, {"files": [download(who, file.urls, path, file.checksum) for file, path in pairs]}


def only_file(who, entry, field, folder):
    """Path and facts of the one file that an entry names in `field`: one of this machine, or downloaded by `bring`."""
    name = addresses.first(addresses.named(entry)[0])
    if addresses.is_remote(name):
        (path,), facts = bring(who, entry, folder)
        return path, facts
    facts = check_local(who, Path(name), field, addresses.checksum(entry, name))
    return Path(name), {"files": [{"path": name, **facts}]}


def check_local(who, path, field, expected=None):
    """sha256 and bytes of a file of this machine, which the entry names in `field`, as a dict."""
    if not path.is_file():
        raise InputError(f"{who}: there is no file {path}; put it there or fix `{field}`")
    found = sha256(path)
    if not pooch.hashes.hash_matches(path, expected):
        raise InputError(
            f"{who}: {path} has SHA-256 {found}, but the catalogue expects {expected}; get the right file, or find out "
            "what changed before you edit `sha256`"
        )
    return {"sha256": found, "bytes": path.stat().st_size}


def base_table(folder, source):
    """Raw table of another data set, whose folder is beside `folder`."""
    return formats.read(folder.parent / source / TABLE, "parquet")


def joined(who, tables, names, parts):
    """One table of several, with a column ``split`` where their parts are known."""
    columns = list(tables[0].columns)
    for table, name in zip(tables, names, strict=True):
        if list(table.columns) != columns:
            raise InputError(
                f"{who}: {name} has the columns {listed(table.columns)}, but {names[0]} has {listed(columns)}; "
                "fix `columns`, or join files of one kind only"
            )
    for name in columns:
        if len({is_numeric_dtype(table[name].dtype) for table in tables}) == 2:  # text in one file, numbers in another
            tables = [changed(table, {name: table[name].convert_dtypes().astype("str")}) for table in tables]
    return with_parts(who, pd.concat(tables, ignore_index=True), [len(table) for table in tables], parts)


def with_parts(who, table, lengths, parts):
    """The table with a column ``split`` that says the part of each row; unchanged if the parts are not known."""
    if parts is None:
        return table
    if SPLIT in table.columns:
        raise InputError(f"{who}: the table has a column {SPLIT!r} already, so leave out `parts`")
    return pd.concat([table, pd.Series(np.repeat(parts, lengths), name=SPLIT, dtype="category")], axis=1)


def fetch_local(who, entry, folder):
    """Take the table of the file ``path`` (relative to the working folder)."""
    path = Path(entry["path"])
    facts = check_local(who, path, "path", addresses.checksum(entry, None))
    return _table(who, entry, path, path, folder), facts


def fetch_url(who, entry, folder):
    """Download the file of ``url`` into `folder` and take its table."""
    (path,), facts = bring(who, entry, folder)
    return _table(who, entry, path, redacted(addresses.first(entry["url"])), folder), facts


def _table(who, entry, path, shown, folder):
    """The table of a file; a Parquet file is the raw table as it is."""
    format = entry.get("format") or formats.format_of(path)
    if format == "parquet" and path.suffix not in formats.COMPRESSED:
        _schema(f"{who}: {shown}", path)
        return _copied(path, folder)
    return formats.read(path, format, entry["target"], f"{who}: {shown}")


def _schema(name, path):
    try:
        schema = pq.read_schema(path)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{name} is not a Parquet file or is damaged; get it again") from error
    refuse_repeated(name, schema.names)
    return schema


def _copied(path, folder):
    with replacing(folder / TABLE) as side:
        shutil.copyfile(path, side)
    return folder / TABLE


def fetch_mirror(who, entry, folder):
    """Copy the table of a data set out of the mirror, where it is at ``path``."""
    copy = _copied(entry["path"], folder)
    return copy, {"mirror": entry["path"].stem, "sha256": sha256(copy), "bytes": copy.stat().st_size}


def located(id, entry, mirror):
    """Path of the table of a data set in a mirror; InputError as of `fetch`."""
    if mirror is None:
        raise InputError(f"data set {id!r} is only in the mirror; give its folder with --config mirror=DIR")
    if not Path(mirror).is_dir():
        raise InputError(f"there is no mirror folder {mirror}; fix --config mirror=DIR or leave it out")
    table = Path(mirror) / f"{entry.get('mirror', id)}.parquet"
    if not table.is_file():
        raise InputError(f"data set {id!r}: the mirror folder {mirror} has no table {table.name}; add it there")
    if "target" not in _schema(f"data set {id!r}: {table}", table).names:
        raise InputError(f"data set {id!r}: {table} has no column 'target', which every table of a mirror needs")
    return table

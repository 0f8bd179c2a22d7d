"""Sources ``file``, ``url`` and ``mirror``, and what all sources share: files, tables of others, official parts."""

import shutil
import urllib.parse
from pathlib import Path

import numpy as np
import pandas as pd
import pooch
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.errors import InputError
from ironbark.files import replacing, sha256
from ironbark.pipeline.data import addresses, formats
from ironbark.pipeline.data.download import MIRROR, download
from ironbark.pipeline.data.frame import listed, refuse_repeated
from ironbark.pipeline.log import redacted

#: Folder, beside those of the data sets, of files that several of them share; no data set can have this id.
SHARED = "_shared"

#: The column of official parts.
SPLIT = "split"


def bring(who: str, entry: dict, folder: Path, instead: str = MIRROR):
    """Download the files of an entry."""
    paths, facts = [], []
    for file in addresses.files(entry):
        path = folder / addresses.local_name(file.name)
        facts.append(download(who, file.urls, path, file.checksum, instead=instead))
        paths.append(path)
    return paths, {"files": facts}


def only_file(who, entry, field, folder, instead=MIRROR):
    """Path and facts of the one file that an entry names in `field`: one of this machine, or downloaded by `bring`."""
    name = addresses.first(addresses.named(entry)[0])
    if addresses.is_remote(name):
        (path,), facts = bring(who, entry, folder, instead)
        return path, facts
    facts = check_local(who, Path(name), field, addresses.checksum(entry, name))
    return Path(name), {"files": [{"path": name, **facts}]}


def base_table(who, field, source, folder):
    """Raw table of the data set that an entry names in `field`; its folder is beside `folder`."""
    path = folder.parent / source / "table.parquet"
    if not path.is_file():
        raise InputError(f"{who}: the data set {source!r} of `{field}` is not there; fetch it first")
    return formats.read(path, "parquet")


def original_name(name, format):
    """Name of the raw file: ``original.<format>`` with the suffix of a compression, or the table itself."""
    suffix = Path(name).suffix
    compression = suffix if suffix in formats.COMPRESSED else ""
    return "table.parquet" if (format, compression) == ("parquet", "") else f"original.{format}{compression}"


def check_parquet(id, file, origin):
    """Arrow schema of `file`, from `origin`."""
    who = f"data set {id!r}: {origin}"
    try:
        schema = pq.read_schema(file)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{who} is not a Parquet file or is damaged; get it again") from error
    refuse_repeated(who, schema.names)
    return schema


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


def joined(who, tables, names, parts):
    """One table of several, with a column ``split`` where their parts are known."""
    columns = list(tables[0].columns)
    for table, name in zip(tables, names, strict=True):
        if list(table.columns) != columns:
            raise InputError(
                f"{who}: {name} has the columns {listed(table.columns)}, but {names[0]} has {listed(columns)}; "
                "fix `columns`, or join files of one kind only"
            )
    lengths = [len(table) for table in tables]
    return with_parts(who, pd.concat(tables, ignore_index=True), lengths, parts)


def with_parts(who, table, lengths, parts):
    """The table with a column ``split`` that says the part of each row; unchanged if the parts are not known."""
    if parts is None:
        return table
    if SPLIT in table.columns:
        raise InputError(f"{who}: the table has a column {SPLIT!r} already, so leave out `parts`")
    return pd.concat([table, pd.Series(np.repeat(parts, lengths), name=SPLIT, dtype="category")], axis=1)


def fetch_local(id, entry, folder, mirror=None):
    """Copy the file of ``path`` (relative to the working folder) into `folder`."""
    path = Path(entry["path"])
    facts = check_local(f"data set {id!r}", path, "path", addresses.checksum(entry, None))
    copy = folder / original_name(path.name, entry.get("format") or formats.format_of(path))
    if copy.name == "table.parquet":
        check_parquet(id, path, path)
    with replacing(copy) as side:
        shutil.copyfile(path, side)
    return copy, facts


def fetch_url(id, entry, folder, mirror=None):
    """Download the file of ``url`` into `folder`."""
    (file,) = addresses.files(entry)
    path = folder / original_name(urllib.parse.urlsplit(file.name).path, entry["format"])
    shown = redacted(file.name)
    check = (lambda side: check_parquet(id, side, shown)) if path.name == "table.parquet" else None
    return path, download(f"data set {id!r}", file.urls, path, file.checksum, check)


def fetch_mirror(id, entry, folder, mirror=None):
    """Copy the table of a data set out of the mirror."""
    table, copy = located(id, entry, mirror), folder / "table.parquet"
    with replacing(copy) as side:
        shutil.copyfile(table, side)
    return copy, {"mirror": entry.get("mirror", id), "sha256": sha256(copy), "bytes": copy.stat().st_size}


def located(id, entry, mirror):
    """Path of the table of a data set in a mirror; InputError as of `fetch`."""
    if mirror is None:
        raise InputError(f"data set {id!r} is only in the mirror; give its folder with --config mirror=DIR")
    if not Path(mirror).is_dir():
        raise InputError(f"there is no mirror folder {mirror}; fix --config mirror=DIR or leave it out")
    table = Path(mirror) / f"{entry.get('mirror', id)}.parquet"
    if not table.is_file():
        raise InputError(f"data set {id!r}: the mirror folder {mirror} has no table {table.name}; add it there")
    if "target" not in check_parquet(id, table, table).names:
        raise InputError(f"data set {id!r}: {table} has no column 'target', which every table of a mirror needs")
    return table

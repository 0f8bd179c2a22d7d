"""What sources share: their original files, the tables of other data sets, official parts."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pooch
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.errors import InputError
from ironbark.files import sha256
from ironbark.pipeline.data import IMBALANCED
from ironbark.pipeline.data.io import addresses, archives, formats
from ironbark.pipeline.data.io.download import MIRROR, download
from ironbark.pipeline.data.table.frame import listed, refuse_repeated

#: Folder, beside those of the data sets, of files that several of them share; no data set can have this id.
SHARED = "_shared"

#: The column of official parts.
SPLIT = "split"


def bring(who: str, entry: dict, folder: Path, instead: str = MIRROR):
    """Download the files of an entry."""
    paths, facts = [], []
    for file in addresses.files(entry):
        path = folder / addresses.local_name(file.name)
        facts.append(download(who, file.urls, path, file.checksum, instead=instead, copy=file.copy))
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


def libsvm_site(id, entry, folder, mirror=None):
    """Download ``files`` and make one table of them, as wide as the widest."""
    who = f"data set {id!r}"
    paths, facts = bring(who, entry, folder)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(formats.opened(path, "libsvm")) for path in paths]
        table, lengths = formats.read_libsvm(streams, entry["target"])
    return with_parts(who, table, lengths, entry.get("parts")), facts


def keel_site(id, entry, folder, mirror=None):
    """Download ``archive`` and make one table of its ``members``, or of its only .dat file."""
    who = f"data set {id!r}"
    (path,), facts = bring(who, entry, folder)
    tables = []
    with archives.opened(who, path) as content:
        names = [content.find(name) for name in entry.get("members") or _only(who, content)]
        for name in names:
            with formats.readable(f"{path}: {name}", "keel"), content.open(name) as stream:
                tables.append(formats.read_stream(stream, "keel"))
    return joined(who, tables, names, entry.get("parts")), facts


def _only(who, content):
    names = [name for name in content.names if name.endswith(".dat")]
    if len(names) != 1:
        raise InputError(f"{who}: {content.path} has not one .dat file but {listed(names) or 'none'}; set `members`")
    return names


def imbalanced_learn(id, entry, folder, mirror=None):
    """Take the data set ``name`` out of the archive, which all data sets of this source share."""
    who = f"data set {id!r}"
    (archive,), facts = bring(who, entry, folder.parent / SHARED)
    with archives.opened(who, archive) as content:
        member = content.find(f"x{IMBALANCED.index(entry['name']) + 1}data.npz")
        with formats.readable(f"{archive}: {member}", "npz"), content.open(member) as stream:
            arrays = np.load(io.BytesIO(stream.read()), allow_pickle=False)
            X, y = arrays["data"], arrays["label"]
            if X.ndim != 2 or y.shape != (len(X),):
                raise ValueError(f"shapes {X.shape} of the data and {y.shape} of the labels do not fit")
    columns = {f"f{j + 1}": formats.smallest(X[:, j]) for j in range(X.shape[1])}
    return pd.DataFrame({**columns, entry["target"]: formats.smallest(y)}), facts


TRAIN_ROWS = 175_341
DROPPED = ["id", "proto", "service", "state", "label"]
TARGET = "attack_cat"


def unsw_nb15(id, entry, folder, mirror=None):
    """Join the two files, training part first."""
    who = f"data set {id!r}"
    if len(entry["files"]) != 2:
        raise InputError(f"{who}: `files` must name the two CSV files of the official partition")
    found = [only_file(who, entry | {"files": [place]}, "files", folder) for place in entry["files"]]
    paths, facts = zip(*found, strict=True)
    tables = [_read(who, path) for path in paths]
    tables.sort(key=lambda table: len(table) != TRAIN_ROWS)
    if [len(table) == TRAIN_ROWS for table in tables] != [True, False]:
        found = " and ".join(f"{len(table):,}" for table in tables)
        raise InputError(
            f"{who}: the training part has {TRAIN_ROWS:,} rows, but `files` have {found}; name the two CSV files of "
            "the official partition"
        )
    return joined(who, tables, paths, ["train", "test"]), {"files": sum((one["files"] for one in facts), [])}


def _read(who, path):
    with formats.opened(path, "csv") as stream:
        table = pd.read_csv(stream, encoding="utf-8-sig", skipinitialspace=True, low_memory=False)
    for name in (*DROPPED, TARGET):
        if name not in table.columns:
            raise InputError(f"{who}: {path} has no column {name!r}; name the two CSV files of the official partition")
    return table.drop(columns=DROPPED).assign(**{TARGET: table[TARGET].str.strip()})

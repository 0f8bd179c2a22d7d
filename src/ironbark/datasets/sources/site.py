"""What the sources that download files have in common: places, checksums, official parts."""

import re
import urllib.parse

import numpy as np
import pandas as pd

from ironbark.datasets.download import download
from ironbark.datasets.frame import listed
from ironbark.errors import InputError

#: Folder, beside those of the data sets, of files that several of them share; no data set can have this id.
SHARED = "_shared"

#: The column of official parts.
SPLIT = "split"


def address(base, name):
    """Full address of a file below the address of a folder."""
    return urllib.parse.urljoin(base, name)


def local_name(name):
    """File name on this machine, different for different addresses."""
    return re.sub("[^A-Za-z0-9.]+", "-", urllib.parse.unquote(name.partition("://")[2] or name)).strip("-.")


def bring(who, entry, names, base, folder):
    """Download some files of an entry, with the checksums of its ``sha256``.

    Parameters
    ----------
    who : str
        The data set, for errors.
    entry : dict
    names : list of str
        Addresses, full or below `base`.
    base : str
    folder : Path

    Returns
    -------
    paths : list of Path
    facts : dict
        For ``fetch.json``: url, sha256 and bytes of each, under ``files``.
    """
    sums = entry.get("sha256")
    sums = sums if isinstance(sums, dict) else dict.fromkeys(names, sums)
    paths = [folder / local_name(name) for name in names]
    files = [download(who, address(base, name), path, sums.get(name)) for name, path in zip(names, paths, strict=True)]
    return paths, {"files": files}


def joined(who, tables, names, parts):
    """One table of several, with a column ``split`` where their parts are known.

    Raises
    ------
    InputError
        If their columns differ.
    """
    columns = list(tables[0].columns)
    for table, name in zip(tables, names, strict=True):
        if list(table.columns) != columns:
            raise InputError(
                f"{who}: {name} has the columns {listed(table.columns)}, but {names[0]} has {listed(columns)}; "
                "mend `columns`, or join files of one kind only"
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

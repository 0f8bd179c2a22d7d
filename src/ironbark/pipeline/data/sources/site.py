"""Base of the sources that download files: places and official parts."""

import numpy as np
import pandas as pd

from ironbark.pipeline.data.io import addresses
from ironbark.pipeline.data.io.download import MIRROR, download
from ironbark.pipeline.data.table.frame import listed
from ironbark.errors import InputError

#: Folder, beside those of the data sets, of files that several of them share; no data set can have this id.
SHARED = "_shared"

#: The column of official parts.
SPLIT = "split"


def bring(who, entry, folder, instead=MIRROR):
    """Download the files of an entry.

    Parameters
    ----------
    who : str
        The data set, for errors.
    entry : dict
    folder : Path
    instead : str
        What else the user can do, for errors: half a sentence.

    Returns
    -------
    paths : list of Path
    facts : dict
        For ``fetch.json``: url, sha256 and bytes of each, under ``files``.
    """
    paths, facts = [], []
    for file in addresses.files(entry):
        path = folder / addresses.local_name(file.name)
        facts.append(download(who, file.urls, path, file.checksum, instead=instead, copy=file.copy))
        paths.append(path)
    return paths, {"files": facts}


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

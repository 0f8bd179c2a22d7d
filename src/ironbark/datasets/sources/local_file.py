"""Source ``file``: a table on this machine."""

import shutil
from pathlib import Path

from ironbark.datasets import formats
from ironbark.datasets.sources.original import check, original_name
from ironbark.errors import InputError
from ironbark.files import replacing


def fetch(id, entry, folder, mirror=None):
    """Copy the file of ``path`` (relative to the working folder) into `folder`.

    Returns
    -------
    Path
        ``table.parquet`` for a Parquet file, else ``original.<format>``.

    Raises
    ------
    InputError
        If the file does not exist, is of an unknown format or has another checksum than the entry says.
    """
    path = Path(entry["path"])
    if not path.is_file():
        raise InputError(f"data set {id!r}: there is no file {path}; put it there or mend `path`")
    copy = folder / original_name(path.name, entry.get("format") or formats.format_of(path))
    with replacing(copy) as side:
        shutil.copyfile(path, side)
        check(id, entry, side, path, copy)
    return copy

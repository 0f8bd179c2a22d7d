"""Source ``mirror``: a folder of ready tables, ``<name>.parquet`` each, for machines without a network."""

import shutil
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import replacing, sha256
from ironbark.pipeline.data.sources.site import check_parquet


def fetch(who, entry, folder, mirror):
    """Copy the table of a data set out of the mirror.

    Raises
    ------
    InputError
        If no mirror is given, or the folder, the table or its column ``target`` is missing.
    """
    table, copy = located(who, entry, mirror), folder / "table.parquet"
    with replacing(copy) as side:
        shutil.copyfile(table, side)
    return copy, {"mirror": entry["mirror"], "sha256": sha256(copy), "bytes": copy.stat().st_size}


def located(who, entry, mirror):
    """Path of the table in a mirror that ``mirror`` of an entry names; InputError as of `fetch`."""
    if mirror is None:
        raise InputError(f"{who} is only in the mirror; give its folder with --config mirror=DIR")
    if not Path(mirror).is_dir():
        raise InputError(f"there is no mirror folder {mirror}; fix --config mirror=DIR or leave it out")
    table = Path(mirror) / f"{entry['mirror']}.parquet"
    if not table.is_file():
        raise InputError(f"{who}: the mirror folder {mirror} has no table {table.name}; add it there")
    if "target" not in check_parquet(who, table, table).names:
        raise InputError(f"{who}: {table} has no column 'target', which every table of a mirror needs")
    return table

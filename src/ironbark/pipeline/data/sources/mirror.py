"""Source ``mirror``: a folder of ready tables, ``<name>.parquet`` each, for machines without a network."""

import shutil
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import replacing, sha256
from ironbark.pipeline.data.sources.site import check_parquet


def fetch(id, entry, folder, mirror=None):
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

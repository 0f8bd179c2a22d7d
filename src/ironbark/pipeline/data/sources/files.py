"""Source ``url``: a file on the web."""

import shutil
import urllib.parse
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import replacing, sha256
from ironbark.pipeline.data.io import addresses, formats
from ironbark.pipeline.data.io.download import download
from ironbark.pipeline.data.sources.sites import check_local, check_parquet, original_name


def url_file(id, entry, folder, mirror=None):
    """Download the file of ``url`` into `folder`."""
    (file,) = addresses.files(entry)
    path = folder / original_name(urllib.parse.urlsplit(file.name).path, entry["format"])
    shown = addresses.redacted(file.name)
    check = (lambda side: check_parquet(id, side, shown)) if path.name == "table.parquet" else None
    return path, download(f"data set {id!r}", file.urls, path, file.checksum, check, copy=file.copy)


def local_file(id, entry, folder, mirror=None):
    """Copy the file of ``path`` (relative to the working folder) into `folder`."""
    path = Path(entry["path"])
    facts = check_local(f"data set {id!r}", path, "path", addresses.checksum(entry, None))
    copy = folder / original_name(path.name, entry.get("format") or formats.format_of(path))
    if copy.name == "table.parquet":
        check_parquet(id, path, path)
    with replacing(copy) as side:
        shutil.copyfile(path, side)
    return copy, facts


def from_mirror(id, entry, folder, mirror=None):
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

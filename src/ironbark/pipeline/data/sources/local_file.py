"""Source ``file``: a table on this machine."""

import shutil
from pathlib import Path

from ironbark.files import replacing
from ironbark.pipeline.data.io import addresses, formats
from ironbark.pipeline.data.sources.site import check_local, check_parquet, original_name


def fetch(id, entry, folder, mirror=None):
    """Copy the file of ``path`` (relative to the working folder) into `folder`."""
    path = Path(entry["path"])
    facts = check_local(f"data set {id!r}", path, "path", addresses.checksum(entry, None))
    copy = folder / original_name(path.name, entry.get("format") or formats.format_of(path))
    if copy.name == "table.parquet":
        check_parquet(id, path, path)
    with replacing(copy) as side:
        shutil.copyfile(path, side)
    return copy, facts

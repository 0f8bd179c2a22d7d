"""Source ``url``: a file on the web."""

import urllib.parse

from ironbark.pipeline.data.io import addresses
from ironbark.pipeline.data.io.download import download
from ironbark.pipeline.data.sources.site import check_parquet, original_name


def fetch(id, entry, folder, mirror=None):
    """Download the file of ``url`` into `folder`."""
    (file,) = addresses.files(entry)
    path = folder / original_name(urllib.parse.urlsplit(file.name).path, entry["format"])
    shown = addresses.redacted(file.name)
    check = (lambda side: check_parquet(id, side, shown)) if path.name == "table.parquet" else None
    return path, download(f"data set {id!r}", file.urls, path, file.checksum, check, copy=file.copy)

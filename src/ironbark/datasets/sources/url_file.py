"""Source ``url``: a file on the web, checked by its SHA-256."""

import http.client
import time
import urllib.error
import urllib.parse
import urllib.request

from ironbark.datasets.sources.original import check, original_name
from ironbark.errors import InputError
from ironbark.files import replacing, sha256

TIMEOUT = 60  # seconds without a byte
PAUSES = (1, 5, 25)  # seconds before the second, third and fourth try
PIECE = 1 << 20  # bytes
TOO_MANY_REQUESTS, SERVER_ERROR = 429, 500


def fetch(id, entry, folder, mirror=None):
    """Download the file of ``url`` into `folder`; a file that is there already with the right checksum is kept.

    Returns
    -------
    Path
        ``table.parquet`` for a Parquet file, else ``original.<format>``, compressed as on the web.

    Raises
    ------
    InputError
        If the server has no such file or cannot be reached, sends a web page instead of data, breaks off four times,
        or sends a file with another checksum than the entry says.
    """
    url = entry["url"]
    path = folder / original_name(urllib.parse.urlsplit(url).path, entry["format"])
    if "sha256" in entry and path.is_file() and sha256(path) == entry["sha256"]:
        return path
    with replacing(path) as side:
        _download(id, url, side, _remedy(entry, path))
        _refuse_web_page(id, url, side)
        check(id, entry, side, url, path)
    return path


def _remedy(entry, path):
    mirror = "give the folder of a mirror with --config mirror=DIR"
    return f"download it by hand to {path}, or {mirror}" if "sha256" in entry else mirror


def _download(id, url, side, remedy):
    """Stream the file to `side`, with new tries after faults that may pass."""
    for pause in (*PAUSES, None):
        try:
            return _stream(url, side)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code != TOO_MANY_REQUESTS and error.code < SERVER_ERROR:
                said = f"{error.code} {error.reason}"
                raise InputError(f"data set {id!r}: {url} answers {said}; mend the url, or {remedy}") from error
            fault = error
        except (ConnectionError, TimeoutError, urllib.error.URLError, http.client.HTTPException) as error:
            fault = error
        if pause is not None:
            time.sleep(pause)
    raise InputError(
        f"data set {id!r}: {url} cannot be fetched in {len(PAUSES) + 1} tries ({fault}); check the network, or {remedy}"
    ) from fault


def _stream(url, side):
    request = urllib.request.Request(url, headers={"User-Agent": "ironbark"})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response, open(side, "wb") as stream:
        while piece := response.read(PIECE):
            stream.write(piece)
        promised, got = response.headers.get("Content-Length"), stream.tell()
    if promised is not None and int(promised) != got:
        raise ConnectionError(f"the connection was cut after {got} of {promised} bytes")


def _refuse_web_page(id, url, side):
    with open(side, "rb") as stream:
        start = stream.read(512).lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        raise InputError(
            f"data set {id!r}: {url} gives a web page instead of data; the file has moved or needs a login: "
            "mend the url, or give the folder of a mirror with --config mirror=DIR"
        )

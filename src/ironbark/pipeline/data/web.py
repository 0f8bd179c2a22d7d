"""Requests over HTTP, and a downloader for pooch that continues a file where it broke off, as those of pooch cannot."""

import contextlib
import json
import os
import re
import shutil
import time
from pathlib import Path

import requests
import urllib3

import ironbark
from ironbark.errors import InputError
from ironbark.files import sha256, write_all
from ironbark.pipeline.log import Progress, redacted

TIMEOUT = 60  # seconds without a byte
PAUSES = (1, 5, 25)  # seconds before the second, third and fourth try without progress
LONGEST_PAUSE = 120  # seconds, whatever the server asks for
PIECE = 1 << 20  # bytes
OK, PARTIAL, NOT_SATISFIABLE, TOO_MANY_REQUESTS, SERVER_ERROR = 200, 206, 416, 429, 500

#: Beginning of web pages and XML, such as error messages of servers; no format of a data set begins like it.
_PAGE = re.compile(rb"(\xef\xbb\xbf)?\s*<[!?a-z]", re.IGNORECASE)


class Refused(Exception):
    """An address does not give the file; the message says why."""


class _Session(requests.Session):
    def get_redirect_target(self, response):
        """Follow redirects, but never from https to http."""
        target = super().get_redirect_target(response)
        if target and response.url.startswith("https://") and target.startswith("http://"):
            raise Refused(f"{response.url} redirects to {target}, which is not encrypted")
        return target


AGENT = f"ironbark-learn/{ironbark.__version__}"


def ask(url: str, **headers: str) -> requests.Response:
    """Send a request; the response, whatever its status, is open for reading."""
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity", **headers}
    return _Session().get(url, headers=headers, stream=True, timeout=TIMEOUT)


def is_page(start: bytes) -> bool:
    """Whether the first bytes of a file are those of a web page or XML."""
    return bool(_PAGE.match(start))


class Resuming:
    """A downloader for `pooch.retrieve`, which keeps what came in a side file for the next try or the next run.

    Without an `expected` checksum, a server must say where the file ends. `sha256` is that of the complete file.
    """

    def __init__(self, side: Path, expected: str | None = None):
        self.side, self.expected, self.sha256 = side, expected, None

    def __call__(self, url, output_file, pooch):
        """Bring the file at `url` to the path `output_file`."""
        with open(self.side, "a+b", buffering=0) as stream:
            ends = _transfer(url, stream)
            start = os.pread(stream.fileno(), 512, 0)
        fault = "gives a web page instead of data" if is_page(start) else "" if start else "gives an empty file"
        if not (fault or ends or self.expected):
            fault = "does not say how long the file is, so it may be cut; state its `sha256`"
        if fault:
            forget(self.side)
            raise Refused(f"{url} {fault}")
        self.sha256 = sha256(self.side)
        _state(self.side).unlink(missing_ok=True)
        os.replace(self.side, output_file)


def forget(side):
    """Remove a side file and what is known of it."""
    _state(side).unlink(missing_ok=True)
    Path(side).unlink(missing_ok=True)


def _state(side):
    """Path of the file that says what a side file is the beginning of."""
    return Path(f"{side}.json")


def _transfer(url, stream) -> bool:
    """Append what is missing of the file at `url`; whether its end is certain."""
    tries = reached = 0
    while True:
        try:
            return _one_try(url, stream)
        except requests.exceptions.SSLError as error:  # it will not be another certificate in half a minute
            raise Refused(
                f"the certificate of {url} is not accepted ({error}); set REQUESTS_CA_BUNDLE to the certificates of "
                "your network"
            ) from error
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            fault = error
        size = _size(stream)
        tries, reached = (0 if size > reached else tries), max(size, reached)
        if tries == len(PAUSES):
            broken = isinstance(fault, urllib3.exceptions.ProtocolError)
            reason = f"the connection was cut after {size} bytes" if broken else fault
            raise Refused(f"{url} cannot be fetched in {len(PAUSES) + 1} tries ({reason})") from fault
        wait = getattr(getattr(fault, "response", None), "headers", {}).get("Retry-After", "")
        time.sleep(max(PAUSES[tries], min(int(wait), LONGEST_PAUSE) if wait.isdigit() else 0))
        tries += 1


def _one_try(url, stream):
    have, headers = _size(stream), {}
    if have and (validator := _validator(stream, url)):
        headers = {"Range": f"bytes={have}-", "If-Range": validator}
    with ask(url, **headers) as response:
        status = response.status_code
        if status == PARTIAL and response.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
            return _receive(url, response, stream)
        if status in (PARTIAL, NOT_SATISFIABLE):
            stream.truncate(0)
            raise requests.ConnectionError("the server continued another file")
        if status == TOO_MANY_REQUESTS or status >= SERVER_ERROR:
            raise requests.HTTPError(f"HTTP Error {status}: {response.reason}", response=response)
        if status != OK:
            raise Refused(f"{url} answers {status} {response.reason}")
        stream.truncate(0)
        tag = response.headers.get("ETag", "W/")
        state = {"url": redacted(url), "validator": response.headers.get("Last-Modified") if tag[:2] == "W/" else tag}
        _state(stream.name).write_text(json.dumps(state), encoding="utf-8")
        return _receive(url, response, stream)


def _receive(url, response, stream):
    """Append the body; whether the server said where it ends."""
    length, have = response.headers.get("Content-Length"), _size(stream)
    free = shutil.disk_usage(Path(stream.name).parent).free
    if length is not None and int(length) > free:
        raise InputError(
            f"cannot write {stream.name}: {int(length) / 1e6:,.0f} MB are to come and the disk has {free / 1e6:,.0f} "
            "MB left; free some space and start again"
        )
    progress = Progress(f"downloading {url}", None if length is None else have + int(length), have)
    while piece := response.raw.read1(PIECE):  # what is there now, so that a killed job loses nothing of it
        write_all(stream, piece)
        progress.add(len(piece))
    return length is not None or "chunked" in response.headers.get("Transfer-Encoding", "")


def _size(stream):
    return os.fstat(stream.fileno()).st_size


def _validator(stream, url):
    """ETag or date of the file on the server that a partial file is the beginning of, if it is of this address."""
    with contextlib.suppress(FileNotFoundError, ValueError, LookupError, TypeError):
        state = json.loads(_state(stream.name).read_text(encoding="utf-8"))
        return state["validator"] if state["url"] == redacted(url) else None

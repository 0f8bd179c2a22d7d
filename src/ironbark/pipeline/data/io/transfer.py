"""One file over HTTP, continued where it broke off: what the downloaders of pooch cannot do."""

import contextlib
import http.client
import json
import os
import re
import shutil
import ssl
import time
import urllib.error
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import sha256, write_all
from ironbark.pipeline.data.io import web
from ironbark.pipeline.data.io.addresses import redacted
from ironbark.pipeline.data.io.progress import Progress

PAUSES = (1, 5, 25)  # seconds before the second, third and fourth try without progress
LONGEST_PAUSE = 120  # seconds, whatever the server asks for
PIECE = 1 << 20  # bytes
PARTIAL, TOO_MANY_REQUESTS, NOT_SATISFIABLE, SERVER_ERROR = 206, 429, 416, 500

_PASSING = (ConnectionError, TimeoutError, ssl.SSLError, urllib.error.URLError, http.client.HTTPException)


class Resuming:
    """A downloader for `pooch.retrieve`.

    The file comes to a side file first, which the next try or the next run continues. pooch itself tries again from the
    first byte, after an answer of 404 as after a cut.

    Parameters
    ----------
    side : Path
    expected : str or None
        A checksum of the file. Without one, a server must say where the file ends.

    Attributes
    ----------
    sha256 : str
        Of the file, once it is complete.
    """

    def __init__(self, side, expected=None):
        self.side, self.expected, self.sha256 = side, expected, None

    def __call__(self, url, output_file, pooch):
        """Bring the file at `url` to the path `output_file`."""
        with open(self.side, "a+b", buffering=0) as stream:
            ends = _transfer(url, stream)
        with open(self.side, "rb") as stream:
            start = stream.read(512)
        if not start or web.is_page(start):
            forget(self.side)
            raise web.Refused(f"{url} gives a web page instead of data" if start else f"{url} gives an empty file")
        if not ends and self.expected is None:
            forget(self.side)
            raise web.Refused(f"{url} does not say how long the file is, so it may be cut; state its `sha256`")
        self.sha256 = sha256(self.side)
        state_of(self.side).unlink(missing_ok=True)
        os.replace(self.side, output_file)


def forget(side):
    """Remove a side file and what is known of it."""
    state_of(side).unlink(missing_ok=True)
    Path(side).unlink(missing_ok=True)


def state_of(side):
    """Path of the file that says what a side file is the beginning of."""
    return Path(f"{side}.json")


def _transfer(url, stream) -> bool:
    """Append what is missing of the file at `url`."""
    tries = reached = 0
    while True:
        try:
            return _one_try(url, stream)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code != TOO_MANY_REQUESTS and error.code < SERVER_ERROR:
                raise web.Refused(f"{url} answers {error.code} {error.reason}") from error
            fault = error
        except _PASSING as error:
            _check_certificate(url, error)
            fault = error
        size = _size(stream)
        tries, reached = (0 if size > reached else tries), max(size, reached)
        if tries == len(PAUSES):
            raise web.Refused(f"{url} cannot be fetched in {len(PAUSES) + 1} tries ({fault})") from fault
        time.sleep(max(PAUSES[tries], _asked_for(fault)))
        tries += 1


def _check_certificate(url, fault):
    """Refuse a server whose certificate is not accepted: it will not be in half a minute either."""
    reason = getattr(fault, "reason", fault)
    if isinstance(reason, ssl.SSLCertVerificationError):
        raise web.Refused(
            f"the certificate of {url} is not accepted ({reason.verify_message}); set SSL_CERT_FILE to the "
            "certificates of your network"
        ) from fault


def _asked_for(fault):
    """Seconds that the server asks to wait."""
    asked = getattr(fault, "headers", None) and fault.headers.get("Retry-After", "")
    return min(int(asked), LONGEST_PAUSE) if asked and asked.isdigit() else 0


def _one_try(url, stream):
    have, state = _size(stream), _State.of(stream, url)
    if have and have == state.length:
        return True
    headers = {}
    if have and (state.validator or state.length):
        headers["Range"] = f"bytes={have}-"
        if state.validator:
            headers["If_Range"] = state.validator
    try:
        response = web.ask(url, **headers)
    except urllib.error.HTTPError as error:
        if error.code != NOT_SATISFIABLE:
            raise
        error.close()
        if state.length is None and error.headers.get("Content-Range") == f"bytes */{have}":
            return True  # only the end mark of a chunked body was lost
        stream.truncate(0)
        raise ConnectionError("the server has less than what came before") from error
    with response:
        if response.status == PARTIAL and not state.continued_by(response, have):
            stream.truncate(0)
            raise ConnectionError("the server continued another file")
        return _receive(url, response, stream)


def _receive(url, response, stream):
    """Append the body, or begin anew with it if it is that of the whole file."""
    promised = response.headers.get("Content-Length")
    promised = None if promised is None else int(promised)
    if response.status != PARTIAL:
        stream.truncate(0)
        _State.new(url, response, promised).keep(stream)
    have = start = _size(stream)
    _check_space(stream, promised)
    progress = Progress(f"downloading {url}", promised and have + promised, have)
    while piece := response.read1(PIECE):  # what is there now, so that a killed job loses nothing of it
        write_all(stream, piece)
        have += len(piece)
        progress.add(len(piece))
    if promised is not None and have - start != promised:
        raise ConnectionError(f"the connection was cut after {have} of {start + promised} bytes")
    return promised is not None or response.chunked


def _size(stream):
    return os.fstat(stream.fileno()).st_size


def _check_space(stream, needed):
    free = shutil.disk_usage(Path(stream.name).parent).free
    if needed is not None and needed > free:
        raise InputError(
            f"cannot write {stream.name}: {needed / 1e6:,.0f} MB are to come and the disk has {free / 1e6:,.0f} MB "
            "left; free some space and start again"
        )


class _State:
    """Identity of the file on the server, to check that a partial file is its beginning."""

    def __init__(self, url=None, validator=None, length=None):
        self.url, self.validator, self.length = url, validator, length

    @classmethod
    def of(cls, stream, url):
        """State stored next to the partial file, if it is of this address."""
        with contextlib.suppress(FileNotFoundError, ValueError, TypeError):
            state = cls(**json.loads(state_of(stream.name).read_text(encoding="utf-8")))
            if state.url == redacted(url):
                return state
        return cls()

    @classmethod
    def new(cls, url, response, length):
        """State of a whole file from the response of a server."""
        tag = response.headers.get("ETag")
        strong = tag if tag and not tag.startswith("W/") else None
        return cls(redacted(url), strong or response.headers.get("Last-Modified"), length)

    def keep(self, stream):
        """Write it beside the side file."""
        state_of(stream.name).write_text(json.dumps(vars(self)), encoding="utf-8")

    def continued_by(self, response, have):
        """Whether a partial response begins at byte `have` of a file of the same length, if that was known."""
        found = re.match(r"bytes (\d+)-\d+/(\d+|\*)$", response.headers.get("Content-Range", ""))
        return bool(found) and int(found[1]) == have and (self.length is None or found[2] in ("*", str(self.length)))

"""Downloads over HTTP with a lock, several addresses for a file, checksums, and resumption where one broke off."""

import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pooch
import requests
import urllib3
from tqdm import tqdm

import ironbark
from ironbark.errors import InputError
from ironbark.files import explained, owning, sha256, write_text
from ironbark.pipeline.data import addresses, checksums
from ironbark.pipeline.log import redacted, say

AGENT = f"ironbark-learn/{ironbark.__version__}"
TIMEOUT = 60  # seconds without a byte
PAUSES = (1, 5, 25)  # seconds before the second, third and fourth try without progress
LONGEST_PAUSE = 120  # seconds, whatever the server asks for
PIECE = 1 << 20  # bytes
OK, PARTIAL, NOT_SATISFIABLE, TOO_MANY_REQUESTS, SERVER_ERROR = 200, 206, 416, 429, 500

BAR = {"unit": "B", "unit_scale": True, "ascii": True, "delay": 3, "mininterval": 10}  # seconds, for the log of a job

#: Beginning of web pages and XML, such as error messages of servers; no format of a data set begins like it.
_PAGE = re.compile(rb"(\xef\xbb\xbf)?\s*<[!?a-z]", re.IGNORECASE)


class Refused(Exception):
    """An address does not give the file; the message says why."""


class WrongChecksum(Refused):
    """An address gives another file."""


def download(who: str, urls: str | Sequence[str], path: Path, expected: str | None = None) -> dict:
    """Bring a file from the web to its place; one that is there with the right checksum is kept."""
    file = _Download(who, (urls,) if isinstance(urls, str) else tuple(urls), Path(path), expected)
    lock = file.path.with_name(f".{file.path.name}.lock")
    with explained(file.path):
        if facts := file.present():
            return facts
        with owning(lock, lambda: say(f"waiting for another job that downloads {file.path.name}")):
            return file.present() or file.fetch()  # present if the job that we waited for brought it


class _Download:
    def __init__(self, who, urls, path, expected):
        self.who, self.urls, self.path, self.expected = who, urls, path, expected
        self.side = path.with_name(f".{path.name}.part")

    def wanted(self):
        """The checksum that the file must have, if there is one."""
        return self.expected or next(filter(None, map(checksums.recorded, self.urls)), None)

    def present(self):
        """Facts of the file at its place, if it has the checksum that it should have."""
        noted, url = checksums.read_note(self.path)
        url = next((each for each in self.urls if redacted(each) == url), None)
        wanted = self.wanted() or (url and noted)
        if not wanted or not self.path.is_file() or not pooch.hashes.hash_matches(self.path, wanted):
            return None
        return self.facts(url or self.urls[0], sha256(self.path))

    def facts(self, url, found):
        """Record of the file for ``fetch.json``."""
        facts = {"url": redacted(url), "sha256": found, "bytes": self.path.stat().st_size}
        return facts if self.expected else facts | {"verified": False}

    def fetch(self):
        """Bring the file from the first address that gives it."""
        faults = []
        for url in self.urls:
            try:
                if addresses.is_exposed(url) and not self.expected:
                    raise Refused(f"{url} is plain http and has no checksum in the catalogue")
                return self.retrieve(url)
            except Refused as error:
                faults.append(error)
        if self.side.exists() and self.side.stat().st_size == 0:
            self.side.unlink()
        if any(isinstance(fault, WrongChecksum) for fault in faults):
            edit = "edit the catalogue" if self.expected else f"remove its line from {checksums.PLACE}"
            remedy = f"so {self.path} was not written; fetch again, or find out what changed before you {edit}"
        else:
            remedy = f"check the network and the address, or download it by hand to {self.path}"
            remedy += "" if self.wanted() else f" and its SHA-256 to {checksums.PLACE} as `{self.urls[0]}: <sum>`"
        raise InputError(redacted(f"{self.who}: {'; '.join(map(str, faults))}; {remedy}"))

    def retrieve(self, url):
        """Bring the file from one address; what is not the file is removed, what is its beginning is kept."""
        wanted = self.wanted()
        with open(self.side, "a+b") as stream:
            if not wanted:
                stream.truncate(0)  # left by another run, perhaps of another file
            ends = _Transfer(url, stream, resumed=bool(wanted)).run()
            start = os.pread(stream.fileno(), 512, 0)
        try:
            if _PAGE.match(start) or not start:
                raise Refused(f"{url} gives {'a web page instead of data' if start else 'an empty file'}")
            if not (ends or wanted):
                raise Refused(f"{url} does not say how long the file is, so it may be cut; state its `sha256`")
            found = sha256(self.side)
            if not pooch.hashes.hash_matches(self.side, wanted):
                by = "the catalogue expects" if self.expected else f"{checksums.PLACE} has, since the first download,"
                raise WrongChecksum(f"{url} has SHA-256 {found}, but {by} {wanted}")
            os.replace(self.side, self.path)
        except Refused:
            self.side.unlink()
            raise
        checksums.note(self.path).unlink(missing_ok=True)
        if not wanted or url != self.urls[0]:
            write_text(checksums.note(self.path), f"{found} {redacted(url)}\n")
        return self.facts(url, found)


class _Redirecting(requests.Session):
    def get_redirect_target(self, response):
        """Follow redirects, but never from https to http."""
        target = super().get_redirect_target(response)
        if target and response.url.startswith("https://") and target.startswith("http://"):
            raise Refused(f"{response.url} redirects to {target}, which is not encrypted")
        return target


def ask(url: str, **headers: str) -> requests.Response:
    """Send a request; the response, whatever its status, is open for reading."""
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity", **headers}
    return _Redirecting().get(url, headers=headers, stream=True, timeout=TIMEOUT)


class _Transfer:
    """Requests for a file until it is complete; each asks for what is missing."""

    # That what came before is of the same file is known by the `validator` of the server (ETag), or by the checksum at
    # the end, with which the file may be `resumed` from another run.

    def __init__(self, url, stream, resumed):
        self.url, self.stream, self.resumed, self.validator = url, stream, resumed, None

    def size(self):
        return os.fstat(self.stream.fileno()).st_size

    def run(self) -> bool:
        """Try until no try brings a byte; whether the end of the file is certain."""
        tries = reached = 0
        while True:
            try:
                return self.request()
            except requests.exceptions.SSLError as error:  # it will not be another certificate in half a minute
                raise Refused(
                    f"the certificate of {self.url} is not accepted ({error}); set REQUESTS_CA_BUNDLE to the "
                    "certificates of your network"
                ) from error
            except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
                fault = error
            size = self.size()
            tries, reached = (0 if size > reached else tries), max(size, reached)
            if tries == len(PAUSES):
                broken = isinstance(fault, urllib3.exceptions.ProtocolError)
                reason = f"the connection was cut after {size} bytes" if broken else fault
                raise Refused(f"{self.url} cannot be fetched in {len(PAUSES) + 1} tries ({reason})") from fault
            wait = getattr(getattr(fault, "response", None), "headers", {}).get("Retry-After", "")
            time.sleep(max(PAUSES[tries], min(int(wait), LONGEST_PAUSE) if wait.isdigit() else 0))
            tries += 1

    def request(self):
        have, headers = self.size(), {}
        if have and (self.validator or self.resumed):
            headers = {"Range": f"bytes={have}-"} | ({"If-Range": self.validator} if self.validator else {})
        with ask(self.url, **headers) as response:
            status = response.status_code
            if status == PARTIAL and response.headers.get("Content-Range", "").startswith(f"bytes {have}-"):
                return self.receive(response)
            if status in (PARTIAL, NOT_SATISFIABLE):
                self.stream.truncate(0)
                raise requests.ConnectionError("the server continued another file")
            if status == TOO_MANY_REQUESTS or status >= SERVER_ERROR:
                raise requests.HTTPError(f"HTTP Error {status}: {response.reason}", response=response)
            if status != OK:
                raise Refused(f"{self.url} answers {status} {response.reason}")
            self.stream.truncate(0)
            tag = response.headers.get("ETag", "W/")
            self.validator = None if tag.startswith("W/") else tag
            return self.receive(response)

    def receive(self, response):
        """Append the body; whether the server said where it ends."""
        length, have = response.headers.get("Content-Length"), self.size()
        total = None if length is None else have + int(length)
        with tqdm(desc=f"downloading {redacted(self.url)}", total=total, initial=have, **BAR) as bar:
            while piece := response.raw.read1(PIECE):  # what is there now, so that a killed job loses nothing of it
                self.stream.write(piece)
                self.stream.flush()
                bar.update(len(piece))
        return length is not None or "chunked" in response.headers.get("Transfer-Encoding", "")

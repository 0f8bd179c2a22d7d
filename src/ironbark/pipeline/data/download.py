"""Downloads by pooch, with what it lacks: a lock, several addresses for a file, and resumption."""

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pooch

from ironbark.errors import InputError
from ironbark.files import explained, owning, sha256
from ironbark.pipeline.data import addresses, checksums, web
from ironbark.pipeline.data.web import Resuming, forget
from ironbark.pipeline.log import redacted, say

MIRROR = "give the folder of a mirror with --config mirror=DIR"

pooch.get_logger().setLevel("WARNING")  # the logs of jobs have lines of their own


def download(
    who: str,
    urls: str | Sequence[str],
    path: Path,
    expected: str | None = None,
    check: Callable | None = None,
    instead: str = MIRROR,
    copy: str | None = None,
) -> dict:
    """Bring a file from the web to its place; one that is there with the right checksum is kept."""
    file = _Download(who, (urls,) if isinstance(urls, str) else tuple(urls), Path(path), expected, copy)
    lock = file.path.with_name(f".{file.path.name}.lock")
    with explained(file.path):
        if facts := file.present():
            return facts
        with owning(lock, lambda: say(f"waiting for another job that downloads {file.path.name}")):
            try:
                return file.present() or file.fetch(check, instead)  # present if the job that we waited for brought it
            finally:
                lock.unlink(missing_ok=True)


class _Download:
    def __init__(self, who, urls, path, expected, copy):
        self.who, self.urls, self.path, self.expected, self.copy = who, urls, path, expected, copy
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
        return facts if self.expected or found == self.copy else facts | {"verified": False}

    def fetch(self, check, instead):
        """Bring the file from the first address that gives it."""
        faults, wrong = [], False
        for url in self.urls:
            try:
                if addresses.is_exposed(url) and not self.expected:
                    raise web.Refused(f"{url} is plain http and has no checksum in the catalogue")
                return self.retrieve(url, check)
            except (web.Refused, _WrongChecksum) as error:
                faults.append(str(error))
                wrong |= isinstance(error, _WrongChecksum)
        if self.side.exists() and self.side.stat().st_size == 0:
            forget(self.side)
        remedy = self.accept() if wrong else f"check the network and the address, or {self.by_hand()}, or {instead}"
        raise (InputError if wrong else Unreachable)(redacted(f"{self.who}: {'; '.join(faults)}; {remedy}"))

    def retrieve(self, url, check):
        """Bring the file from one address."""
        wanted = self.wanted()
        downloader = Resuming(self.side, wanted or self.copy)
        new = self.path.with_name(f".{self.path.name}.new")  # a folder, as pooch leaves files where it is killed
        shutil.rmtree(new, ignore_errors=True)
        try:
            whole = pooch.retrieve(url, wanted, self.path.name, new, downloader=downloader)
            if check is not None:
                check(whole)
            os.replace(whole, self.path)
        except InputError:
            raise
        except ValueError as error:  # pooch's word for a wrong checksum
            if downloader.sha256 is None:
                raise
            raise _WrongChecksum(self.difference(url, wanted, downloader.sha256)) from error
        finally:
            shutil.rmtree(new, ignore_errors=True)
        if self.copy not in (None, downloader.sha256):
            say(f"{self.who}: {url} has SHA-256 {downloader.sha256}, but a copy from elsewhere has {self.copy}")
        checksums.note(self.path).unlink(missing_ok=True)
        if not wanted or url != self.urls[0]:
            checksums.write_note(self.path, downloader.sha256, redacted(url))
        return self.facts(url, downloader.sha256)

    def difference(self, url, wanted, found):
        """Difference from the expected checksum, in words."""
        if wanted.startswith("md5:"):
            return f"{url} has not the {wanted.replace('md5:', 'MD5 ')} that the catalogue expects"
        where = "the catalogue expects" if self.expected else f"{checksums.PLACE} has, since the first download,"
        return f"{url} has SHA-256 {found}, but {where} {wanted}"

    def accept(self):
        """Remedy for a file that has changed."""
        path = self.path
        old = f"the file that was at {path} before is still there" if path.exists() else f"so {path} was not written"
        edit = "edit the catalogue" if self.expected else f"remove its line from {checksums.PLACE}"
        return f"{old}; fetch again, and if the sum stays the same, find out what changed before you {edit}"

    def by_hand(self):
        """Instructions for a download by hand."""
        sum_ = "" if self.wanted() else f" and its SHA-256 to {checksums.PLACE} as `{self.urls[0]}: <sum>`"
        return f"download it by hand to {self.path}{sum_}"


class Unreachable(InputError):
    """No address gives a file."""


class _WrongChecksum(Exception):
    pass

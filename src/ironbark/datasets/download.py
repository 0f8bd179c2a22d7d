"""Downloads: streamed to a side file, continued where they broke off, checked, then renamed."""

import os
from pathlib import Path

from ironbark.datasets import checksums
from ironbark.datasets.progress import say
from ironbark.datasets.transfer import state_of, transfer
from ironbark.errors import InputError
from ironbark.files import explained, owning, sha256

MIRROR = "give the folder of a mirror with --config mirror=DIR"

#: What an entry may have in place of a checksum that nobody knows yet.
UNVERIFIED = "unverified"


def download(who, url, path, expected=None, check=None, instead=MIRROR):
    """Bring a file from the web to its place; one that is there with the right checksum is kept.

    While it comes, it is ``.<name>.part`` beside its place. A download that breaks off is continued from there by the
    next run, if the server can. Several processes may ask for the same file: one fetches it, the others wait for it.

    Parameters
    ----------
    who : str
        The data set, for errors.
    url : str
    path : path
        Where the file belongs.
    expected : str, optional
        Its SHA-256. Without it (or with ``"unverified"``), that of `checksums`, which the first download records.
    check : callable, optional
        Called with the path of the complete side file; raises InputError if it is rubbish.
    instead : str
        What else the user can do, for errors: half a sentence.

    Returns
    -------
    dict
        url, sha256 and bytes of the file.

    Raises
    ------
    InputError
        If there is no such file, the server or the disk fails, a web page comes instead of data, or the checksum is
        another one.
    """
    path = Path(path)
    known = None if expected == UNVERIFIED else expected
    side = path.with_name(f".{path.name}.part")
    with explained(path):
        if facts := _present(url, path, known):
            return facts
        with owning(side, lambda: say(f"waiting for another job that downloads {path.name}")) as stream:
            if facts := _present(url, path, known):  # the job that we waited for brought it
                side.unlink(missing_ok=True)
                return facts
            try:
                transfer(who, url, stream, _remedies(url, path, known, instead))
                return _put(who, url, path, side, known, check)
            except BaseException:
                if side.exists() and side.stat().st_size == 0:
                    _forget(side)
                raise


def _present(url, path, known):
    """Facts of the file at `path`, if it has the checksum that it should have."""
    sum_ = known or checksums.recorded(url)
    return _facts(url, sum_, path) if sum_ and path.is_file() and sha256(path) == sum_ else None


def _facts(url, sum_, path):
    return {"url": url, "sha256": sum_, "bytes": path.stat().st_size}


def _forget(side):
    state_of(side).unlink(missing_ok=True)
    side.unlink(missing_ok=True)  # last: from then on, it is somebody else's


def _put(who, url, path, side, known, check):
    """Check the complete side file and rename it."""
    found, recorded = sha256(side), None if known else checksums.recorded(url)
    wanted = known or recorded
    try:
        if wanted and found != wanted:
            where = "the catalogue expects" if known else f"{checksums.PLACE} has, since the first download,"
            raise InputError(f"{who}: {url} has SHA-256 {found}, but {where} {wanted}; {_what_now(path, known)}")
        if check is not None:
            check(side)
    except InputError:
        _forget(side)
        raise
    if not wanted:
        checksums.record(url, found)
        say(f"{who}: nobody vouched for {url} before; its SHA-256 is now in {checksums.PLACE}, which you should commit")
    state_of(side).unlink(missing_ok=True)
    os.replace(side, path)
    return _facts(url, found, path)


def _what_now(path, known):
    old = f"the file that was at {path} before is still there" if path.exists() else f"so {path} was not written"
    edit = "edit `sha256`" if known else f"remove its line from {checksums.PLACE}"
    return f"{old}; fetch again, and if the sum stays the same, find out what changed before you {edit}"


def _remedies(url, path, known, instead):
    """What to do about a file that does not come: half a sentence."""
    sum_ = "" if known or checksums.recorded(url) else f" and its SHA-256 to {checksums.PLACE} as `{url}: <sum>`"
    return f"download it by hand to {path}{sum_}, or {instead}"

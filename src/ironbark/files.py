"""Files that appear whole or not at all, and digests of their content."""

import contextlib
import fcntl
import hashlib
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from ironbark.errors import InputError


@contextlib.contextmanager
def replacing(path):
    """Give a side path to write to, and rename it to `path` once the block has ended well.

    The side path keeps the suffix of `path`, since many writers choose their format by it. A folder made at the side
    path replaces the folder at `path`. A link stays one: what it leads to is replaced. A pipe or a device stays, too,
    and is written to. When the block raises, the side path is removed and `path` is left as it was.
    """
    path = Path(path)
    with explained(path):
        if is_special(path):
            with tempfile.TemporaryDirectory() as folder:
                yield (side := Path(folder, f"side{path.suffix}"))
                with open(side, "rb") as whole, open(path, "wb") as stream:
                    shutil.copyfileobj(whole, stream)
            return
        place = Path(os.path.realpath(path))
        side = place.with_name(f".{path.stem}.{secrets.token_hex(4)}.part{path.suffix}")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            yield side
            if side.is_dir() and place.is_dir():
                shutil.rmtree(place)
            os.replace(side, place)
        finally:
            with contextlib.suppress(OSError):
                remove = shutil.rmtree if side.is_dir() else os.remove
                remove(side)


def is_special(path):
    """Whether a path leads to a pipe, a device or a socket, which no file may replace."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextlib.contextmanager
def explained(path):
    """Turn an OSError of the block that means a full disk or a wrong path into an InputError about writing `path`."""
    try:
        yield
    except OSError as error:
        if error.errno in _REMEDIES:
            raise InputError(f"cannot write {path}: {_REMEDIES[error.errno]}") from error
        raise


@contextlib.contextmanager
def owning(path: Path, waiting: Callable | None = lambda: None):
    """Own a lock file until the end of the block, which removes it."""
    waited, owned = False, False
    while not owned:
        with explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            stream = open(path, "ab")  # noqa: SIM115
        with stream:
            with explained(path):
                try:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    if not waited:
                        waiting()
                    waited = True
                    fcntl.flock(stream, fcntl.LOCK_EX)
            if owned := _is_at(stream, path):
                try:
                    yield
                finally:
                    path.unlink(missing_ok=True)


def _is_at(stream, path):
    """Whether the open file is still the one at `path`: its owner before us may have removed it."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


_NO_LOCKS = "the file system has no locks; mount it with flock, or put the folder elsewhere"
_REMEDIES = {
    1: "the file system does not allow it; choose another folder",
    5: "the disk or its server reports an error; check it and start again",
    18: "the path leads to another file system; choose a folder without such links",
    24: "too many files are open; raise the limit `ulimit -n`",
    37: _NO_LOCKS,
    38: _NO_LOCKS,
    95: _NO_LOCKS,
    116: "its server has lost the file; start again",
    27: "the file is larger than `ulimit -f` or the file system allows; raise this limit, or choose another folder",
    28: "the disk is full; free some space and start again",
    122: "the disk quota is used up; free some space and start again",
    30: "the file system is read-only; choose a folder that can be written",
    13: "permission is denied; choose a folder that you may write to",
    17: "a part of the path is a file, not a folder; choose another path",
    20: "a part of the path is a file, not a folder; choose another path",
    21: "it is a folder; choose the path of a file",
    6: "it is a socket; choose the path of a file",
    32: "its reader has ended; start the reader again",
    40: "its links lead in a circle; choose another path",
    36: "the name is too long; choose a shorter one",
}


def write_text(path, text):
    """Write `text` (UTF-8) to `path`, whole or not at all."""
    with replacing(path) as side:
        side.write_text(text, encoding="utf-8")


def digest(*parts: bytes, size: int = 16) -> str:
    """Hexadecimal BLAKE2b hash of bytes, which has `size` bytes itself."""
    return hashlib.blake2b(b"".join(parts), digest_size=size).hexdigest()


def sha256(path):
    """Hexadecimal SHA-256 of a file, read in pieces."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

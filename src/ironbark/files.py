"""Files that appear whole or not at all, and digests of their content."""

import contextlib
import hashlib
import os
import secrets
import shutil
from pathlib import Path

from ironbark.errors import InputError


@contextlib.contextmanager
def replacing(path):
    """Give a path beside `path` to write to, and rename it to `path` once the block has ended well.

    The side path keeps the suffix of `path`, since many writers choose their format by it. A folder made at the side
    path replaces the folder at `path`. When the block raises, the side path is removed and `path` is left as it was.

    Raises
    ------
    InputError
        If the disk is full, the quota is used up or the place is read-only.
    """
    path = Path(path)
    side = path.with_name(f".{path.stem}.{secrets.token_hex(4)}.part{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield side
        if side.is_dir() and path.is_dir():
            shutil.rmtree(path)
        os.replace(side, path)
    except OSError as error:
        if error.errno in _REMEDIES:
            raise InputError(f"cannot write {path}: {_REMEDIES[error.errno]}") from error
        raise
    finally:
        with contextlib.suppress(OSError):
            _remove(side)


_REMEDIES = {
    28: "the disk is full; free some space and start again",
    122: "the disk quota is used up; free some space and start again",
    30: "the file system is read-only; choose a folder that can be written",
    13: "permission is denied; choose a folder that you may write to",
}


def _remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_text(path, text):
    """Write `text` (UTF-8) to `path`, whole or not at all."""
    with replacing(path) as side:
        side.write_text(text, encoding="utf-8")


def sha256(path):
    """Hexadecimal SHA-256 of a file, read in pieces."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()

"""Digests of large files, computed again once their size or time changes."""

import hashlib
from pathlib import Path

from ironbark.pipeline.plan.disk_cache import cached


def digest(path):
    """Hexadecimal SHA-256 of a file."""
    about = Path(path).stat()
    return _digest(str(Path(path).absolute()), about.st_size, about.st_mtime_ns)


@cached
def _digest(path, size, time):  # noqa: ARG001 - what is read depends on them
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

"""Digests of large files, computed again once their size or time changes."""

from pathlib import Path

from ironbark.files import sha256
from ironbark.pipeline.plan.disk_cache import cached


def digest(path):
    """Hexadecimal SHA-256 of a file."""
    about = Path(path).stat()
    return _digest(str(Path(path).absolute()), about.st_size, about.st_mtime_ns)


@cached
def _digest(path, size, time):  # noqa: ARG001 - what is read depends on them
    return sha256(path)

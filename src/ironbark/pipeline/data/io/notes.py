"""Notes on this machine's files whose checksum nobody published: where each came from, and its SHA-256.

They are ``.<name>.origin`` next to the files, so that a file is not downloaded again by the next job that needs it.
Unlike `checksums`, they say nothing of other downloads from the same address.
"""

import contextlib
import contextvars

from ironbark.errors import InputError
from ironbark.files import write_text


def place(path):
    """Path of the note on a file."""
    return path.with_name(f".{path.name}.origin")


def read(path):
    """SHA-256 and address of a file, or two empty texts."""
    try:
        sha256, url = place(path).read_text(encoding="utf-8").split()
    except (FileNotFoundError, ValueError):
        return "", ""
    return sha256, url


def write(path, sha256, url):
    """Write the note on a file."""
    write_text(place(path), f"{sha256} {url}\n")
    _new.get([]).append(place(path))


@contextlib.contextmanager
def provisional():
    """Remove the notes that the block writes if it ends with an InputError: what cannot be read is downloaded again."""
    written = []
    token = _new.set(written)
    try:
        yield
    except InputError:
        for path in written:
            path.unlink(missing_ok=True)
        raise
    finally:
        _new.reset(token)


#: Notes that were written within the innermost `provisional`.
_new = contextvars.ContextVar("new")

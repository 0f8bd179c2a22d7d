"""Progress of long readings and downloads, one line now and then on stderr: in the pipeline, the log of the job."""

import contextlib
import contextvars
import sys
import time

from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline.data.io.addresses import redacted

# pooch's bars need tqdm and write over their own line, which the log of a job cannot show.
FIRST, EVERY = 3, 10  # seconds until the first line, and from each to the next
MEGABYTE = 1e6


class Progress:
    """Counts bytes, and reports what takes long.

    Parameters
    ----------
    what : str
        E.g. "downloading a9a".
    total : int or None
        Bytes to come, if known.
    done : int
        Bytes that are there already.
    """

    def __init__(self, what, total=None, done=0):
        self.what, self.total, self.done = what, total, done
        self._first, self._start = done, time.monotonic()
        self._next = self._start + FIRST

    def add(self, n):
        """Count `n` more bytes."""
        self.done += n
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY
            rate = (self.done - self._first) / MEGABYTE / (now - self._start)
            of = "" if self.total is None else f" of {self.total / MEGABYTE:,.0f}"
            say(f"{self.what}: {self.done / MEGABYTE:,.0f}{of} MB, {rate:,.1f} MB/s")


def say(message):
    """One line on stderr, without passwords."""
    sys.stderr.write(f"{redacted(message)}\n")
    sys.stderr.flush()


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

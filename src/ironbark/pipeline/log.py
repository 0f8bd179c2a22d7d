"""Messages of jobs: one line on stderr, in the pipeline the log of the job, without passwords."""

import contextlib
import re
import sys
import time
import traceback

from ironbark.errors import InputError

# pooch's bars need tqdm and write over their own line, which the log of a job cannot show.
FIRST, EVERY = 3, 10  # seconds until the first line, and from each to the next
MEGABYTE = 1e6


class Progress:
    """Counts bytes, `total` of them if known and `done` so far, and reports what takes long."""

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


#: Name and password in front of a server, and values of a query that only their owner should see.
_SECRETS = re.compile(
    r"(?<=://)[^/\s]*@|(?<=[?&])([\w.-]*(?:key|token|secret|pass|pwd|sig|signature|credential|auth)[\w.-]*=)[^&\s\"')>]+",
    re.IGNORECASE,
)


def redacted(text):
    """A text for people, without the passwords and keys in its addresses."""
    return _SECRETS.sub(lambda found: f"{found[1]}***" if found[1] else "***@", str(text))


@contextlib.contextmanager
def reporting(log):
    """Write a job's messages to its log, and end it with one sentence where the user can fix the cause."""
    with open(log, "w", encoding="utf-8", buffering=1) as stream, contextlib.redirect_stderr(stream):
        try:
            yield
        except Exception as error:
            is_explained = isinstance(error, InputError)
            words = redacted(f"ironbark: {error}" if is_explained else traceback.format_exc())
            try:
                print(words, file=stream)
            except OSError:  # its disk is full
                print(words, file=sys.__stderr__)
            raise SystemExit(1) from None

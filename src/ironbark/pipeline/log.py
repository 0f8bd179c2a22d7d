"""Messages of jobs: one line on stderr, in the pipeline the log of the job, without passwords."""

import contextlib
import re
import sys
import traceback

from ironbark.errors import InputError


def say(message):
    """One line on stderr, without passwords."""
    _put(redacted(message), sys.stderr)


def _put(text, stream):
    """Lines to a stream, or where its disk is full to the stderr that the process started with."""
    try:
        print(text, file=stream, flush=True)
    except OSError:
        print(text, file=sys.__stderr__)


def duration(seconds):
    """A time in the unit that suits it."""
    for limit, unit, size in ((90, "s", 1), (90 * 60, "min", 60)):
        if seconds < limit:
            return f"{seconds / size:.{0 if seconds / size >= 10 else 1}f} {unit}"
    return f"{seconds / 3600:.1f} h"


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
    try:
        stream = open(log, "w", encoding="utf-8", buffering=1)  # noqa: SIM115
    except OSError as error:
        raise SystemExit(f"ironbark: cannot write {log}: {error.strerror}; run where it can be written") from None
    with contextlib.redirect_stderr(stream):
        try:
            yield
        except Exception as error:
            is_explained = isinstance(error, InputError)
            words = redacted(f"ironbark: {error}" if is_explained else traceback.format_exc())
            _put(words, stream)
            raise SystemExit(1) from None
        finally:
            with contextlib.suppress(OSError):  # what its disk did not take went to stderr
                stream.close()

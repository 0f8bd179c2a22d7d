"""The work behind the rules of the pipeline, one module per rule, independent of Snakemake."""

import contextlib
import traceback

from ironbark.errors import InputError
from ironbark.pipeline.data.io.addresses import redacted


@contextlib.contextmanager
def reporting(log):
    """Write a job's messages to its log, and end it with one sentence where the user can fix the cause."""
    with open(log, "w", encoding="utf-8", buffering=1) as stream, contextlib.redirect_stderr(stream):
        try:
            yield
        except InputError as error:
            print(redacted(f"ironbark: {error}"), file=stream)
            raise SystemExit(1) from None
        except Exception:
            print(redacted(traceback.format_exc()), file=stream)
            raise SystemExit(1) from None

"""Source ``libsvm``: files of the LIBSVM data sets, joined.

Chang and Lin (2011), LIBSVM: a library for support vector machines, ACM Transactions on Intelligent Systems and
Technology 2(3).
"""

import contextlib

from ironbark.pipeline.data.io import formats
from ironbark.pipeline.data.sources import site


def fetch(id, entry, folder, mirror=None):
    """Download ``files`` and make one table of them, as wide as the widest."""
    who = f"data set {id!r}"
    paths, facts = site.bring(who, entry, folder)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(formats.opened(path, "libsvm")) for path in paths]
        table, lengths = formats.read_libsvm(streams, entry["target"])
    return site.with_parts(who, table, lengths, entry.get("parts")), facts

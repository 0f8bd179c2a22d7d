"""The clock of all timings in result rows."""

import time

from ironbark.jit import CLOCK


def cpu_seconds():
    """CPU seconds of this process without what compiling kernels took."""
    return time.process_time() - CLOCK.seconds

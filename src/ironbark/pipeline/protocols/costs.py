"""What a fit costs: CPU seconds, and peak memory where the system can tell it, on Linux."""

import ctypes
import math
import re
import time
from pathlib import Path

from ironbark.jit import CLOCK


def cpu_seconds():
    """CPU seconds of this process without what compiling kernels took."""
    return time.process_time() - CLOCK.seconds


STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class PeakMemory:
    """How far the resident memory of this process rises once what earlier fits have freed is given back."""

    def __init__(self):
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of the GNU C library
        if trim is not None:
            trim(0)
        try:
            RESET.write_text("5")  # resets the peak of the resident memory, see proc_pid_clear_refs(5)
            self._before = _kibibytes("VmRSS")
        except OSError:  # no Linux, or a sandbox that does not allow it
            self._before = None

    def megabytes(self):
        """Highest resident memory since then, above that of then; NaN where the system does not tell."""
        if self._before is None:
            return math.nan
        return max(_kibibytes("VmHWM") - self._before, 0) * 1024 / 1e6


def _kibibytes(field):
    return int(re.search(rf"^{field}:\s+(\d+) kB$", STATUS.read_text(), re.MULTILINE)[1])

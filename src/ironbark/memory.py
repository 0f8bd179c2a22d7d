"""Memory that is left, and a clear message before an array is made that does not fit."""

import os

from ironbark.errors import InputError

MEMINFO = "/proc/meminfo"


def available():
    """Bytes that can be used without swapping; those of the whole machine, or infinity, where that is not known."""
    try:
        with open(MEMINFO) as lines:
            sizes = dict(line.split(":") for line in lines)
        return 1024 * int(sizes["MemAvailable"].split()[0])
    except (OSError, KeyError):
        if not hasattr(os, "sysconf"):
            return float("inf")
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def require(n_bytes: int, what: str, remedy: str):
    """Refuse what does not fit into memory."""
    left = available()
    if n_bytes > left:
        raise InputError(f"{what} takes {_gigabytes(n_bytes)}, but {_gigabytes(left)} are available; {remedy}.")


def _gigabytes(n_bytes):
    return f"{n_bytes / 1e9:.3g} GB of memory"

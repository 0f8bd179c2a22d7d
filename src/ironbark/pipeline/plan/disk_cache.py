"""Results of pure functions, kept on disk for the next run of Snakemake and for the jobs of a cluster.

There is one JSON file for each function, below the folder that Snakemake keeps in the working folder. Without that
folder nothing is written, for example when a plan is made from Python.
"""

import atexit
import contextlib
import functools
import hashlib
import json
import sys
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import write_text

SNAKEMAKE = Path(".snakemake")  # the folder of Snakemake
MOST = 10_000  # entries of a file; beyond them those that a run did not use are dropped


class DiskCache:
    """A function whose results are kept on disk.

    Parameters
    ----------
    function : function
        Its result depends on nothing but its arguments, which `repr` tells apart, and is made of lists, texts, numbers
        and None. Results of an older version of its module, or of Python, do not count.
    """

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self._function = function
        self._file = f"{function.__module__}.{function.__name__}.json"
        self._known, self._used, self._new = None, {}, False

    def __call__(self, *arguments):
        key = hashlib.blake2b(repr(arguments).encode(), digest_size=16).hexdigest()
        if self._known is None:
            self._load()
        if key not in self._known:
            self._known[key] = self._function(*arguments)
            self._new = True
        self._used[key] = self._known[key]
        return self._known[key]

    def _load(self):
        self._place = SNAKEMAKE.absolute() / "ironbark" / "cache" / self._file
        code = Path(self._function.__code__.co_filename).read_bytes() + sys.version.encode()
        self._code = hashlib.blake2b(code, digest_size=16).hexdigest()
        try:
            found = json.loads(self._place.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = None  # not there yet, or damaged
        usable = isinstance(found, dict) and found.get("code") == self._code and isinstance(found.get("entries"), dict)
        self._known = found["entries"] if usable else {}
        atexit.register(self.save)

    def save(self):
        """Write new results, whole or not at all; called when Python ends."""
        if not self._new or not self._place.parents[2].is_dir():
            return
        entries = self._known if len(self._known) <= MOST else self._used
        with contextlib.suppress(InputError, OSError):  # a plan does not need the file
            write_text(self._place, json.dumps({"code": self._code, "entries": entries}))
        self._new = False

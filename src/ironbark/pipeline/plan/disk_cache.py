"""Results that are kept on disk for the next run of Snakemake and for the jobs of a cluster.

There is one JSON file for each kind of result, below the folder that Snakemake keeps in the working folder. Without
that folder nothing is written, for example when a plan is made from Python.
"""

import atexit
import contextlib
import copy
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
    """Results by what they depend on.

    Parameters
    ----------
    name : str
        Of the file.
    source : path
        The module that computes them. Results of an older version of it, or of Python, do not count.
    """

    def __init__(self, name, source):
        self._name, self._source = name, Path(source)
        self._known, self._used, self._new = None, {}, False

    def get(self, key):
        """The result for a key, whatever `repr` tells apart; None if there is none."""
        if self._known is None:
            self._load()
        key = _digest(repr(key).encode())
        if key in self._known:
            self._used[key] = self._known[key]
        return copy.deepcopy(self._known.get(key))  # callers may change what they get

    def put(self, key, result):
        """Keep a result of lists, dicts with texts as keys, texts and numbers."""
        key = _digest(repr(key).encode())
        self._known[key] = self._used[key] = copy.deepcopy(result)
        self._new = True

    def _load(self):
        self._place = SNAKEMAKE.absolute() / "ironbark" / "cache" / f"{self._name}.json"
        self._code = _digest(self._source.read_bytes() + sys.version.encode())
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


def cached(function):
    """Keep the results of a function that depends on nothing but its arguments and never returns None."""
    cache = DiskCache(f"{function.__module__}.{function.__name__}", function.__code__.co_filename)

    @functools.wraps(function)
    def looked_up(*arguments):
        found = cache.get(arguments)
        if found is None:
            found = function(*arguments)
            cache.put(arguments, found)
        return found

    return looked_up


def _digest(content):
    return hashlib.blake2b(content, digest_size=16).hexdigest()

"""How ironbark compiles: one set of numba options, and a disk cache that never serves stale machine code.

numba notices an edit only in the file that a kernel stands in, not in the files whose functions the kernel calls. A
criterion is such a function, so the stamp of every cached kernel here also covers the sources of all kernel modules.
"""

import functools
import hashlib
import os
import time
from pathlib import Path

import numba
from numba.core import event

#: IRONBARK_CACHE=0 switches the disk cache off.
CACHE = os.environ.get("IRONBARK_CACHE", "1") != "0"

# No fastmath: ties in gain decide trees. The numpy error model leaves out checks for division by zero.
OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False}


def kernel(function):
    """Compile `function` at its first call for each combination of argument types."""
    dispatcher = numba.njit(cache=CACHE, **OPTIONS)(function)
    if CACHE and not numba.config.DISABLE_JIT:
        file = dispatcher._cache._cache_file
        file._source_stamp = (file._source_stamp, _sources())
    return dispatcher


def compiled(function, arguments, result=None):
    """Compile `function` now, for these numba types only.

    With a result type the function can be passed to another kernel, whose own signature then says `FunctionType`: that
    kernel is compiled once, whatever function it is given. This is how one tree driver serves all criteria.
    """
    dispatcher = kernel(function)
    if not numba.config.DISABLE_JIT:
        dispatcher.compile(tuple(arguments) if result is None else result(*arguments))
        dispatcher.disable_compile()
    return dispatcher


class CompileClock(event.Listener):
    """CPU seconds that this process has spent on compiling kernels and on loading them from the cache.

    Nested events, of kernels that are compiled for another one, count once.
    """

    def __init__(self):
        self.seconds = 0.0
        self._depth = 0
        self._start = 0.0

    def on_start(self, event):
        if self._depth == 0:
            self._start = time.process_time()
        self._depth += 1

    def on_end(self, event):
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.process_time() - self._start


#: What fits subtract from their time: the first fit of a process would else be charged for compilation.
CLOCK = CompileClock()
event.register("numba:compiler_lock", CLOCK)


@functools.cache
def _sources():
    """Digest of the sources of all modules that hold kernels or what they call."""
    digest = hashlib.blake2b(digest_size=16)
    root = Path(__file__).parent
    for path in sorted([root / "jit.py", *root.glob("criteria/*.py"), *root.glob("tree/*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()

"""Compilation: one set of numba options, and a disk cache that never serves stale machine code.

numba notices an edit only in the file of a kernel, not in the files whose functions the kernel calls. A
criterion is such a function, so the stamp of every cached kernel here also covers the sources of all kernel modules.
"""

import functools
import gc
import io
import os
import pickle
import re
import time
import warnings
from pathlib import Path

import numba
import numpy as np
from numba import types
from numba.core import event
from numba.core.cgutils import ir
from numba.core.serialize import dumps
from numba.extending import intrinsic, overload

from ironbark import inner_code
from ironbark.errors import InputError
from ironbark.files import digest, replacing

#: What modules with kernels, or with classes for them, import; those in the same folder may hold what kernels call.
KERNELS = re.compile(rb"from ironbark\.jit import .*(kernel|compiled|by_class)|from ironbark\S*\.definitions import ")

SUM = 32  # characters of the digest in front of what is kept on disk

#: IRONBARK_CACHE=0 switches the disk cache off.
CACHE = os.environ.get("IRONBARK_CACHE", "1") != "0"

# No fastmath: ties in gain decide trees. The numpy error model leaves out checks for division by zero.
OPTIONS = {"nogil": True, "error_model": "numpy", "fastmath": False}
INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False, **inner_code.options()}
#: Options of `numba.extending.overload` that do what `inlined_kernel` does.
INLINED = {**OPTIONS, **INNER, "forceinline": True}


def kernel(function):
    """Compile `function` at its first call for each combination of argument types."""
    return _compiler(function, {})


def inner_kernel(function):
    """`kernel` for a function that only kernels call and that makes no array."""
    # It has no entry from Python, which takes long to compile, and counts no references, two atomic steps an array.
    return _compiler(function, INNER)


def inlined_kernel(function):
    """`inner_kernel` that is inlined wherever it is called: to pass many arrays takes as long as a small node."""
    return _compiler(function, {**INNER, "forceinline": True})


def by_class(operation, options=None):
    """Let `operation` be the method of that name of the class of its first argument, or else of its first field."""
    # numba sees a type for each class, so compiled code has the method inlined or called directly.
    name = operation.__name__

    @functools.wraps(operation)
    def call(subject, *arguments):
        return getattr(type(subject), name, hand_on)(subject, *arguments)

    def hand_on(subject, *arguments):
        return call(subject[0], *arguments)

    @overload(call, strict=False, jit_options=options or {**OPTIONS, **INNER})  # the signature is the method's
    def find(subject, *arguments):
        method = getattr(subject.instance_class, name, hand_on)
        return getattr(method, "py_func", method)

    return call


def inlined_by_class(operation):
    """`by_class` whose methods are inlined wherever they are called, see `inlined_kernel`."""
    return by_class(operation, INLINED)


def compiled(function, arguments):
    """Compile `function`, which makes no array, now, and return its entry for these numba types."""
    # The entry takes a few microseconds; the dispatcher looks at the types of all arguments, which takes longer than to
    # grow a small tree. It is for the caller to see that they are these.
    dispatcher = _compiler(function, {"_nrt": False})
    if numba.config.DISABLE_JIT:
        return dispatcher
    dispatcher.compile(tuple(arguments))
    return dispatcher.overloads[tuple(arguments)].entry_point


def unlikely(condition):
    """The condition; compiled code then branches, and goes on with the other case without waiting for the answer."""
    return condition


def _of_llvm(name, kind, bits, further):
    """LLVM's function of a number, of so many bits, and a constant bit."""

    @intrinsic
    def call(context, number):
        def generate(context, builder, signature, arguments):
            word, bit = ir.IntType(bits), ir.IntType(1)
            function = builder.module.declare_intrinsic(name, (word,), ir.FunctionType(word, [word, bit]))
            return builder.call(function, [arguments[0], bit(further)])

        return kind(kind), generate

    return call


_expect_false = _of_llvm("llvm.expect", types.boolean, 1, 0)
_trailing_zeros = _of_llvm("llvm.cttz", types.uint64, 64, 1)


@overload(unlikely, jit_options=INLINED)
def _unlikely(condition):
    return lambda condition: _expect_false(condition)


def trailing_zeros(mask):
    """Place of the lowest bit of a uint64 that is not 0."""
    return np.uint64((int(mask) & -int(mask)).bit_length() - 1)


@overload(trailing_zeros, jit_options=INLINED)
def _place_of_lowest(mask):
    return lambda mask: _trailing_zeros(mask)


def user_kernel(function):
    """Compile a function that is not ironbark's; it may make arrays, and its machine code is not kept on disk."""
    return numba.njit(**OPTIONS, _nrt=True)(function)


def first_class(function, arguments, result, cached=True):
    """Like `compiled`, as a value that can be passed to a compiled function."""
    # The signature of that one says ``types.FunctionType(result(*arguments))``: it is compiled once, whatever function
    # it is given. This is how one tree driver serves all criteria.
    dispatcher = _compiler(function, {"no_cpython_wrapper": True, "_nrt": False}, cached)
    if numba.config.DISABLE_JIT:
        return dispatcher
    dispatcher.compile(result(*arguments))
    dispatcher.disable_compile()
    if numba.config.BOUNDSCHECK:
        return dispatcher  # the address below loses exceptions
    return types.CompileResultWAP(dispatcher.overloads[tuple(arguments)])  # to pass the dispatcher takes 0.3 ms


def _compiler(function, options, cached=True):
    dispatcher = numba.njit(**OPTIONS, **options)(function)
    if numba.config.DISABLE_JIT:
        return dispatcher
    dispatcher.get_call_template = functools.partial(_any_number, dispatcher.get_call_template)
    if cached and CACHE and _can_keep(dispatcher):
        cache = dispatcher._cache
        stamp = (numba.__version__, cache._impl.locator.get_source_stamp(), _sources())
        cache._cache_file = KernelCache(Path(cache.cache_path), cache._impl.filename_base, stamp)
    return dispatcher


def _can_keep(dispatcher):
    """Switch the disk cache of a function on, where there is a place for it."""
    try:
        dispatcher.enable_caching()
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        _warn_of_no_cache()
        return False
    return True


@functools.cache
def _warn_of_no_cache():
    warnings.warn(
        f"neither {Path(__file__).parent} nor the home folder can be written, so each process compiles its code again, "
        "which takes seconds; set NUMBA_CACHE_DIR to a folder that can be written",
        stacklevel=2,
    )


def _any_number(find, args, kws):
    """Implementation for argument types, so that a kernel is not compiled again for each literal number."""
    return find(tuple(map(types.unliteral, args)), {name: types.unliteral(type) for name, type in kws.items()})


class KernelCache:
    """Machine code on disk, a file for each specialisation of a function.

    It stands in for numba's own cache file, whose one index per function loses a race: two processes that compile two
    specialisations at once give both the same data file, and one of them is later served the other's code.
    `folder` is that of numba's cache of the module, `name` numba's name for the function. `stamp` is what the code
    depends on besides the specialisation: the version of numba, the sources.
    """

    def __init__(self, folder: Path, name: str, stamp: tuple):
        self._folder, self._name, self._stamp = folder, name, stamp

    def load(self, key):
        """The code of the specialisation `key`, or None."""
        try:
            content = self._path(key).read_bytes()
        except OSError:
            return None  # not there, or not to be read
        stream = io.BytesIO(content)
        if stream.read(SUM) != digest(content[SUM:]).encode():
            return None  # damaged
        try:  # one after the other: code of another version of numba may not even unpickle
            fresh = pickle.load(stream) == self._stamp and pickle.load(stream) == key
            return pickle.load(stream) if fresh else None
        except (EOFError, pickle.UnpicklingError, ImportError, AttributeError):
            return None  # also where it is of a module that is gone

    def save(self, key, data):
        """Keep the code of the specialisation `key`; where that is impossible, warn, for this process has its code."""
        try:
            with replacing(self._path(key)) as path:
                content = b"".join(map(dumps, (self._stamp, key, data)))
                path.write_bytes(digest(content).encode() + content)
        except (OSError, InputError) as error:
            warnings.warn(f"compiled code can't be kept in {self._folder}: {error}", stacklevel=2)

    def _path(self, key):
        # The stamp stays out of the name, so that new code takes the place of old code.
        return self._folder / f"{self._name}.{digest(repr(key).encode(), size=8)}.nbc"


class CompileClock(event.Listener):
    """CPU seconds that this process has spent on compiling kernels and on loading them from the cache.

    Nested events, of kernels that are compiled for another one, count once. While it runs Python collects no garbage:
    numba makes millions of objects that live on, and a sixth of the time went into looking through them.
    """

    def __init__(self):
        self.seconds = 0.0
        self._depth = 0
        self._start = 0.0
        self._collects = False

    def on_start(self, event):
        if self._depth == 0:
            self._start = time.process_time()
            self._collects = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, event):
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.process_time() - self._start
            if self._collects:
                gc.enable()


#: What fits subtract from their time: the first fit of a process would else be charged for compilation.
CLOCK = CompileClock()
event.register("numba:compiler_lock", CLOCK)


@functools.cache
def _sources():
    """Digest of the sources of all modules that hold kernels or what they call."""
    modules = {path: path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py"))}
    folders = {path.parent for path, source in modules.items() if KERNELS.search(source)}
    kept = (path for path in modules if path.parent in folders or path.name in ("jit.py", "inner_code.py"))
    return digest(*(modules[path] for path in kept))

"""Finished fits, kept in append-only files of one JSON object a line.

The store is no output of a Snakemake rule, so a job that fails or is killed loses at most the fit it was at. A line is
``{"key": ..., "record": {...}, "sum": ...}``; the key is a hash of everything that the fit depends on, so a line is
never stale, only unused. A line that was torn by a crash, or whose sum is of another record, is skipped.
"""

import base64
import contextlib
import fcntl
import gzip
import itertools
import json
import math
import os
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from ironbark.errors import InputError
from ironbark.files import digest, explained, replacing

#: Types that an array in a record may have.
TYPES = ("|u1", "<u2", "<f8")


def key_of(**parts):
    """Hexadecimal hash of the parts that a fit depends on; values must be JSON, or inf or NaN."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return digest(text.encode())


class Store:
    """The fits of one data set, task, noise and method, in a file that is made when the first is added."""

    def __init__(self, path):
        self.path = Path(path)
        self._records = {}
        try:
            self._read(self.path.read_bytes())
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            raise InputError(f"cannot read {self.path}: {error.strerror}; remove it and start again") from error

    def __len__(self):
        return len(self._records)

    def get(self, key):
        """Record of the fit of this key, or None."""
        return self._records.get(key)

    def add(self, key, record):
        """Append a finished fit and make sure that it reached the disk."""
        with self._appending() as stream:
            stream.write(_line(key, record))
        self._records[key] = record

    def add_missing(self, fits: dict, is_missing: Callable) -> int:
        """Append those of many finished fits that the file lacks, also if other processes append at the same time."""
        with self._appending() as stream:
            stream.seek(0)
            self._read(stream.read())
            lacking = {key: record for key, record in fits.items() if is_missing(self.get(key), record)}
            stream.write(b"".join(_line(key, record) for key, record in lacking.items()))
        self._records |= lacking
        return len(lacking)

    @contextlib.contextmanager
    def _appending(self):
        """The file, locked and at its end, where a new line begins; what was written reaches the disk at the end."""
        try:
            with explained(self.path):
                self.path.parent.mkdir(parents=True, exist_ok=True)
            with explained(self.path), open(self.path, "ab+") as stream:
                fcntl.flock(stream, fcntl.LOCK_EX)  # two studies may ask for the same fit at the same time
                if (end := stream.seek(0, os.SEEK_END)) and os.pread(stream.fileno(), 1, end - 1) != b"\n":  # torn
                    stream.write(b"\n")
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror}; free space or fix permissions.") from error

    def _read(self, content):
        for line in content.splitlines():
            try:
                entry = json.loads(line)
                if entry.get("sum") in (None, _sum(entry["key"], entry["record"])):  # None: of before there were sums
                    self._records[entry["key"]] = entry["record"]
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # torn by a crash; its fit is run again


def _line(key, record):
    return json.dumps({"key": key, "record": record, "sum": _sum(key, record)}, sort_keys=True).encode() + b"\n"


def _sum(key, record):
    return digest(json.dumps([key, record], sort_keys=True).encode(), size=8)


def write_batch(path: Path, header: dict, fits: Iterable[dict]):
    """Write a batch, whole or not at all."""
    with (
        replacing(path) as side,
        open(side, "wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=3, mtime=0) as stream,
    ):
        for line in itertools.chain([header], fits):
            stream.write(json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n")


def read_batch(path):
    """Header and fits of a batch."""
    with undamaged(path), gzip.open(path, "rb") as stream:
        header, *fits = (json.loads(line) for line in stream)
    return header, fits


DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError)  # pyarrow's are ValueErrors


@contextlib.contextmanager
def undamaged(path):
    """Turn what reading a damaged file raises into one sentence that names the remedy."""
    try:
        yield
    except InputError:
        raise
    except (*DAMAGE, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # missing, unreadable: the file is not to blame
        raise InputError(f"{path} is damaged ({error}); remove it and start again, finished fits are kept") from error


def to_text(array: np.ndarray):
    """Text of an array in a record: its type, shape and compressed bytes, such as ``|u1 40 eNpj...``."""
    array = np.ascontiguousarray(array)
    if array.dtype.str not in TYPES:
        raise ValueError(f"arrays of type {array.dtype} are not stored; convert them to one of {', '.join(TYPES)}")
    planes = array.reshape(-1).view(np.uint8).reshape(-1, array.dtype.itemsize).T
    packed = base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode()
    return f"{array.dtype.str} {'x'.join(map(str, array.shape))} {packed}"


def to_array(text: str, most: int = 2**31):
    """The array that `to_text` was given."""
    try:
        kind, sizes, packed = text.split(" ")
        shape = tuple(int(size) for size in sizes.split("x"))
    except (AttributeError, ValueError):
        raise ValueError("it is no text of an array") from None
    if kind not in TYPES or min(shape) < 0:
        raise ValueError(f"{kind} {sizes} is no kind of array that is stored")
    dtype, wanted = np.dtype(kind), math.prod(shape) * np.dtype(kind).itemsize
    if wanted > most:
        raise ValueError(f"an array of {wanted} bytes is larger than allowed, {most}")
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(base64.b64decode(packed, validate=True), wanted + 1)
    except zlib.error as error:
        raise ValueError(f"the bytes of an array are damaged ({error})") from None
    if len(raw) != wanted or not stream.eof or stream.unused_data:
        raise ValueError(f"an array has not the {wanted} bytes that its text announces")
    planes = np.frombuffer(raw, np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype).reshape(shape)

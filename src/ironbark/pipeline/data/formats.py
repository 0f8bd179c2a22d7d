"""Files of tables: the formats that data sets come in, archives of them, and the raw table that is kept."""

import bz2
import contextlib
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse
from sklearn.datasets import load_svmlight_files

from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.data import FORMATS, arff_files, csv_files
from ironbark.pipeline.data.frame import listed
from ironbark.pipeline.results import parquet

GZIP = b"\x1f\x8b"  # start of a file that gzip wrote
COMPRESSED = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}

#: What the parsers raise on damaged files.
_DAMAGE = (
    *(ValueError, EOFError, OSError, LookupError, StopIteration, OverflowError, RuntimeError),
    *(zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, pa.ArrowException),
)


def format_of(path):
    """Format of a file, by its name without the suffix of a compression."""
    path = Path(path)
    suffix = Path(path.stem).suffix if path.suffix in COMPRESSED else path.suffix
    name = suffix.removeprefix(".").lower()
    if name not in FORMATS:
        known = suggestion(name, FORMATS)
        raise InputError(f"cannot tell the format of {path.name!r} by its name; set `format`: {known}")
    return name


def read(path: Path, format: str, target: str = "target", name: str | None = None):
    """Read a table; `name` is what errors call it."""
    with opened(path, format, name) as stream:
        return _READERS[format](stream, target)


@contextlib.contextmanager
def opened(path, format, name=None):
    """Open a file for reading, unpacked by its suffix, with `readable` around the block."""
    with readable(name or path, format), COMPRESSED.get(Path(path).suffix, open)(path, "rb") as stream:
        yield stream


@contextlib.contextmanager
def readable(name, format):
    """Turn what parsers raise on damaged files into one sentence."""
    try:
        yield
    except InputError:
        raise
    except csv_files.Fault as error:
        raise InputError(f"{name}: {error}") from error
    except _DAMAGE as error:
        detail = " ".join(str(error).split())[:200] or type(error).__name__
        save = "save it as UTF-8, or " if isinstance(error, UnicodeDecodeError) else ""
        field = " and its `format`" if format in FORMATS else ""
        raise InputError(f"{name} cannot be read as {format} ({detail}); {save}check the file{field}") from error


@dataclass(frozen=True)
class Archive:
    """An open zip or tar archive. Its members are read where they are and never written to a folder."""

    who: str
    path: Path
    names: list
    open_packed: Callable  # name -> stream of the member as it is

    def find(self, *ends):
        """The one member of this name, or that ends in it or in one of several ends."""
        found = [name for name in self.names if name in ends] or [name for name in self.names if name.endswith(ends)]
        if len(found) != 1:
            wanted = " or ".join(map(repr, ends))
            raise InputError(
                f"{self.who}: {self.path} has {len(found) or 'no'} files that end in {wanted}; it has "
                f"{listed(self.names)}"
            )
        return found[0]

    @contextlib.contextmanager
    def open(self, name):
        """Open a member for reading; one that ends in .gz, .bz2 or .xz is unpacked, unless it is plain text (.gz)."""
        suffix = PurePosixPath(name).suffix
        with self.open_packed(name) as stream:
            packed = suffix != ".gz" or stream.read(2) == GZIP
            stream.seek(0)
            with COMPRESSED[suffix](stream) if packed and suffix in COMPRESSED else stream as content:
                yield content


@contextlib.contextmanager
def archive(who: str, path: Path):
    """Open a zip or tar archive."""
    with contextlib.ExitStack() as stack:
        try:
            if zipfile.is_zipfile(path):
                content = stack.enter_context(zipfile.ZipFile(path))
                names, open_member = [info.filename for info in content.infolist() if not info.is_dir()], content.open
            else:
                content = stack.enter_context(tarfile.open(path))
                names, open_member = [info.name for info in content if info.isfile()], content.extractfile
        except _DAMAGE as error:
            raise InputError(f"{who}: {path} is no zip or tar archive or is damaged; remove it, fetch again") from error
        yield Archive(who, path, names, open_member)


def read_libsvm(streams, target):
    """One table of several open LIBSVM files, as wide as the widest of them, and the number of rows of each."""
    loaded = load_svmlight_files(streams)
    X, y = scipy.sparse.vstack(loaded[::2]).tocsc(), np.concatenate(loaded[1::2])
    columns = {f"f{j + 1}": smallest(X[:, [j]].toarray().ravel()) for j in range(X.shape[1])}
    return pd.DataFrame({**columns, target: smallest(y)}), [len(labels) for labels in loaded[1::2]]


_READERS = {
    "csv": csv_files.read,
    "parquet": lambda stream, target: parquet.read_stream(stream).reset_index(drop=True),
    "arff": lambda stream, target: arff_files.read(stream),
    "libsvm": lambda stream, target: read_libsvm([stream], target)[0],
    "keel": lambda stream, target: compact(arff_files.read_keel(stream)),
}


def compact(table):
    """The table with its float columns in the `smallest` type."""
    return table.assign(**{name: smallest(table[name].to_numpy()) for name in table if table[name].dtype.kind == "f"})


def smallest(values: np.ndarray):
    """The same numbers in the smallest integer type that holds them all, if they are whole and below 2**53."""
    if not np.isfinite(values).all() or (np.abs(values) > 2**53).any() or (values != np.trunc(values)).any():
        return values
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    return values.astype(next(kind for kind in _INTEGERS if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max))


_INTEGERS = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64)


def write(table, path):
    """Write a data frame as the raw table of a data set (Parquet), whole or not at all."""
    with replacing(path) as side:
        pq.write_table(pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None), side)

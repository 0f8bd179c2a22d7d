"""The original file of a data set: its name in the raw folder, and its checks."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.datasets import formats
from ironbark.errors import InputError
from ironbark.files import sha256


def original_name(name, format):
    """Name of the raw file: ``original.<format>`` with the suffix of a compression, or the table itself."""
    suffix = Path(name).suffix
    compression = suffix if suffix in formats.COMPRESSED else ""
    return "table.parquet" if (format, compression) == ("parquet", "") else f"original.{format}{compression}"


def check_parquet(id, file, origin):
    """Arrow schema of `file`, from `origin`; InputError unless it starts and ends as a Parquet file does."""
    try:
        return pq.read_schema(file)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"data set {id!r}: {origin} is not a Parquet file or is damaged; get it again") from error


def check(id, entry, file, origin, place):
    """Raise InputError unless `file`, from `origin` on its way to `place`, is what the entry says."""
    _check_sum(id, entry, file, origin, place)
    if place.name == "table.parquet":
        check_parquet(id, file, origin)


def _check_sum(id, entry, file, origin, place):
    expected = entry.get("sha256")
    if expected is None:
        return
    found = sha256(file)
    if found != expected:
        raise InputError(
            f"data set {id!r}: {origin} has SHA-256 {found}, but the catalogue expects {expected}, so {place} was not "
            "written; fetch again, and if the sum stays the same, find out what changed before you edit `sha256`"
        )

"""The original file of a data set: its name in the raw folder, and its checks."""

from pathlib import Path

import pooch
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.pipeline.data.io import formats
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


def check_local(who, path, field, expected=None):
    """sha256 and bytes of a file of this machine, which the entry names in `field`, as a dict.

    Raises
    ------
    InputError
        If there is no such file, or it has another checksum than the entry says.
    """
    if not path.is_file():
        raise InputError(f"{who}: there is no file {path}; put it there or fix `{field}`")
    found = sha256(path)
    if not pooch.hashes.hash_matches(path, expected):
        raise InputError(
            f"{who}: {path} has SHA-256 {found}, but the catalogue expects {expected}; get the right file, or find out "
            "what changed before you edit `sha256`"
        )
    return {"sha256": found, "bytes": path.stat().st_size}

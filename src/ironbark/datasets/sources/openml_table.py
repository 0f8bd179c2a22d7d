"""Source ``openml``: a data set of openml.org by its number, through the package openml."""

import importlib
import shutil
from pathlib import Path

from ironbark.datasets import checksums, formats
from ironbark.errors import InputError
from ironbark.files import explained, owning, sha256


def fetch(id, entry, folder, mirror=None):
    """Download an OpenML data set (cache in ``folder/openml``) and write all its columns as one table.

    Returns
    -------
    path : Path
    facts : dict

    Raises
    ------
    InputError
        If the package openml is missing, the server cannot be reached or refuses, the file is another one than that of
        the first download, or the data are not a table.
    """
    try:
        openml = importlib.import_module("openml")
    except ImportError as error:
        raise InputError(
            f"data set {id!r} comes from OpenML, which needs the package openml; run "
            "`.venv/bin/pip install -r envs/run.lock`, or give the folder of a mirror with --config mirror=DIR"
        ) from error
    openml.config.set_root_cache_directory(str(folder / "openml"))
    side = folder / ".openml.part"
    with owning(side):
        try:
            table, facts = _table(id, openml, entry["openml_id"], folder)
        finally:
            side.unlink(missing_ok=True)
    formats.write(formats.compact(table), folder / "table.parquet")
    return folder / "table.parquet", facts


def _table(id, openml, number, folder):
    try:
        with explained(folder):
            found = openml.datasets.get_dataset(number, download_data=True)
    except (openml.exceptions.PyOpenMLError, OSError) as error:  # connection errors of requests are OSErrors
        raise InputError(
            f"data set {id!r}: OpenML did not give data set {number} ({_short(error)}); check `openml_id` and the "
            "network, or give the folder of a mirror with --config mirror=DIR"
        ) from error
    file = Path(found.parquet_file or found.data_file)
    address = f"{openml.config.get_server_base_url()}/d/{number}#{file.name}"
    facts = _checked(id, address, file)
    try:
        table = found.get_data()[0]
    except Exception as error:  # the parsers behind the package have exceptions of their own
        shutil.rmtree(folder / "openml")
        raise InputError(
            f"data set {id!r}: {address} is no table or is damaged ({_short(error)}); fetch again"
        ) from error
    if checksums.recorded(address) is None:
        checksums.record(address, facts["sha256"])
    return table, {"files": [facts]}


def _short(error):
    return " ".join(str(error).split())[:200]


def _checked(id, address, file):
    """Facts of the file, which is that of the first download; OpenML itself vouches for ARFF files only, by MD5."""
    facts = {"url": address, "sha256": sha256(file), "bytes": file.stat().st_size}
    known = checksums.recorded(address)
    if known not in (None, facts["sha256"]):
        file.unlink()
        raise InputError(
            f"data set {id!r}: {address} has SHA-256 {facts['sha256']}, but {checksums.PLACE} has, since the first "
            f"download, {known}, so {file} was not kept; fetch again, and if the sum stays the same, "
            f"find out what changed before you remove its line from {checksums.PLACE}"
        )
    return facts

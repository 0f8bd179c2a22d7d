"""Source ``openml``: a data set of openml.org by its number."""

import importlib

from ironbark.datasets import formats
from ironbark.errors import InputError


def fetch(id, entry, folder, mirror=None):
    """Download an OpenML data set (cache in ``folder/openml``) and write all its columns as one table.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        If the package openml is missing, the server cannot be reached or refuses, or the data are not a table.
    """
    try:
        openml = importlib.import_module("openml")
    except ImportError as error:
        raise InputError(
            f"data set {id!r} comes from OpenML, which needs a package more; run `pip install openml`, "
            "or give the folder of a mirror with --config mirror=DIR"
        ) from error
    number = entry["openml_id"]
    openml.config.set_root_cache_directory(str(folder / "openml"))
    try:
        table = openml.datasets.get_dataset(number, download_data=True).get_data()[0]
    except (openml.exceptions.PyOpenMLError, OSError) as error:  # connection errors of requests are OSErrors
        detail = " ".join(str(error).split())[:200]
        raise InputError(
            f"data set {id!r}: OpenML did not give data set {number} ({detail}); check `openml_id` and the network, "
            "or give the folder of a mirror with --config mirror=DIR"
        ) from error
    formats.write(formats.compact(table), folder / "table.parquet")
    return folder / "table.parquet"

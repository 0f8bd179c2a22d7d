"""Source ``openml``: a data set of openml.org by its number, described and parsed by the package openml."""

import contextlib
import functools
import importlib
import shutil

from ironbark.errors import InputError
from ironbark.files import owning
from ironbark.pipeline.data.io import formats
from ironbark.pipeline.data.io.download import MIRROR, download
from ironbark.pipeline.data.io.web import TIMEOUT

FILE = "dataset.arff"


def fetch(id, entry, folder, mirror=None):
    """Download an OpenML data set as one table, without the columns that OpenML says to ignore.

    The ARFF file is downloaded, whose MD5 OpenML knows; its Parquet files come over plain HTTP without a checksum. The
    description is kept in ``folder/openml``, so that a file that is there needs no network.
        With the names of the columns to ignore, under ``ignored``.

    Raises
    ------
    InputError
        If the package openml is missing, the server cannot be reached or refuses, the file has another checksum than
        the description says, or the data are not a table.
    """
    try:
        openml = importlib.import_module("openml")
    except ImportError as error:
        raise InputError(
            f"data set {id!r} comes from OpenML, which needs the package openml; run "
            f"`.venv/bin/pip install -r envs/run.lock`, or {MIRROR}"
        ) from error
    cache, side = folder / "openml", folder / ".openml.part"
    with owning(side):
        try:
            openml.config.set_root_cache_directory(str(cache))
            found = _description(id, openml, entry["openml_id"])
            checksum = found.md5_checksum and f"md5:{found.md5_checksum}"
            facts = download(f"data set {id!r}", found.url, folder / FILE, checksum)
            table = _table(id, found, folder / FILE)
        except InputError:
            shutil.rmtree(cache, ignore_errors=True)  # the description may be out of date
            raise
        finally:
            side.unlink(missing_ok=True)
    ignored = [*(found.ignore_attribute or ()), *([found.row_id_attribute] if found.row_id_attribute else ())]
    return formats.compact(table), {"files": [facts]} | ({"ignored": ignored} if ignored else {})


def _description(id, openml, number):
    try:
        with _timed(openml):
            return openml.datasets.get_dataset(number, download_data=False)
    except Exception as error:  # of openml, requests, urllib3, minio, xmltodict and others, which have no common base
        raise InputError(
            f"data set {id!r}: OpenML did not give data set {number} ({_short(error)}); check `openml_id` and the "
            f"network, or {MIRROR}"
        ) from error


@contextlib.contextmanager
def _timed(openml):
    """Give a time-out to the requests of the package, which sets none."""
    session = openml._api_calls.requests.Session
    request = session.request
    session.request = functools.partialmethod(request, timeout=TIMEOUT)
    try:
        yield
    finally:
        session.request = request


def _table(id, found, path):
    found.data_file = str(path)
    try:
        return found.get_data()[0]
    except Exception as error:  # the parsers behind the package have exceptions of their own
        raise InputError(
            f"data set {id!r}: {found.url} is no table or is damaged ({_short(error)}); fetch again"
        ) from error
    finally:
        path.with_suffix(".pkl.py3").unlink(missing_ok=True)  # a second copy, which nothing reads


def _short(error):
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]

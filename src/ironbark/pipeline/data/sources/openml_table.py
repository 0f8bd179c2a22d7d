"""Source ``openml``: a data set of openml.org by its number, described by the package openml."""

import contextlib
import importlib
import os
import shutil

import pandas as pd

from ironbark.errors import InputError
from ironbark.files import explained, owning
from ironbark.pipeline.data import addresses, csv_files, formats
from ironbark.pipeline.data.download import TIMEOUT, Refused, Unreachable, download
from ironbark.pipeline.log import redacted, say

ARFF, PARQUET = "dataset.arff", "dataset.parquet"
MIRROR = "give the folder of a mirror with --config mirror=DIR"
_TRUTH = {"true", "false"}


def fetch(id, entry, folder, mirror=None):
    """Download an OpenML data set as one table, without the columns that OpenML says to ignore.

    The ARFF file is downloaded, whose MD5 OpenML knows; where it is gone, the Parquet file, which has no checksum. The
    description is kept in ``folder/openml``, so that a file that is there needs no network.
    """
    cache, side = folder / "openml", folder / ".openml.part"
    with explained(folder), owning(side):
        try:
            openml = _package(id, cache)
            openml.config.set_root_cache_directory(str(cache))
            found = _description(id, openml, entry["openml_id"])
            path, facts = _file(f"data set {id!r}", found, folder)
            table = _table(f"data set {id!r}", path, facts["url"])
        except InputError:
            shutil.rmtree(cache, ignore_errors=True)  # the description may be out of date
            raise
        finally:
            side.unlink(missing_ok=True)
    ignored = _ignored(found, table.columns)
    table = formats.compact(_booleans(table.drop(columns=ignored, errors="ignore")))
    return table, {"files": [facts]} | ({"ignored": ignored} if ignored else {})


def _package(id, cache):
    """The package openml, also where it cannot make its folders in the user's home, as it does when it is imported."""
    try:
        try:
            return importlib.import_module("openml")
        except OSError:
            os.environ |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "OPENML_CACHE_DIR"), str(cache))
            return importlib.import_module("openml")
    except ImportError as error:
        raise InputError(
            f"data set {id!r} comes from OpenML, which needs the package openml; run "
            f"`.venv/bin/pip install -r envs/run.lock`, or {MIRROR}"
        ) from error


def _description(id, openml, number):
    """What OpenML says about a data set, as an object of the package openml."""
    try:
        with _asking(openml):
            return _dataset(openml, number)
    except Exception as error:  # of openml, requests, urllib3, minio, xmltodict and others, which have no common base
        said = _short(error, openml.config.apikey)
    raise InputError(  # without its cause, whose text may show the user's key
        f"data set {id!r}: OpenML did not give data set {number} ({said}); check `openml_id` and the network, "
        f"or {MIRROR}"
    )


def _dataset(openml, number):
    try:
        return openml.datasets.get_dataset(number, download_data=False)
    except KeyError as error:
        if error.args != ("oml:url",):
            raise
    functions, folder = openml.datasets.functions, openml.utils._create_cache_directory_for_id("datasets", number)
    about = functions._get_dataset_description(folder, number)
    return functions._create_dataset_from_description({"oml:url": None} | about)


@contextlib.contextmanager
def _asking(openml):
    """Give a time-out to the requests of the package, which sets none, and no second try to a wrong certificate."""
    requests = openml._api_calls.requests
    request = requests.Session.request

    def ask(*arguments, **options):
        try:
            return request(*arguments, timeout=TIMEOUT, **options)
        except requests.exceptions.SSLError as error:
            raise Refused(f"the certificate is not accepted: {error}") from error

    requests.Session.request = ask
    try:
        yield
    finally:
        requests.Session.request = request


def _file(who, found, folder):
    """Path and facts of the ARFF file or, where it is gone, of the Parquet file."""
    parquet = found._parquet_url
    if found.url:
        checksum = found.md5_checksum and f"md5:{found.md5_checksum}"
        try:
            return folder / ARFF, download(who, found.url, folder / ARFF, checksum)
        except Unreachable as error:
            if not parquet:
                raise
            say(f"{error}; its Parquet file is taken instead")
    if not parquet:
        raise InputError(f"{who}: OpenML names no file of it; {MIRROR}")
    secure = f"https{parquet[4:]}" if addresses.is_exposed(parquet) else parquet
    return folder / PARQUET, download(who, secure, folder / PARQUET)


def _table(who, path, url):
    try:
        with open(path, "rb") as stream:
            return formats.read_stream(stream, path.suffix[1:])
    except csv_files.Fault as error:
        raise InputError(f"{who}: {url}: {error}") from error
    except Exception as error:  # the parsers have exceptions of their own
        raise InputError(f"{who}: {url} is no table or is damaged ({_short(error)}); fetch again") from error


def _ignored(found, columns):
    """Names of the columns to leave out; OpenML writes several of them as one text, too."""
    names = []
    for value in (found.ignore_attribute, found.row_id_attribute):
        for text in [value] if isinstance(value, str) else value or ():
            names += [text] if text in columns else [name.strip(" \"'") for name in text.split(",")]
    return list(dict.fromkeys(filter(None, names)))


def _booleans(table):
    """The table with booleans for the categories true and false, as the package openml reads them."""
    for name in table:
        kind = table[name].dtype
        if isinstance(kind, pd.CategoricalDtype) and {str(value).lower() for value in kind.categories} == _TRUTH:
            table[name] = table[name].cat.rename_categories(lambda value: str(value).lower() == "true")
    return table


def _short(error, key=""):
    said = redacted(f"{type(error).__name__}: {error}")
    return " ".join((said.replace(key, "***") if key else said).split())[:200]

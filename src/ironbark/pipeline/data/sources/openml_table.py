"""Source ``openml``: the ARFF file of a data set of openml.org by its number, described by the package openml."""

import functools
import importlib
import os
import shutil

import pandas as pd

from ironbark.errors import InputError
from ironbark.files import explained, owning
from ironbark.pipeline.data import formats
from ironbark.pipeline.data.download import TIMEOUT, download
from ironbark.pipeline.log import redacted

ARFF = "dataset.arff"
_TRUTH = {"true", "false"}


def fetch(who, entry, folder):
    """Download an OpenML data set as one table, without the columns that OpenML says to ignore."""
    # OpenML knows the MD5 of ARFF files only. With its description in ``folder/openml``, a file needs no network again.
    cache = folder / "openml"
    with explained(folder), owning(folder / ".openml.part"):
        try:
            openml = _package(cache)
            openml.config.set_root_cache_directory(str(cache))
            found = _description(who, openml, entry["openml_id"])
            checksum = found.md5_checksum and f"md5:{found.md5_checksum}"
            facts = download(who, found.url, folder / ARFF, checksum)
            table = formats.read(folder / ARFF, "arff", name=f"{who}: {facts['url']}")
        except InputError:
            shutil.rmtree(cache, ignore_errors=True)  # the description may be out of date
            raise
    ignored = _ignored(found, table.columns)
    table = formats.compact(_booleans(table.drop(columns=ignored, errors="ignore")))
    return table, {"files": [facts]} | ({"ignored": ignored} if ignored else {})


def _package(cache):
    """The package openml, also where it cannot make its folders in the user's home, as it does when it is imported."""
    try:
        return importlib.import_module("openml")
    except OSError:
        os.environ |= dict.fromkeys(("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "OPENML_CACHE_DIR"), str(cache))
        return importlib.import_module("openml")


def _description(who, openml, number):
    """What OpenML says about a data set, as an object of the package openml."""
    session = openml._api_calls.requests.Session
    request = session.request
    try:
        session.request = functools.partialmethod(request, timeout=TIMEOUT)  # the package sets none
        return openml.datasets.get_dataset(number, download_data=False)
    except Exception as error:  # of openml, requests, urllib3, minio, xmltodict and others, which have no common base
        said = redacted(f"{type(error).__name__}: {error}")
        said = " ".join((said.replace(openml.config.apikey, "***") if openml.config.apikey else said).split())[:200]
    finally:
        session.request = request
    raise InputError(  # without its cause, whose text may show the user's key
        f"{who}: OpenML did not give data set {number} ({said}); check `openml_id` and the network, or "
        "give the folder of a mirror with --config mirror=DIR"
    )


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

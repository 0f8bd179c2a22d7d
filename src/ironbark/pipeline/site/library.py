"""The charting library of the pages: Vega-Lite, Vega and its embedding in one script, from the package vl-convert."""

import importlib.metadata
from pathlib import Path

from ironbark.errors import InputError

PACKAGE = "vl-convert-python"


def script(before):
    """Name and text of the script.

    Parameters
    ----------
    before : path
        Folder of scripts of an earlier site: putting the library together takes seconds, copying it does not.

    Returns
    -------
    name, text : str

    Raises
    ------
    InputError
        If the package is not installed.
    """
    try:
        name = f"vega-{importlib.metadata.version(PACKAGE)}.js"
    except importlib.metadata.PackageNotFoundError:
        raise InputError(f"the site draws with {PACKAGE}; install it with `pip install vl-convert-python`.") from None
    if Path(before, name).exists():
        return name, Path(before, name).read_text(encoding="utf-8")
    import vl_convert

    return name, vl_convert.javascript_bundle()

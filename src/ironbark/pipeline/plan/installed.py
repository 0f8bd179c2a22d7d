"""Sources and versions of what this environment can import, read without importing it."""

import functools
import importlib.metadata
import importlib.util
import os
import platform
import sys
from pathlib import Path

PACKAGE = "ironbark"
ROOT = Path(__file__).parents[2]

#: Distributions whose version is part of every key.
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")


@functools.cache
def source(name: str) -> Path | None:
    """Source file of an ironbark module, or of a user's own module outside of installed distributions."""
    if name.split(".", maxsplit=1)[0] == PACKAGE:
        base = ROOT.joinpath(*name.split(".")[1:])
        return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)
    if name.split(".", maxsplit=1)[0] in distributions():
        return None
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None  # a class path without a module: the fit will say so
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def versions(*packages: str) -> dict:
    """Version of Python, of `LIBRARIES` and of the distributions that install some top-level packages."""
    names = {*LIBRARIES, *(name for package in packages for name in distributions().get(package, ()))}
    return {"python": platform.python_version()} | {name: _version(name) for name in sorted(names)}


@functools.cache
def _version(distribution):
    return importlib.metadata.version(distribution)


@functools.cache
def distributions() -> dict:
    """Top-level package -> names of the distributions that install it."""
    return importlib.metadata.packages_distributions()


def installed() -> list:
    """Folders of the path that modules are imported from, each with the metadata of distributions in it."""
    return [(folder, _metadata(Path(folder or "."))) for folder in sys.path]


def _metadata(folder):
    """Names of what describes the distributions of a folder; they hold their versions."""
    names = os.listdir(folder) if folder.is_dir() else ()
    return sorted(name for name in names if name.endswith((".dist-info", ".egg-info", ".egg-link")))

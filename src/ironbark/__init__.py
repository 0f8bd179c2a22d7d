"""Trees, forests and boosting for noisy labels.

The public names are listed in ``__init__.pyi``, which type checkers read. Each is imported when it is first used, so
that ``import ironbark`` costs next to nothing.
"""

import contextlib
import importlib
import re
from importlib.util import find_spec
from pathlib import Path

__version__ = "0.1.0"

_LINES = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)

#: Public name -> the module that defines it.
_PUBLIC = {
    name: module for module, name in _LINES.findall(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
}

#: End of a module's name -> the package of the extra `gbdt` that it imports.
_NEEDS = {"_lgbm": "lightgbm", "_xgb": "xgboost"}


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    if name == "__all__":
        return __dir__()
    raise AttributeError(f"module 'ironbark' has no attribute {name!r}")


def __dir__():
    """Public names; ``from ironbark import *`` takes them, so those whose packages are not installed are left out."""
    missing = tuple(end for end, package in _NEEDS.items() if not _is_installed(package))
    return [public for public, module in _PUBLIC.items() if not module.endswith(missing)]


def _is_installed(package):
    with contextlib.suppress(ImportError):
        return find_spec(package) is not None
    return False

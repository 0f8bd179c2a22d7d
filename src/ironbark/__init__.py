"""Trees, forests and boosting for noisy labels.

The public names are listed in ``__init__.pyi``, which type checkers read. Each is imported when it is first used, so
that ``import ironbark`` costs next to nothing.
"""

import importlib
import re
from pathlib import Path

__version__ = "0.1.0"

_LINES = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)

#: Public name -> the module that defines it.
_PUBLIC = {
    name: module for module, name in _LINES.findall(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
}

__all__ = list(_PUBLIC)  # noqa: PLE0605 - the stub is the list


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'ironbark' has no attribute {name!r}")


def __dir__():
    return __all__

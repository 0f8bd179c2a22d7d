"""Boosting algorithms. A name is imported when it is first used, so that one booster does not load the others."""

import importlib

from ironbark import _PUBLIC as _ALL

_PUBLIC = {name: module for name, module in _ALL.items() if module.startswith(f"{__name__}.")}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605 - the list is that of `ironbark`


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'ironbark.boosting' has no attribute {name!r}")


def __dir__():
    return __all__

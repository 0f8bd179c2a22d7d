"""Boosting algorithms. A name is imported when it is first used, so that one booster does not load the others."""

import importlib

_PUBLIC = {
    "AdaBoostClassifier": "ironbark.boosting.adaboost",
    "BrownBoostClassifier": "ironbark.boosting.brownboost",
    "GentleBoostClassifier": "ironbark.boosting.gentleboost",
    "LogitBoostClassifier": "ironbark.boosting.logitboost",
    "QuadraticXGBClassifier": "ironbark.boosting.quadratic_xgb",
    "RobustBoostClassifier": "ironbark.boosting.robustboost",
}

__all__ = list(_PUBLIC)  # noqa: PLE0605 - the table is the list


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'ironbark.boosting' has no attribute {name!r}")


def __dir__():
    return __all__
from ironbark.boosting.logitboost import LogitBoostClassifier
from ironbark.boosting.lpboost import LPBoostClassifier
from ironbark.boosting.rmboost import RMBoostClassifier

__all__ = [
    "LPBoostClassifier",
    "LogitBoostClassifier",
    "RMBoostClassifier",
]

"""Boosting algorithms. A name is imported when it is first used, so that one booster does not load the others."""

import importlib

_PUBLIC = {
    "AdaBoostClassifier": "ironbark.boosting.adaboost",
    "BrownBoostClassifier": "ironbark.boosting.brownboost",
    "GentleBoostClassifier": "ironbark.boosting.gentleboost",
    "LPBoostClassifier": "ironbark.boosting.lpboost",
    "LogitBoostClassifier": "ironbark.boosting.logitboost",
    "QuadraticXGBClassifier": "ironbark.boosting.quadratic_xgb",
    "RMBoostClassifier": "ironbark.boosting.rmboost",
    "RobustBoostClassifier": "ironbark.boosting.robustboost",
    "RobustLGBMClassifier": "ironbark.boosting.robust_lgbm",
    "RobustXGBClassifier": "ironbark.boosting.robust_xgb",
}

__all__ = list(_PUBLIC)  # noqa: PLE0605 - the table is the list


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'ironbark.boosting' has no attribute {name!r}")


def __dir__():
    return __all__

"""Boosting algorithms. A name is imported when it is first used, so that one booster does not load the others."""

import importlib

_PUBLIC = {
    "AdaBoostClassifier": "ironbark.boosting.stagewise.adaboost",
    "BrownBoostClassifier": "ironbark.boosting.stagewise.brownboost",
    "GentleBoostClassifier": "ironbark.boosting.stagewise.gentleboost",
    "LPBoostClassifier": "ironbark.boosting.minimax.lpboost",
    "LogitBoostClassifier": "ironbark.boosting.stagewise.logitboost",
    "QuadraticXGBClassifier": "ironbark.boosting.gbdt.quadratic_xgb",
    "RMBoostClassifier": "ironbark.boosting.minimax.rmboost",
    "RobustBoostClassifier": "ironbark.boosting.stagewise.robustboost",
    "RobustLGBMClassifier": "ironbark.boosting.gbdt.robust_lgbm",
    "RobustXGBClassifier": "ironbark.boosting.gbdt.robust_xgb",
}

__all__ = list(_PUBLIC)  # noqa: PLE0605 - the table is the list


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'ironbark.boosting' has no attribute {name!r}")


def __dir__():
    return __all__

"""Trees, forests and boosting for labels that can't be trusted.

Public names are imported when they are first used, so that ``import ironbark`` costs next to nothing.
"""

import importlib

__version__ = "0.1.0"

_PUBLIC = {
    "RobustDecisionTreeClassifier": "ironbark.tree.classifier",
    "RobustRandomForestClassifier": "ironbark.tree.forest",
    "NegativeExponentialSearch": "ironbark.tree.search",
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
    "EncodedFeatures": "ironbark.encoding",
    "encode": "ironbark.encoding",
    "NoiseCorrectedClassifier": "ironbark.noise_correction",
    "LabelErrorDetector": "ironbark.label_errors.detector",
    "CleanedClassifier": "ironbark.label_errors.cleaning",
    "find_label_errors": "ironbark.label_errors.suspects",
    "InputError": "ironbark.errors",
}

__all__ = list(_PUBLIC)  # noqa: PLE0605 - the table is the list


def __getattr__(name):
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'ironbark' has no attribute {name!r}")


def __dir__():
    return __all__

"""Trees, forests and boosting for labels that can't be trusted.

Public names are imported when they are first used, so that ``import ironbark`` costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # type checkers do not run `__getattr__`
    from ironbark.boosting.gbdt.quadratic_xgb import QuadraticXGBClassifier as QuadraticXGBClassifier
    from ironbark.boosting.gbdt.robust_lgbm import RobustLGBMClassifier as RobustLGBMClassifier
    from ironbark.boosting.gbdt.robust_xgb import RobustXGBClassifier as RobustXGBClassifier
    from ironbark.boosting.minimax.lpboost import LPBoostClassifier as LPBoostClassifier
    from ironbark.boosting.minimax.rmboost import RMBoostClassifier as RMBoostClassifier
    from ironbark.boosting.stagewise.adaboost import AdaBoostClassifier as AdaBoostClassifier
    from ironbark.boosting.stagewise.brownboost import BrownBoostClassifier as BrownBoostClassifier
    from ironbark.boosting.stagewise.gentleboost import GentleBoostClassifier as GentleBoostClassifier
    from ironbark.boosting.stagewise.logitboost import LogitBoostClassifier as LogitBoostClassifier
    from ironbark.boosting.stagewise.robustboost import RobustBoostClassifier as RobustBoostClassifier
    from ironbark.encoding import EncodedFeatures as EncodedFeatures
    from ironbark.encoding import encode as encode
    from ironbark.errors import InputError as InputError
    from ironbark.label_errors.cleaning import CleanedClassifier as CleanedClassifier
    from ironbark.label_errors.detector import LabelErrorDetector as LabelErrorDetector
    from ironbark.label_errors.suspects import find_label_errors as find_label_errors
    from ironbark.noise_correction import NoiseCorrectedClassifier as NoiseCorrectedClassifier
    from ironbark.persistence import load as load
    from ironbark.persistence import save as save
    from ironbark.tree.classifier import RobustDecisionTreeClassifier as RobustDecisionTreeClassifier
    from ironbark.tree.forest import RobustRandomForestClassifier as RobustRandomForestClassifier

__version__ = "0.1.0"

_PUBLIC = {
    "RobustDecisionTreeClassifier": "ironbark.tree.classifier",
    "RobustRandomForestClassifier": "ironbark.tree.forest",
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
    "EncodedFeatures": "ironbark.encoding",
    "encode": "ironbark.encoding",
    "NoiseCorrectedClassifier": "ironbark.noise_correction",
    "LabelErrorDetector": "ironbark.label_errors.detector",
    "CleanedClassifier": "ironbark.label_errors.cleaning",
    "find_label_errors": "ironbark.label_errors.suspects",
    "InputError": "ironbark.errors",
    "load": "ironbark.persistence",
    "save": "ironbark.persistence",
}

__all__ = list(_PUBLIC)  # noqa: PLE0605 - the table is the list


if not TYPE_CHECKING:  # with it no name would be unknown to type checkers

    def __getattr__(name: str) -> Any:
        if name in _PUBLIC:
            return getattr(importlib.import_module(_PUBLIC[name]), name)
        raise AttributeError(f"module 'ironbark' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__

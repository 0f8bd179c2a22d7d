"""Boosting algorithms."""

from ironbark.boosting.logitboost import LogitBoostClassifier
from ironbark.boosting.lpboost import LPBoostClassifier
from ironbark.boosting.rmboost import RMBoostClassifier

__all__ = [
    "LPBoostClassifier",
    "LogitBoostClassifier",
    "RMBoostClassifier",
]

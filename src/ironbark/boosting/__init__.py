"""Boosting algorithms."""

from ironbark.boosting.logitboost import LogitBoostClassifier

__all__ = ["LogitBoostClassifier"]

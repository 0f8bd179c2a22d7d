"""Estimators of other packages and of users: whether they take some parameters, and whether they are classifiers."""

import difflib
from collections.abc import Iterable

from ironbark.boosting.gbdt.fitting import refuse_misspelt
from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.pipeline.plan.config.methods import classes
from ironbark.pipeline.protocols.methods import library

#: Base class in `sklearn.base` -> what an estimator is.
KINDS = {"RegressorMixin": "a regressor", "ClusterMixin": "a clusterer", "OutlierMixin": "an outlier detector"}


def check(estimator: str, names: Iterable[str], also: Iterable[str] = ()):
    """Refuse an estimator that is not there, and parameters that it does not take."""
    if (known := parameters(estimator)) is None:
        return
    known = known | set(also)
    names = [(name, name.partition("__")[0]) for name in names]
    if library(estimator):
        refuse_misspelt(estimator, (first for _, first in names), known)
        return
    for name, first in names:
        if first not in known:
            hint = suggestion(first, sorted(known), "it has {}" if known else "it has none")
            raise InputError(f"{estimator} has no parameter {name!r}; {hint}")


def check_kind(estimator):
    """Raise InputError unless an estimator, given by its import path, is a classifier."""
    found = classes.find(estimator)
    bases = set(found["bases"])
    kind = next((kind for base, kind in KINDS.items() if base in bases and "ClassifierMixin" not in bases), None)
    if kind:
        raise InputError(f"{estimator!r} is {kind}, no classifier{_classifier_like(estimator, found['names'])}")
    if found["missing"]:
        raise InputError(
            f"{estimator!r} is no scikit-learn-compatible classifier, it has no {', '.join(found['missing'])}; "
            "add what is missing, or derive it from sklearn.base.ClassifierMixin and sklearn.base.BaseEstimator"
        )


def _classifier_like(estimator, known):
    """Hint at the classifier whose name is nearest, in the same module."""
    module, _, name = estimator.rpartition(".")
    near = difflib.get_close_matches(name.replace("Regressor", "Classifier"), known, n=1)
    return f"; did you mean '{module}.{near[0]}'?" if near else "; choose one that predicts classes"


def parameters(estimator):
    """Parameters of a constructor, with those of base classes where it takes further keywords; None if it takes any."""
    found = classes.find(estimator)["parameters"]
    return None if found is None else frozenset(found)

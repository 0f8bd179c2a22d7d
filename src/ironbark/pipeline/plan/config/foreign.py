"""Estimators of other packages and of users: their parameters and kind, read from their source without importing it."""

import ast
import difflib

from ironbark.boosting.gbdt.keywords import refuse_misspelt
from ironbark.errors import InputError
from ironbark.pipeline.plan.config import classes
from ironbark.pipeline.protocols.methods import library

#: Classes that take any keyword, but whose `get_params` starts out with those that they list.
OPEN = ("LGBMModel", "XGBModel")

#: What a method of a study needs.
INTERFACE = ("fit", "predict", "get_params", "set_params")

#: Base class in `sklearn.base` -> what an estimator is.
KINDS = {"RegressorMixin": "a regressor", "ClusterMixin": "a clusterer", "OutlierMixin": "an outlier detector"}


def check(estimator, names, also=()):
    """Refuse an estimator that is not there, and parameters that it does not take.

    Parameters
    ----------
    estimator : str
        Import path, such as ``sklearn.ensemble.RandomForestClassifier``.
    names : iterable of str
        Parameters that are set, or that a search wants to try; of ``estimator__max_depth`` the first part counts.
    also : iterable of str
        What it takes beside what its constructor lists.

    Raises
    ------
    InputError
        If the class does not exist, or one is not among its parameters or, where it takes any, looks misspelt; never
        if these can't be found without importing.
    """
    if (known := parameters(estimator)) is None:
        return
    known = known | set(also)
    names = [(name, name.partition("__")[0]) for name in names]
    if library(estimator):
        refuse_misspelt(estimator, (first for _, first in names), known)
        return
    for name, first in names:
        if first not in known:
            near = difflib.get_close_matches(first, known, n=1)
            listed = f"; it has {', '.join(sorted(known))}" if known else "; it has none"
            hint = f"; did you mean {near[0]!r}?" if near else listed
            raise InputError(f"{estimator} has no parameter {name!r}{hint}")


def check_kind(estimator):
    """Raise InputError unless an estimator is a classifier, as far as its source says.

    Parameters
    ----------
    estimator : str
        Import path.
    """
    found = list(classes.lineage(classes.find(estimator)))
    if None in found:
        return
    names = {one.node.name for one in found}
    kind = next((kind for base, kind in KINDS.items() if base in names and "ClassifierMixin" not in names), None)
    if kind:
        raise InputError(f"{estimator!r} is {kind}, no classifier{_classifier_like(estimator)}")
    has = {name for one in found for name in _members(one.node)}
    missing = [name for name in INTERFACE if name not in has]
    is_open = "__getattr__" in has or any(one.node.decorator_list for one in found)
    if missing and not is_open:
        raise InputError(
            f"{estimator!r} is no scikit-learn-compatible classifier, it has no {', '.join(missing)}; "
            "add what is missing, or derive it from sklearn.base.ClassifierMixin and sklearn.base.BaseEstimator"
        )


def _classifier_like(estimator):
    """Hint at the classifier whose name is nearest, in the same module."""
    module, _, name = estimator.rpartition(".")
    known = [one for one in classes.read(module).names if "Classifier" in one]
    near = difflib.get_close_matches(name.replace("Regressor", "Classifier"), known, n=1)
    return f"; did you mean '{module}.{near[0]}'?" if near else "; choose one that predicts classes"


def _members(node):
    for part in node.body:
        if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield part.name
        elif isinstance(part, (ast.Assign, ast.AnnAssign)):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def parameters(estimator):
    """Parameters of an estimator's constructor, with those of its base classes where it takes further keywords.

    Returns
    -------
    frozenset of str or None
        None if the source does not say.
    """
    found, passes_on = set(), False
    for one in classes.lineage(classes.find(estimator)):
        if one is None:
            return None
        constructor = next((part for part in one.node.body if getattr(part, "name", "") == "__init__"), None)
        if constructor is None and one.node.decorator_list:
            return None  # such as a data class, whose constructor is made
        if constructor is None:
            continue
        arguments = constructor.args
        found |= {argument.arg for argument in (*arguments.args[1:], *arguments.kwonlyargs)}
        passes_on = arguments.kwarg is not None or arguments.vararg is not None
        if not passes_on or one.node.name in OPEN:
            return frozenset(found)
    return None if passes_on else frozenset(found)

"""From a method's entry in YAML to a seeded estimator, with the estimators within its parameters, at any depth.

Importing this module loads no numpy, so that the planner can check entries.
"""

import importlib
import inspect

from ironbark.errors import InputError
from ironbark.pipeline.protocols.preprocessing import CATEGORIES

SEEDS = ("random_state", "seed", "random_seed")  # parameters of learners


def load(path):
    """The class at a dotted import path."""
    module, _, name = path.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise InputError(f"cannot import {path!r} ({error}); install its package or correct the path") from None
    except (AttributeError, ValueError):
        raise InputError(f"module {module!r} has no class {name!r}; correct the import path") from None
    if not inspect.isclass(found):
        raise InputError(f"{path!r} is no class; give the import path of a scikit-learn-compatible classifier")
    if module.startswith("interpret."):  # no kernels for AVX-512, whose last bits differ, as with NumPy and OpenBLAS
        from interpret import develop
        from interpret.utils._native import Native

        develop.set_option("acceleration", Native.AccelerationFlags_AVX2)
    return found


def make(method: dict, seed: int, **changes):
    """A new estimator of a method, a dict of its import path and params, which may be such dicts or hold some."""
    params, kind = {**method["params"], **made(method["params"], seed), **changes}, load(method["estimator"])
    accepted = inspect.signature(kind).parameters
    needed = {name: seed for name in SEEDS if name in accepted and accepted[name].default is inspect.Parameter.empty}
    first = needed | {name: params.pop(name) for name in accepted if name in params}
    estimator = kind(**first)  # a class may use its parameters at once
    known = estimator.get_params()
    for name in params:
        if name not in known and library(method["estimator"]) is None:
            raise InputError(f"{method['estimator']} has no parameter {name!r}; it has {', '.join(sorted(known))}")
    open_ = [one for one in SEEDS if one in known and one not in first and (one == SEEDS[0] or known[one] is None)]
    return estimator.set_params(**dict.fromkeys(open_[:1], seed) | params)  # a default such as `seed=0` stays


#: Estimator of ours -> package that it builds upon, whose parameters it takes too.
BUILT_ON = {"RobustXGBClassifier": "xgboost", "RobustLGBMClassifier": "lightgbm"}


def library(estimator):
    """The package to whose core an estimator, given by its path, hands parameters that it doesn't list; or None."""
    package, _, name = estimator.rpartition(".")
    top = BUILT_ON.get(name) if package.split(".")[0] == "ironbark" else package.split(".")[0]
    return top if top in BUILT_ON.values() else None


def is_estimator(value):
    """Whether the value of a parameter in YAML is an estimator: a dict with its import path."""
    return isinstance(value, dict) and "estimator" in value


def takes_encoded(method):
    """Whether the estimator accepts `EncodedFeatures` in place of an array."""
    if method.get("preprocess") not in (None, CATEGORIES):
        return False  # which has an array to work on
    return method["estimator"].split(".")[0] == "ironbark" and method["estimator"].split(".")[-1] in ENCODED


#: Estimators of ours that work on rank codes.
ENCODED = ("RobustDecisionTreeClassifier", "RobustRandomForestClassifier")


def inner_entries(method: dict) -> list[dict]:
    """Entries of the estimators within the parameters of one, without those within these."""
    return list(entries(list(method.get("params", {}).values())))


def entries(value: object):
    """Entries of estimators in a value in YAML, the outermost ones only."""
    if is_estimator(value):
        yield value
    elif isinstance(value, (list, dict)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from entries(member)


def named(params):
    """Entries by the name that their parameters start with, such as ``scale`` of a pipeline's ``scale__copy``."""
    found = {name: value for name, value in params.items() if is_estimator(value)}
    for value in params.values():
        found |= dict(_pairs(value))
    return found


def _pairs(value):
    """Name and entry of each list such as ``[scale, {estimator: ...}]`` in a value."""
    if not isinstance(value, list) or not value:
        return
    if isinstance(value[0], str):
        yield from ((value[0], member) for member in value if is_estimator(member))
    for member in value:
        yield from _pairs(member)


def made(params: dict, seed: int) -> dict:
    """The parameters that are estimators, or lists or dicts with some in them, with the estimators made."""
    return {name: _made(value, seed) for name, value in params.items() if any(entries(value))}


def _made(value, seed):
    if is_estimator(value):
        return make({"params": {}, **value}, seed)
    if isinstance(value, dict):
        return {key: _made(member, seed) for key, member in value.items()}
    if not isinstance(value, list):
        return value
    members = [_made(member, seed) for member in value]
    return tuple(members) if value and isinstance(value[0], str) and any(entries(value)) else members

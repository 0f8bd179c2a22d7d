"""From a method's entry in YAML to a seeded estimator."""

import importlib
import inspect

from ironbark.errors import InputError


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
    return found


def make(method: dict, seed: int, **changes):
    """A new estimator of a method."""
    from ironbark.pipeline.protocols import nested  # late: it makes estimators by this function

    inner = {name: value for name, value in method["params"].items() if is_estimator(value)}
    holding = any(isinstance(value, (list, dict)) for value in method["params"].values())
    groups = nested.made(method["params"], seed) if holding else {}
    estimator = load(method["estimator"])(
        **{name: make({"params": {}, **inner[name]}, seed) for name in inner},
        **groups,
    )
    known = estimator.get_params()
    params = {**{name: value for name, value in method["params"].items() if name not in inner}, **changes}
    for name in groups.keys() - changes.keys():
        del params[name]
    for name in params:
        if name not in known and library(method["estimator"]) is None:
            raise InputError(f"{method['estimator']} has no parameter {name!r}; it has {', '.join(sorted(known))}")
    if "random_state" in known and "random_state" not in params:
        params["random_state"] = seed
    return estimator.set_params(**params)


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
    if method.get("preprocess"):
        return False  # which has an array to work on
    return method["estimator"].split(".")[0] == "ironbark" and method["estimator"].split(".")[-1] in ENCODED


#: Estimators of ours that work on rank codes.
ENCODED = ("RobustDecisionTreeClassifier", "RobustRandomForestClassifier")

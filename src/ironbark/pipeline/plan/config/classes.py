"""Classes of other packages and of users' modules, as a process describes them that has imported them.

The planner does not import them itself, since that takes seconds. Descriptions are kept in the folder of Snakemake, by
the code of a user's module, the installed distributions and the code of ironbark.
"""

import contextlib
import difflib
import functools
import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline.plan.keys import code_digest, digest_of, distributions, is_own, own_code, versions
from ironbark.pipeline.protocols.methods import SEEDS, library

FOLDER = Path(".snakemake/ironbark/classes")
KNOWN = {}  # key -> description, in this process
MINUTES = 5  # that an import may take
ALIKE = 0.86  # how alike a misspelt parameter and that of a library are at least

#: Classes that take any keyword, but whose `get_params` starts out with those that they list.
OPEN = ("LGBMModel", "XGBModel")

#: What a method of a study needs.
INTERFACE = ("fit", "predict", "get_params", "set_params")

#: Base class in `sklearn.base` -> what an estimator is.
KINDS = {"RegressorMixin": "a regressor", "ClusterMixin": "a clusterer", "OutlierMixin": "an outlier detector"}


def look_up(paths: Iterable[str]) -> dict:
    """Descriptions of the classes at some import paths, from one process as far as they are not known yet."""
    keys = {path: _key(path) for path in paths}
    for key in {*keys.values()} - KNOWN.keys():
        with contextlib.suppress(OSError, ValueError):  # not there, or damaged
            KNOWN[key] = json.loads(Path(FOLDER, f"{key}.json").read_text(encoding="utf-8"))
    new = _described([path for path, key in keys.items() if key not in KNOWN])
    for path, description in new.items():
        if "parameters" in description:  # mistakes are looked at again
            KNOWN[keys[path]] = description
            with contextlib.suppress(InputError, OSError):  # a plan does not need the file
                if FOLDER.parents[1].is_dir():  # else this is no run of Snakemake
                    write_text(FOLDER / f"{keys[path]}.json", json.dumps(description))
    return {path: new.get(path) or KNOWN[key] for path, key in keys.items()}


@functools.cache
def _key(path):
    """Digest of what a description depends on."""
    module = path.rpartition(".")[0]
    own = own_code(module) if is_own(module) else ""
    return digest_of([path, own, code_digest("."), versions(*distributions())])


def find(path: str) -> dict:
    """Description of the class at an import path, or an InputError."""
    description, (module, _, name) = look_up([path])[path], path.rpartition(".")
    if "failure" in description:
        raise InputError(f"cannot import {path!r} ({description['failure']}); correct the module {module!r}")
    if "parameters" not in description:
        hint = suggestion(name, description["names"], "correct the import path")
        raise InputError(f"module {module!r} has no class {name!r}; {hint}")
    return description


def check_parameters(estimator: str, names: Iterable[str], also: Iterable[str] = ()):
    """Refuse an estimator that is not there, and parameters that it does not take; near misses where more exist."""
    if (known := find(estimator)["parameters"]) is None:
        return
    known, more = sorted({*known, *also}), library(estimator)
    for name in names:
        first = name.partition("__")[0]
        if first not in known and (not more or difflib.get_close_matches(first, known, n=1, cutoff=ALIKE)):
            hint = suggestion(first, known, "it has {}" if known else "it has none")
            raise InputError(f"{estimator} has no parameter {name!r}; {hint}")


def check_required(estimator: str, names: Iterable[str]):
    """Raise InputError for a parameter without a default that is not set."""
    for name in find(estimator)["required"]:
        if name not in (*names, *SEEDS):  # which the pipeline sets
            raise InputError(f"{estimator} needs the parameter {name!r}; set it in `params`")


def check_kind(estimator: str):
    """Raise InputError unless an estimator is a classifier."""
    description, (module, _, name) = find(estimator), estimator.rpartition(".")
    kind = next((KINDS[base] for base in description["bases"] if base in KINDS), None)
    if kind and "ClassifierMixin" not in description["bases"]:
        near = difflib.get_close_matches(name.replace("Regressor", "Classifier"), description["names"], n=1)
        hint = f"did you mean '{module}.{near[0]}'?" if near else "choose one that predicts classes"
        raise InputError(f"{estimator!r} is {kind}, no classifier; {hint}")
    if description["missing"]:
        raise InputError(
            f"{estimator!r} is no scikit-learn-compatible classifier, it has no {', '.join(description['missing'])}; "
            "add what is missing, or derive it from sklearn.base.ClassifierMixin and sklearn.base.BaseEstimator"
        )


def _described(paths):
    """Descriptions from a process that imports all, or from one for each if that process dies."""
    if not paths:
        return {}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-P", "-m", __name__, *paths]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60 * MINUTES)
        if done.returncode == 0:
            return json.loads(done.stdout)
        message = f"Python ended with status {done.returncode}"
    except subprocess.TimeoutExpired:
        message = f"it takes more than {MINUTES} minutes"
    if len(paths) == 1:
        return {paths[0]: {"failure": message}}
    return {path: description for one in paths for path, description in _described([one]).items()}


def describe(path: str) -> dict:
    """Description of the class at an import path, which is imported; or its ``failure``, or ``names`` beside it."""
    module, _, name = path.rpartition(".")
    try:
        loaded = importlib.import_module(module)
        cls = getattr(loaded, name, None)
    except (Exception, SystemExit) as error:
        return {"failure": f"{type(error).__name__}: {error}".splitlines()[0]}
    if not inspect.isclass(cls):
        return {"names": [name for name, member in vars(loaded).items() if inspect.isclass(member)]}
    known = {name for base in cls.__mro__ for name in vars(base)}
    signature = inspect.signature(cls).parameters.values()
    return {
        "parameters": _parameters_of(cls),
        "required": [one.name for one in signature if one.default is one.empty and not str(one).startswith("*")],
        "bases": [base.__name__ for base in cls.__mro__],
        "missing": [] if "__getattr__" in known else [name for name in INTERFACE if name not in known],
        "names": sorted(name for name in dir(loaded) if "Classifier" in name),
    }


def _parameters_of(cls):
    """Parameters of the constructor, with those of the bases to which it hands further keywords; None if any."""
    names = set()
    for base in cls.__mro__[:-1]:
        if "__init__" not in vars(base):
            continue
        parameters = list(inspect.signature(base.__init__).parameters.values())[1:]
        further = {one for one in parameters if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL)}
        names |= {one.name for one in parameters if one not in further}
        if not further or base.__name__ in OPEN:
            return sorted(names)
    return [] if not names else None


def main():
    """Print each description; what modules print goes to standard error."""
    answer = os.dup(1)
    os.dup2(2, 1)
    os.write(answer, json.dumps({path: describe(path) for path in sys.argv[1:]}).encode())


if __name__ == "__main__":
    main()

"""Description of an estimator's class after the import of its module; runs in a separate process.

``python -m ironbark.pipeline.plan.config.methods.class_description PATH ...`` prints JSON: path -> `described`.
"""

import hashlib
import importlib
import inspect
import json
import os
import sys
import sysconfig
from pathlib import Path

#: Classes that take any keyword, but whose `get_params` starts out with those that they list.
OPEN = ("LGBMModel", "XGBModel")

#: What a method of a study needs.
INTERFACE = ("fit", "predict", "get_params", "set_params")


def described(path: str) -> dict:
    """Description of the object at an import path."""
    module, _, name = path.rpartition(".")
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            return {"what": "no module", "module": error.name, "names": _neighbours(error.name)}
        return _failure(error)
    except (Exception, SystemExit) as error:
        return _failure(error)
    try:
        found = getattr(found, name)
    except AttributeError:
        return _without(module, name, dir(found))
    if not inspect.isclass(found):
        return {"what": "module" if inspect.ismodule(found) else "function" if inspect.isroutine(found) else "object"}
    members = {name for base in found.__mro__ for name in vars(base)}
    return {
        "what": "class",
        "parameters": _parameters(found),
        "bases": [base.__name__ for base in found.__mro__],
        "missing": [] if "__getattr__" in members else [name for name in INTERFACE if name not in members],
        "names": sorted(name for name in dir(sys.modules[module]) if "Classifier" in name),
    }


def _failure(error):
    return {"what": "failure", "message": f"{type(error).__name__}: {error}".splitlines()[0]}


def _without(module, name, names):
    try:
        importlib.import_module(f"{module}.{name}")
    except ImportError:
        return {"what": "nothing", "module": module, "names": [name for name in names if not name.startswith("_")]}
    return {"what": "module"}


def _neighbours(module):
    """Modules of the package in which one is missing; empty for a top-level one."""
    package = sys.modules.get(module.rpartition(".")[0])
    folders = [Path(folder) for folder in getattr(package, "__path__", ())]
    return sorted({path.name.split(".")[0] for folder in folders for path in folder.iterdir()})


def _parameters(cls):
    """Parameters of the constructor, with those of the bases to which it hands further keywords; None if any."""
    found = set()
    for base in cls.__mro__[:-1]:
        if "__init__" not in vars(base):
            continue
        parameters = list(inspect.signature(base.__init__).parameters.values())[1:]
        further = {one for one in parameters if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL)}
        found |= {one.name for one in parameters if one not in further}
        if not further or base.__name__ in OPEN:
            return sorted(found)
    return [] if not found else None


def files(modules):
    """Digest of each source file behind some modules, other than those of Python and of installed distributions."""
    paths = sysconfig.get_paths()
    installed = tuple(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))
    origins = {getattr(sys.modules[name], "__file__", None) for name in modules}
    return {file: digest(file) for file in sorted(filter(None, origins)) if not file.startswith(installed)}


def digest(file):
    """Digest of a file, or None if it is gone."""
    path = Path(file)
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest() if path.is_file() else None


def main():
    """Print each description with the ``files`` that it depends on; what modules print goes to standard error."""
    answer, before, found = os.dup(1), set(sys.modules), {}
    os.dup2(2, 1)
    for path in sys.argv[1:]:
        found[path] = described(path)
        found[path]["files"] = files(set(sys.modules) - before)
    os.write(answer, json.dumps(found).encode())


if __name__ == "__main__":
    main()

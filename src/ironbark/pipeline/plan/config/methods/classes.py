"""Classes of other packages and of users' modules, as a process describes them that has imported them.

The planner does not import them itself, since that takes seconds. Descriptions are kept on disk until a source file or
an installed distribution changes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.methods import class_description
from ironbark.pipeline.plan.config.suggestions import suggestion
from ironbark.pipeline.plan.disk_cache import DiskCache
from ironbark.pipeline.plan.installed import installed

MODULE = "ironbark.pipeline.plan.config.methods.class_description"
MINUTES = 5  # that an import may take

_CACHE = DiskCache(MODULE, class_description.__file__)
_ARTICLES = {"module": "a module", "function": "a function", "object": "an object"}


def look_up(paths: Iterable[str]) -> dict:
    """Import a number of classes in one process, as far as they are not known yet."""
    environment = installed()
    found = {path: _CACHE.get((path, environment)) for path in dict.fromkeys(paths)}
    unknown = [path for path, about in found.items() if about is None or not _is_current(about)]
    for path, about in _described(unknown).items():
        found[path] = about
        if about["what"] == "class":  # mistakes are looked at again
            _CACHE.put((path, environment), about)
    return found


def _is_current(about):
    return all(class_description.digest(file) == digest for file, digest in about["files"].items())


def _described(paths):
    if not paths:
        return {}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-P", "-m", MODULE, *paths]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60 * MINUTES)
        if done.returncode == 0:
            return json.loads(done.stdout)
        message = f"Python ended with status {done.returncode}"
    except subprocess.TimeoutExpired:
        message = f"it takes more than {MINUTES} minutes"
    if len(paths) == 1:
        return {paths[0]: {"what": "failure", "message": message}}
    return {path: about for one in paths for path, about in _described([one]).items()}


def find(path: str):
    """Description of the class at an import path."""
    about, name = look_up([path])[path], path.rpartition(".")[2]
    if about["what"] == "class":
        return about
    if about["what"] == "failure":
        module = path.rpartition(".")[0]
        raise InputError(f"cannot import {path!r} ({about['message']}); correct the module {module!r}")
    if about["what"] in _ARTICLES:
        raise InputError(f"{path!r} is {_ARTICLES[about['what']]}, no class; correct it")
    module = about["module"]
    if about["what"] == "nothing":
        hint = suggestion(name, about["names"]) or "; correct the import path"
        raise InputError(f"module {module!r} has no class {name!r}{hint}")
    hint = suggestion(module.rpartition(".")[2], about["names"]) or "; correct the import path"
    raise InputError(f"there is no module {module!r}{hint}")

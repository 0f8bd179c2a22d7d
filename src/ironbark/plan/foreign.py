"""Parameters of other packages' estimators, read from their source without importing it, which takes seconds."""

import ast
import difflib
import functools
import importlib.util
from pathlib import Path

from ironbark.boosting.keywords import refuse_misspelt
from ironbark.errors import InputError
from ironbark.protocols.methods import library

#: Classes that take any keyword, but whose `get_params` starts out with those that they list.
OPEN = ("LGBMModel", "XGBModel")


def check(estimator, names, also=()):
    """Refuse parameters that an estimator does not take, or, where it takes any, that look misspelt.

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
        If one is not among the parameters; never if these can't be found without importing.
    """
    if not (known := parameters(estimator)):
        return
    known = known | set(also)
    names = [(name, name.partition("__")[0]) for name in names]
    if library(estimator):
        refuse_misspelt(estimator, (first for _, first in names), known)
        return
    for name, first in names:
        if first not in known:
            near = difflib.get_close_matches(first, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(sorted(known))}"
            raise InputError(f"{estimator} has no parameter {name!r}{hint}")


@functools.cache
def parameters(estimator):
    """Parameters of an estimator's constructor and of those of its base classes in the same folder.

    Returns
    -------
    frozenset of str
        Empty if the class is not found, or if its constructor is defined elsewhere.
    """
    top, *inner, name = estimator.split(".")
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return frozenset()
    folder = Path(spec.submodule_search_locations[0], *inner)
    files = sorted(folder.glob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    return _of_class(name, _classes(tuple(path for path in files if path.is_file())))


@functools.cache
def _classes(paths):
    """Class name -> its syntax tree, in some files."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in paths)
    return {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def _of_class(name, classes):
    if name not in classes:
        return frozenset()
    node = classes[name]
    constructor = next((part for part in node.body if getattr(part, "name", "") == "__init__"), None)
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    inherited = frozenset().union(*(_of_class(base, classes) for base in bases))
    if constructor is None:
        return inherited
    arguments = constructor.args
    own = {argument.arg for argument in (*arguments.args[1:], *arguments.kwonlyargs)}
    if arguments.kwarg is None or name in OPEN:
        return frozenset(own)
    return frozenset(own) | inherited if inherited else frozenset()

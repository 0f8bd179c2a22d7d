"""Classes of other packages and of users' modules, read from their source: importing them takes seconds."""

import ast
import functools
import importlib.util
from pathlib import Path
from typing import NamedTuple

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.suggestions import suggestion

#: Base classes that add nothing here.
PLAIN = ("object", "ABC", "Generic", "Protocol")


class Class(NamedTuple):
    """A class and the module that defines it."""

    module: str
    node: ast.ClassDef


class Module(NamedTuple):
    """What the source of a module binds at its top."""

    path: Path
    names: dict  # name -> ast.ClassDef, ast.FunctionDef, (module, name) of an import, (module,) of a whole one, or None
    is_open: bool  # whether it may have further names


def find(path):
    """The class at an import path.

    Parameters
    ----------
    path : str
        Such as ``sklearn.tree.DecisionTreeClassifier``.

    Returns
    -------
    Class or None
        None if the source does not say, for example because the module is compiled or the name is assigned.

    Raises
    ------
    InputError
        If there is no such module or class, it is no class, or its module can't be parsed.
    """
    module, _, name = path.rpartition(".")
    source = read(module)
    if source is None:
        _refuse_missing(module)
    found = _resolved(module, name)
    if isinstance(found, (ast.FunctionDef, str)):
        raise InputError(f"{path!r} is a {'module' if isinstance(found, str) else 'function'}, no class; correct it")
    if found is None and source is not None and name not in source.names and not source.is_open:
        raise InputError(f"module {module!r} has no class {name!r}{_like(name, source)}")
    return found


def _refuse_missing(module):
    """InputError for a module of a package whose folder has no file of that name, compiled or not."""
    package, _, name = module.rpartition(".")
    folder = package and _place(package)
    if folder and folder.name == "__init__.py" and name not in read(package).names:
        known = {path.name.split(".")[0] for path in folder.parent.iterdir()}
        if name not in known:
            raise InputError(f"there is no module {module!r}{suggestion(name, known) or '; correct the import path'}")


def _like(name, source):
    public = [one for one in source.names if not one.startswith("_")]
    return suggestion(name, public) or "; correct the import path"


def lineage(found):
    """A class and its base classes, depth first, each followed by its own; None where the source does not say."""
    yield found
    if found is None:
        return
    for base in found.node.bases:
        yield from _lineage_of(found.module, base)


def _lineage_of(module, base):
    base = base.value if isinstance(base, ast.Subscript) else base
    first, *others = ast.unparse(base).split(".")
    if (others or [first])[-1] in PLAIN:
        return
    found = _resolved(module, first)
    for name in others:
        found = _resolved(found, name) if isinstance(found, str) else None
    yield from lineage(found if isinstance(found, Class) else None)


def _resolved(module, name, depth=20):
    """A `Class`, a function's node, the name of a module, or None where the source does not say."""
    source = read(module)
    if source is None or depth == 0:
        return None
    if name not in source.names:
        child = f"{module}.{name}"
        return child if _place(child) is not None else None
    bound = source.names[name]
    if isinstance(bound, ast.ClassDef):
        return Class(module, bound)
    if not isinstance(bound, tuple):
        return bound
    return bound[0] if len(bound) == 1 else _resolved(*bound, depth - 1)


def read(module):
    """The `Module` of a dotted name, or None if it has no source here."""
    place = _place(module)
    return None if place is None or not place.is_file() else _parsed(module, place, place.stat().st_mtime_ns)


def _place(module):
    """File of a module, folder of a package without one, or None; nothing is imported."""
    top, *inner = module.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except ValueError:
        return None  # put into sys.modules by hand
    if spec is None or (inner and not spec.submodule_search_locations):
        return None
    if not spec.submodule_search_locations:
        return Path(spec.origin) if str(spec.origin).endswith(".py") else None
    folder = Path(next(iter(spec.submodule_search_locations)), *inner)
    for place in (folder / "__init__.py", folder.with_suffix(".py"), folder):
        if place.exists() and place != folder.parent.with_suffix(".py"):
            return place
    return None


@functools.cache
def _parsed(module, path, changed):
    """`Module` of a file; `changed` is the time of its last change."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except SyntaxError as error:
        raise InputError(f"{path.name}, line {error.lineno}: {error.msg}; correct the module {module!r}") from None
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names, is_open = {}, False
    for node in _statements(tree.body):
        for name, bound in _bound(node, package, names):
            is_open |= name in ("*", "__getattr__")
            names.setdefault(name, bound)  # of try and except, or if and else, the first counts
    return Module(path, names, is_open)


def _statements(body):
    """Statements at the top of a module, also those within ``if``, ``try`` and ``with``."""
    for node in body:
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            for part in ("body", "handlers", "orelse", "finalbody"):
                inner = getattr(node, part, [])
                yield from _statements([line for one in inner for line in getattr(one, "body", [one])])
        else:
            yield node


def _bound(node, package, names):
    """Names that a statement binds, and what they are."""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        yield node.name, node
    elif isinstance(node, ast.Import):
        for alias in node.names:
            whole = alias.name if alias.asname else alias.name.split(".")[0]
            yield alias.asname or whole, (whole,)
    elif isinstance(node, ast.ImportFrom):
        parents = package.split(".")
        base = (
            [*parents[: len(parents) - node.level + 1], *filter(None, [node.module])] if node.level else [node.module]
        )
        for alias in node.names:
            yield alias.asname or alias.name, (".".join(base), alias.name)
    elif isinstance(node, ast.Assign):
        same = names.get(node.value.id) if isinstance(node.value, ast.Name) else None
        yield from ((target.id, same) for target in node.targets if isinstance(target, ast.Name))

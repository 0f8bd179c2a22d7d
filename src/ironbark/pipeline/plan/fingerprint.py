"""Digest of the code and the libraries that a result depends on.

Snakemake sees an edit to a script, not to the package that the script imports. So the parameters of each job carry the
fingerprint of the modules that it uses, found by following import statements without running them. Comments, docstrings
and annotations of functions don't count. What is imported by name at run time (criteria, noise models, protocols) must
be among the roots.
"""

import ast
import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import sys
from pathlib import Path

from ironbark.pipeline.plan.disk_cache import cached

PACKAGE = "ironbark"
ROOT = Path(__file__).parents[2]

#: Distributions whose version is part of every fingerprint.
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "pandas")

#: Imports whose distribution's version counts where a module has them, at its top or anywhere in it.
OPTIONAL = frozenset({"catboost", "cleanlab", "highspy", "lightgbm", "optuna", "torch", "torchvision", "xgboost"})

#: Modules that no number of a fit depends on: tables of names, messages, files, other forms of data and of models.
NOT_NUMERICAL = frozenset(
    {
        "ironbark.annotations",
        "ironbark.boosting",
        "ironbark.criteria",
        "ironbark.encoding.sparse",
        "ironbark.entries",
        "ironbark.errors",
        "ironbark.files",
        "ironbark.frames",
        "ironbark.memory",
        "ironbark.pipeline.protocols",
        "ironbark.pipeline.protocols.clock",
        "ironbark.pipeline.results",
        "ironbark.pipeline.results.store",
        "ironbark.tree.sklearn_export",
    }
)

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)  # docstrings of these don't count


@functools.cache
def fingerprint(*roots):
    """Hexadecimal digest of the modules in `roots`, all ironbark modules that they import, and `versions`.

    Parameters
    ----------
    *roots : str
        Dotted module names, in any order. Modules of other packages count by the version of their distribution, or,
        if they belong to none, by their source.
    """
    return _digest(closure(*roots), versions(*roots))


@functools.cache
def numerical_fingerprint(*roots):
    """Hexadecimal digest of what the numbers of a fit depend on.

    As `fingerprint`, without the modules of `NOT_NUMERICAL` and what only these import, and without pandas.
    """
    numerical = {name: version for name, version in versions(*roots).items() if name != "pandas"}
    return _digest(closure(*roots, without=NOT_NUMERICAL), numerical)


def _digest(modules, libraries):
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(modules):
        digest.update(f"{name} {_read(name)[0]}\n".encode())
    digest.update(repr(sorted(libraries.items())).encode())
    return digest.hexdigest()


def closure(*roots, without=frozenset()):
    """Names of the ironbark modules among and behind `roots`, and of roots from elsewhere; see `NOT_NUMERICAL`."""
    found, open_ = set(), list(roots)
    while open_:
        name = open_.pop()
        if name in found or name in without:
            continue
        found.add(name)
        if name.split(".")[0] == PACKAGE:
            open_.extend(_imports(name))
    return found


@functools.cache
def versions(*roots):
    """Version of Python, of `LIBRARIES`, of `OPTIONAL` ones in use, and of what roots from elsewhere belong to."""
    names = set(LIBRARIES)
    tops = {root.split(".")[0] for root in roots} - {PACKAGE}
    for top in tops.union(*(_read(name)[1] & OPTIONAL for name in closure(*roots))):
        names.update(_distributions().get(top, ()))
    return {"python": platform.python_version()} | {name: _version(name) for name in sorted(names)}


@functools.cache
def _version(distribution):
    return importlib.metadata.version(distribution)


@functools.cache
def _distributions():
    """Top-level package -> names of the distributions that install it."""
    return _packages([(folder, found) for folder, found in installed() if found])


def installed():
    """Folders of the path that modules are imported from, each with the metadata of distributions in it."""
    return [(folder, _metadata(Path(folder or "."))) for folder in sys.path]


def _metadata(folder):
    """Names of what describes the distributions of a folder; they hold their versions."""
    names = os.listdir(folder) if folder.is_dir() else ()
    return sorted(name for name in names if name.endswith((".dist-info", ".egg-info", ".egg-link")))


@cached
def _packages(folders):  # noqa: ARG001 - what is read depends on it
    return importlib.metadata.packages_distributions()


@functools.cache
def _read(name):
    """Digest of a module, and its imports, at its top or anywhere in it: dotted names, and those of their packages."""
    path = source(name)
    if path is None:
        return "no source", frozenset()  # compiled or installed: its version is in `versions`
    digest, found = _parsed(path.read_text(encoding="utf-8"))
    return digest, frozenset(found)


@cached
def _parsed(text):
    """Digest of a module's source, and what it imports."""
    tree, found = ast.parse(text), set()
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            del node.body[0]
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        found.update(_imports_of(node))
    digest = hashlib.blake2b(ast.dump(tree).encode(), digest_size=16).hexdigest()
    return digest, sorted(found | {module.split(".")[0] for module in found})


def _imports_of(node):
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "required":
        return {node.args[0].value}  # imports what it is given, see ironbark.boosting.gbdt.base
    return ()


@functools.cache
def source(name):
    """Source file of an ironbark module, or of a user's own module outside of installed distributions."""
    if name.split(".")[0] == PACKAGE:
        base = ROOT.joinpath(*name.split(".")[1:])
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return path
        return None
    if name.split(".")[0] in _distributions():
        return None
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None  # a class path without a module: the fit will say so
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


@functools.cache
def _imports(name):
    """Ironbark modules among them; packages on the way included."""
    modules = {module for module in _read(name)[1] if module.split(".")[0] == PACKAGE and source(module)}
    packages = {module.rsplit(".", level)[0] for module in modules for level in range(1, module.count(".") + 1)}
    return frozenset(modules | packages) - {PACKAGE}

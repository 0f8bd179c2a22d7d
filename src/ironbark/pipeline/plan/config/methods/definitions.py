"""Description of a method or a noise model for readers: its docstring, read without importing it."""

import ast
import functools
import inspect
import re

from ironbark import _PUBLIC, criteria, noise
from ironbark.pipeline.plan.config.methods import estimators
from ironbark.pipeline.plan.installed import source

SHOWN = ("Notes", "References")
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def of_method(entry: dict) -> list[dict]:
    """Definitions behind a method: that of its estimator, and those of the criteria that it may use.

    Returns keys name, text (summary), Notes and References (empty where the docstring has none). Empty for an estimator
    of another library.
    """
    if not estimators.is_ours(entry):
        return []
    name = estimators.class_name(entry)
    module = _PUBLIC.get(name, entry["estimator"].rpartition(".")[0])
    found = [_definition(name, _docstring(module, name))]
    for criterion in estimators.criteria_of(entry):
        if not criteria.is_custom(criterion):
            found.append(_definition(criterion, _docstring(criteria.resolve(criterion).module)))
    return found


def of_noise(model):
    """Definition of a noise model, as those of `of_method`."""
    name, about = noise.resolve(model)
    return _definition(name, _docstring(about.module, name)) | {"short": about.description}


@functools.cache
def _docstring(module, name=None):
    """Docstring of a module, or of a class or function in it; empty if there is none."""
    path = source(module)
    tree = ast.parse(path.read_text(encoding="utf-8") if path else "")
    if name is None:
        return ast.get_docstring(tree) or ""
    nodes = (node for node in ast.walk(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name)
    node = next(nodes, None)
    return (ast.get_docstring(node) or "") if node else ""


def _definition(name, docstring):
    """The parts of a docstring in numpydoc's style."""
    summary, *rest = _HEADING.split(inspect.cleandoc(docstring))
    sections = dict(zip(rest[::2], (text.strip("\n") for text in rest[1::2]), strict=True))
    return {"name": name, "text": summary.strip()} | {key: sections.get(key, "") for key in SHOWN}

"""Descriptions of studies for the results site: all that their result files do not hold."""

import ast
import functools
import inspect
import json
import re
from string import Template

from ironbark import _PUBLIC, criteria
from ironbark.boosting.docstrings import ENTRIES
from ironbark.files import digest
from ironbark.pipeline import protocols
from ironbark.pipeline.plan import artefact_specs, fit_specs
from ironbark.pipeline.plan.config import estimators
from ironbark.pipeline.plan.keys import source
from ironbark.pipeline.plan.study.study import Study

METHOD_KEYS = ("label", "about", "estimator", "params", "preprocess", "tune", "tasks", "needs", "paper")
DATASET_KEYS = ("title", "source", "licence", "cite", "deviations", "notes", "expect", "papers")
NOISE_KEYS = ("label", "model", "rate", "params")
SHOWN = ("Notes", "References")
_REFERENCE = re.compile(r"(\[\d+\])_")
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


def describe(plan, planned: Study) -> str:
    """Description of a study for the site, recorded when the study runs."""
    study = _study(plan, planned)
    about = {
        "study": study,
        "methods": {name: _method(plan.config["methods"][name], name) for name in study["methods"]},
        "datasets": {name: _only(plan.config["datasets"][name], DATASET_KEYS) for name in study["datasets"]},
        "noises": {name: {"label": name} | _only(plan.config["noises"][name], NOISE_KEYS) for name in study["noises"]},
    }
    return json.dumps(about)  # the order of methods and data sets is that of the study


def _study(plan, study):
    entry = plan.config["studies"][study.entry_id]
    return {
        "id": study.id,
        "scale": study.scale,
        "title": study.title,
        "description": entry.get("description", ""),
        "parts": entry.get("parts", []),
        "caps": study.caps,
        "absent": study.absent,
        "protocol": study.protocol,
        "blocks": study.blocks,
        "batches": {name: digest(fit_specs.shard(plan, study, name).encode()) for name in study.batches},
        "repeats": study.protocol["repeats"],
        "folds": protocols.per_repeat(study.protocol["options"]),
        "methods": {name: method["label"] for name, method in study.methods.items()},
        "datasets": {name: study.dataset_labels.get(name, name) for name in study.datasets},
        "noises": list(dict.fromkeys(n for noises, _ in study.cells.values() for n in noises)),
        "tables": _artefacts(plan, study, "table"),
        "figures": _artefacts(plan, study, "figure"),
        "compare": bool(study.compare),
    }


def _artefacts(plan, study, category):
    """Id, kind and caption of the tables or figures."""
    captions = artefact_specs.captions(plan, study, category)
    return [{"id": name, "kind": study.shown[category][name]["kind"], "caption": captions[name]} for name in captions]


def _method(entry, name):
    return {"label": name} | _only(entry, METHOD_KEYS) | {"definitions": definitions_of_method(entry)}


def _only(entry, keys):
    return {key: entry[key] for key in keys if entry.get(key) not in (None, [], {})}


def definitions_of_method(entry: dict) -> list[dict]:
    """Definitions of an estimator of ours and of its criteria: name, text, and `SHOWN` sections, which may be empty."""
    if not estimators.is_ours(entry):
        return []
    name = estimators.class_name(entry)
    module = _PUBLIC.get(name, entry["estimator"].rpartition(".")[0])
    own = [criterion for criterion in estimators.criteria_of(entry) if not criteria.is_custom(criterion)]
    texts = [_docstring(module, name), *(_docstring(criteria.module_of(criterion)) for criterion in own)]
    return list(map(_definition, [name, *own], texts))


@functools.cache
def _docstring(module, name=None):
    """Docstring of a module, or of a class or function in it; empty if there is none."""
    path = source(module)
    tree = ast.parse(path.read_text(encoding="utf-8") if path else "")
    nodes = (node for node in ast.walk(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name == name)
    node = next(nodes, None) if name else tree
    return (ast.get_docstring(node) or "") if node else ""


def _definition(name, docstring):
    """The parts of a docstring in numpydoc's style."""
    shared = {entry: text.strip() for entry, text in ENTRIES.items()}
    docstring = _REFERENCE.sub(r"\1", Template(inspect.cleandoc(docstring)).safe_substitute(shared))
    summary, *rest = _HEADING.split(docstring)
    sections = dict(zip(rest[::2], (text.strip("\n") for text in rest[1::2]), strict=True))
    return {"name": name, "text": summary.strip()} | {key: sections.get(key, "") for key in SHOWN}

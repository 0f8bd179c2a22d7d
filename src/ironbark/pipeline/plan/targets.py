"""Targets on the command line that do not exist: studies, rules, and files of a study."""

import difflib
from collections.abc import Iterable

from ironbark.entries import suggestion
from ironbark.errors import InputError

NEAREST = 3


def check(targets: Iterable[str], rules: Iterable[str], studies: Iterable[str]):
    """Refuse a misspelt study or rule before Snakemake does, which cannot suggest another."""
    known = list(dict.fromkeys([*studies, *rules]))
    for target in targets:
        if target in known or "/" in target or "." in target:
            continue
        near = difflib.get_close_matches(target, known, n=NEAREST)
        near += [name for name in known if name.startswith(f"{target}-") and name not in near][:NEAREST]
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {', '.join(sorted(set(known)))}"
        raise InputError(f"there is no study or rule {target!r}; {hint}")


def check_batch(study, name):
    """Raise InputError for fits that a study has no batch of."""
    known = [batch.name for batch in study.batches]
    if name not in known:
        hint = suggestion(name, known, f"ask for {study.folder}/rows.parquet")
        raise InputError(f"{_named(study)} has no batch of fits {name!r}; {hint}")


def check_cell(study, dataset, task):
    """Raise InputError for labels of a data set and task that a study does not have."""
    if (dataset, task) not in study.cells:
        known = ", ".join("/".join(cell) for cell in study.cells)
        raise InputError(f"{_named(study)} has no labels {dataset}/{task}; there are {known}")


def check_compared(study):
    """Raise InputError for the comparison of a study that has none."""
    if not study.compare:
        raise InputError(f"{_named(study)} is not compared with published values; add the key 'compare' to it")


def _named(study):
    return f"study {study.id!r} at scale {study.scale!r}"

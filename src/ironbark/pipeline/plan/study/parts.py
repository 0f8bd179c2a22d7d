"""Parts of studies: what `--config only=[heart,dt-gini]` keeps of one, and studies that are built with another."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from fnmatch import fnmatchcase

from ironbark.entries import lookup, suggestion
from ironbark.errors import InputError
from ironbark.files import digest
from ironbark.pipeline.plan.config import additions
from ironbark.pipeline.plan.study import artefacts, unavailable
from ironbark.pipeline.plan.study.batches import batches, merged
from ironbark.pipeline.plan.study.study import Study

#: Kinds of what can be named; an item is of the first kind that has its id.
KINDS = ("datasets", "methods", "noises", "tables", "figures")
SHOWN = ("tables", "figures")
LONGEST = 80  # characters of a folder's name that lists the items


class NothingLeft(InputError):
    """No fit of a study is in the part that was asked for."""


def folder(items: list) -> str:
    """Folder of the results of this part of all studies, below that of all results."""
    name = "+".join(sorted(set(items)))
    if len(name) > LONGEST or not re.fullmatch(r"[a-z0-9.+-]+", name):
        name = digest(name.encode(), size=6)
    return f"only/{name}"


def named(items: list, config: dict) -> dict:
    """Kind -> ids that the items name: ids, groups, or patterns such as ``dt-*``."""
    known = {kind: list(config[kind]) for kind in KINDS if kind not in SHOWN}
    for kind in SHOWN:
        known[kind] = [name for entry in config["studies"].values() for name in entry.get(kind, ())]
    ids_of, all_groups = {}, config["groups"]
    for item in items:
        for kind in KINDS:
            group = all_groups.get(kind, {}).get(item)
            if ids := group or [name for name in known[kind] if fnmatchcase(str(name), item)]:
                ids_of.setdefault(kind, set()).update(ids)
                break
        else:
            every = [name for names in (*known.values(), *all_groups.values()) for name in names]
            hint = suggestion(item, every, "name data sets, methods, noises, tables or figures")
            raise InputError(f"--config only: {item!r} is no id, no group and no pattern of ids; {hint}")
    return ids_of


def narrowed(config: dict, study: Study, items: list) -> Study:
    """Keep the fits under all kinds of ids that are named; tables and figures keep the fits that they show."""
    wanted = named(items, config)
    for kind, ids in additions.asked(config).items():
        if kind in wanted and (lost := set(ids) - wanted[kind]):
            raise InputError(f"--config only: {','.join(items)} leaves out {min(lost)!r} of --config {kind}; add it")
    specs, shown = {f"{category}s": entries for category, entries in study.shown.items()}, study.cells
    if any(kind in wanted for kind in SHOWN):
        for kind, entries in specs.items():
            specs[kind] = {name: spec for name, spec in entries.items() if name in wanted.get(kind, ())}
        chosen = [artefacts.chosen(spec, study.cells) for entries in specs.values() for spec in entries.values()]
        shown = merged((*cell, *both) for one in chosen for cell, both in one.items())
    cells = {
        cell: [{*ids} & {*wanted.get(kind, ids)} for ids, kind in zip(both, ("noises", "methods"), strict=True)]
        for cell, both in shown.items()
        if cell[0] in wanted.get("datasets", cell[:1])
    }
    own, words = f"{folder(items)}/{study.id}", f"only {', '.join(items)}"
    part = with_cells(config, study, own, cells)
    if not part.blocks:
        raise NothingLeft(f"study {study.id!r}: --config only={','.join(items)} keeps none of its fits; name others")
    entry = {kind: {name: spec for name, spec in specs[kind].items() if _has_methods(spec, part)} for kind in SHOWN}
    entry["protocol"] = config["studies"][study.id]["protocol"]
    return replace(
        part,
        title=f"{study.title} ({words})",
        shown={category: artefacts.kept(own, category, entry, part.cells) for category in study.shown},
        caps="; ".join(filter(None, [study.caps, words])),
    )


def with_cells(config: dict, study: Study, name: str, cells: dict) -> Study:
    """A study of this id with the fits of another one that have the noises and methods of a cell, and nothing else."""
    blocks = []
    for dataset, task, *both in study.blocks:
        wanted = cells.get((dataset, task), ((), ()))
        kept = [[one for one in ids if one in known] for ids, known in zip(both, wanted, strict=True)]
        blocks += [(dataset, task, *kept)] if all(kept) else []
    merged_cells = merged(blocks)
    left = {one for _, methods in merged_cells.values() for one in methods}
    methods = {one: entry for one, entry in study.methods.items() if one in left}
    fits = batches(config, blocks, methods, study.protocol)
    none = dict.fromkeys(study.shown, {})
    return replace(study, id=name, methods=methods, cells=merged_cells, blocks=blocks, batches=fits, shown=none)


def _has_methods(spec, study):
    """Whether the methods that others are compared with are there, and all whose ranks are published together."""
    needed = {spec.get("reference"), spec.get("risk_of"), *spec.get("printed_methods", {}).values()} - {None}
    return needed <= study.methods.keys()


def built(plan, studies: Iterable[str]) -> tuple[list[str], list[str]]:
    """Ids of the studies that a run of these makes, and of the parts without data, which it leaves out."""
    made, absent = {}, []
    for study in studies:
        folder, _, name = study.rpartition("/")
        made[study] = None
        for part in lookup("study", name, plan.config["studies"]).get("parts", ()):
            if lookup(f"study (part of {name!r})", part, plan.config["studies"]).get("parts"):
                raise InputError(f"study {name!r}: its part {part!r} has parts of its own; list them all in {name!r}")
            if not _has_data(plan, part):
                absent.append(part)
                continue
            with suppress(NothingLeft):  # of this part, while its study has some
                made[plan.study(f"{folder}/{part}" if folder else part, plan.settings["scale"]).id] = None
    return list(made), absent


def _has_data(plan, name):
    entry, scale = plan.config["studies"][name], plan.settings["scale"]
    caps = entry.get("scales", {}).get(scale, {})
    absent = plan.config["absent"]
    return bool(unavailable.remaining(entry, caps, absent)) and bool(
        unavailable.remaining(entry, caps, absent, plan.unusable(name, scale))
    )

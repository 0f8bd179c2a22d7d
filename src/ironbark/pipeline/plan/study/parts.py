"""Studies that are built together: the parts of a paper that need protocols of their own."""

from collections.abc import Iterable

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.reading import lookup
from ironbark.pipeline.plan.study import unavailable_data


def built(plan, studies: Iterable[str]) -> tuple[list[str], list[str]]:
    """Ids of the studies that a run of these makes, and of the parts without data, which it leaves out."""
    made, absent = {}, []
    for study in studies:
        folder, _, name = study.rpartition("/")
        ids = [f"{folder}/{part}" if folder else part for part in expand(plan, [name])]
        made |= dict.fromkeys(one for one in ids if one == study or plan.has_fits(one))
        absent += left_out(plan, [name])
    return list(made), absent


def expand(plan, names: Iterable[str]) -> list[str]:
    """Studies with their parts, each once, parts after their study."""
    studies = {}
    for name in names:
        studies[name] = None
        studies |= dict.fromkeys(part for part in _parts(plan.config, name) if _has_data(plan, part))
    return list(studies)


def left_out(plan, names):
    """Parts of these studies that are left out: no data set of theirs can be had at this scale."""
    return [part for name in names for part in _parts(plan.config, name) if not _has_data(plan, part)]


def _parts(config, name):
    parts = lookup("study", name, config["studies"]).get("parts", [])
    for part in parts:
        if lookup(f"study (part of {name!r})", part, config["studies"]).get("parts"):
            raise InputError(f"study {name!r}: its part {part!r} has parts of its own; list them all in {name!r}")
    return parts


def _has_data(plan, name):
    entry, scale = plan.config["studies"][name], plan.settings["scale"]
    caps = entry.get("scales", {}).get(scale, {})
    absent = plan.config["absent"]
    return bool(unavailable_data.remaining(entry, caps, absent)) and bool(
        unavailable_data.remaining(entry, caps, absent, plan.unusable(name, scale))
    )

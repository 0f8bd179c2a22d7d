"""Studies that are built together: the parts of a paper that need protocols of their own."""

from ironbark.errors import InputError
from ironbark.plan.config import lookup


def expand(config, names):
    """Studies with their parts, each once, parts after their study.

    Parameters
    ----------
    config : dict
        Of `ironbark.plan.specs.Plan`, which knows what cannot be had in this run.
    names : iterable of str

    Returns
    -------
    list of str
        Parts without any data set that can be had are left out, see `left_out`.

    Raises
    ------
    InputError
        If a study or a part is unknown, or a part has parts.
    """
    found = {}
    for name in names:
        found[name] = None
        found |= dict.fromkeys(part for part in _parts(config, name) if not _unreachable(config, part))
    return list(found)


def left_out(config, names):
    """Parts of these studies that are left out: all their data sets are listed in ``if_absent`` and cannot be had."""
    return [part for name in names for part in _parts(config, name) if _unreachable(config, part)]


def _parts(config, name):
    parts = lookup("study", name, config["studies"]).get("parts", [])
    for part in parts:
        if lookup(f"study (part of {name!r})", part, config["studies"]).get("parts"):
            raise InputError(f"study {name!r}: its part {part!r} has parts of its own; list them all in {name!r}")
    return parts


def _unreachable(config, name):
    entry = config["studies"][name]
    asked = {dataset for grid in entry["grids"] for dataset in grid["datasets"]}
    spared = {dataset for dataset, other in entry.get("if_absent", {}).items() if other is None}
    return asked <= spared & set(config.get("absent", ()))

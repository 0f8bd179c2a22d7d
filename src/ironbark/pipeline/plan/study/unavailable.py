"""Studies without what this run lacks: data sets are replaced or left out, methods without their packages left out.

Data sets that cannot be had may be missing if a study lists them in ``if_absent``.
"""

from ironbark.entries import lookup
from ironbark.errors import InputError, located
from ironbark.pipeline.plan.config import estimators, packages


def without(study_id: str, entry: dict, known, absent, unusable=()):
    """A study without the data sets that this run lacks."""
    listed = _asked(entry)
    for name, other in entry.get("if_absent", {}).items():
        if name not in listed:
            raise InputError(f"study {study_id!r}: `if_absent` names {name!r}, which no grid has; take it out")
        if other is not None:
            lookup(f"data set (study {study_id!r}, `if_absent`)", other, known)
    change = _changes(entry, absent, unusable)
    if not change:
        return entry, ""
    grids = [_replaced(grid, change) for grid in entry["grids"]]
    result = entry | {"grids": [grid for grid in grids if grid]}
    if not result["grids"]:
        raise InputError(f"study {study_id!r}: none of its data sets can be had; give a mirror that has them, or none")
    for kind in ("tables", "figures"):
        specs = entry.get(kind, {}).items()
        result[kind] = {name: left for name, spec in specs if (left := _replaced(spec, change)) is not None}
    scales = {name: (caps, _replaced(caps, change)) for name, caps in entry.get("scales", {}).items()}
    result["scales"] = {
        name: caps | {"datasets": []} if left is None else left for name, (caps, left) in scales.items()
    }
    return result, _words(change, unusable)


def remaining(entry, caps, absent, unusable=()):
    """Data sets of a study that this run has at a scale with these caps; stand-ins count by what they replace."""
    change, kept = _changes(entry, absent, unusable), caps.get("datasets")
    return [name for name in _asked(entry) if (kept is None or name in kept) and change.get(name, name) is not None]


def _asked(entry):
    return list(dict.fromkeys(name for grid in entry["grids"] for name in grid["datasets"]))


def _changes(entry, absent, unusable):
    """Data set that is not used -> its stand-in, or None."""
    listed, lacking = entry.get("if_absent", {}), {*absent, *unusable}
    gone = [name for name in _asked(entry) if name in unusable or name in absent and name in listed]
    return {name: None if listed.get(name) in lacking else listed.get(name) for name in gone}


def _replaced(spec, change):
    """A spec with its data sets replaced; None if it had some and none is left."""
    if spec.get("dataset") in change:
        other = change[spec["dataset"]]
        return None if other is None else spec | {"dataset": other}
    if "datasets" not in spec:
        return spec
    left = [change.get(name, name) for name in spec["datasets"]]
    left = list(dict.fromkeys(name for name in left if name is not None))
    return spec | {"datasets": left} if left else None


def _words(change, unusable):
    gone = [name for name, other in change.items() if other is None and name not in unusable]
    bad = [name for name, other in change.items() if other is None and name in unusable]
    words = [f"Cannot be had in this run and left out: {', '.join(gone)}"] if gone else []
    words += [f"Left out, since the data are not what the catalogue expects: {', '.join(bad)}"] if bad else []
    words += [f"{other} stands in for {name}" for name, other in change.items() if other is not None]
    return "; ".join(words)


def without_methods(study_id: str, entry: dict, config: dict):
    """A study without the methods that this run lacks."""
    gone = methods_left_out(entry, config)
    if not gone:
        return entry, ""
    for name in gone:
        with located(f"study {study_id!r}: method {name!r}"):
            estimators.check_needs(config["methods"][name])
    grids = [
        grid | {"methods": [name for name in grid["methods"] if name not in gone]} for grid in entry.get("grids", ())
    ]
    missing = list(dict.fromkeys(package for needed in gone.values() for package in needed))
    if not any(grid["methods"] for grid in grids):
        remedy = f"to get them: {packages.command(missing)}"
        raise InputError(f"study {study_id!r}: all of its methods lack packages or files; {remedy}")
    listed = ", ".join(config["methods"][name].get("label", name) for name in gone)
    how = packages.bare_command(missing) if any("/" not in name for name in missing) else "files are missing"
    return entry | {"grids": grids}, f"Left out, not installed: {listed} ({how})"


def methods_left_out(entry, config):
    """Method -> packages that it lacks, for the methods of a study that lack some, in the order of its grids."""
    lacking = config.get("lacking", {})
    listed = dict.fromkeys(name for grid in entry.get("grids", ()) for name in grid["methods"])
    return {name: lacking[name] for name in listed if name in lacking}


def remarks(study_id, config):
    """A sentence for each set of missing packages: the data sets and methods that a study does without."""
    entry = config["studies"].get(study_id, {})  # a part of a study that is run alone has no entry
    listed = [name for name in entry.get("if_absent", {}) if name in config["absent"]]
    gone = {name: packages.missing_optional(config["datasets"][name]) for name in listed}
    lacking, methods = methods_left_out(entry, config), config["methods"]
    gone |= {methods[name].get("label", name): needed for name, needed in lacking.items()}
    result = []
    for missing in dict.fromkeys(tuple(needed) for needed in gone.values() if needed):
        names = ", ".join(name for name, needed in gone.items() if tuple(needed) == missing)
        how = packages.command(missing)
        result.append(f"study {study_id!r} does without {names} for lack of {' and '.join(missing)}: {how}")
    return result

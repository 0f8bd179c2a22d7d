"""Studies without a method whose optional packages are not installed: it is left out, and captions say so."""

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import estimators, packages
from ironbark.pipeline.plan.config.reading import located


def without_methods(study_id: str, entry: dict, config: dict):
    """A study without the methods that this run lacks."""
    gone = left_out(entry, config)
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
        raise InputError(
            f"study {study_id!r}: all of its methods need packages that are missing; run {packages.command(missing)}"
        )
    listed = ", ".join(_labels(gone, config))
    how = packages.bare_command(missing) if any("/" not in name for name in missing) else "files are missing"
    return entry | {"grids": grids}, f"Left out, not installed: {listed} ({how})"


def left_out(entry, config):
    """Method -> packages that it lacks, for the methods of a study that lack some, in the order of its grids."""
    lacking = config.get("lacking", {})
    listed = dict.fromkeys(name for grid in entry.get("grids", ()) for name in grid["methods"])
    return {name: lacking[name] for name in listed if name in lacking}


def remarks(study_id, config):
    """A sentence for each set of missing packages: the methods that a study does without, and the command."""
    gone = left_out(config["studies"].get(study_id, {}), config)  # a part of a study that is run alone has no entry
    lines = []
    for missing in dict.fromkeys(map(tuple, gone.values())):
        names = [name for name, needed in gone.items() if tuple(needed) == missing]
        listed = f"method{'s' * (len(names) > 1)} {', '.join(_labels(names, config))}"
        verb = "needs" if len(names) == 1 else "need"
        lines.append(
            f"study {study_id!r} does without the {listed}, which {verb} {' and '.join(missing)}: "
            f"{packages.command(missing)}"
        )
    return lines


def _labels(names, config):
    return [config["methods"][name].get("label", name) for name in names]

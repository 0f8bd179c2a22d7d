"""Packages that data sets and methods import: which of them are not installed, and the command that installs them."""

from importlib.util import find_spec
from pathlib import Path

from ironbark.errors import InputError
from ironbark.pipeline import data

RUN, IMAGES, ARENA = "envs/run.lock", "envs/images.lock", "envs/arena.lock"

#: Package -> the file that pins it.
LOCKS = {
    **dict.fromkeys(("lightgbm", "openml", "optuna", "xgboost"), RUN),
    **dict.fromkeys(("torch", "torchvision"), IMAGES),
    **dict.fromkeys(("catboost", "cleanlab", "imblearn", "interpret", "perpetual"), ARENA),
}


def missing(names):
    """Those of some packages that are not installed, and of some files, named with a slash, that are not there."""
    return [name for name in names if not (Path(name).is_file() if "/" in name else find_spec(name))]


def missing_optional(entry):
    """Packages that the source of a data set lacks and that the installation of the README does not include."""
    return [name for name in missing(data.resolve(entry["source"]).packages) if LOCKS[name] == IMAGES]


def command(names):
    """How to get what is `missing`: the command that installs packages, by the files that pin them or by name."""
    packages = [name for name in names if "/" not in name]
    files = [f"put the file {name} there" for name in names if "/" in name]
    return ", and ".join([f"`.venv/bin/{bare_command(packages)}`"] * bool(packages) + files)


def bare_command(names):
    """The command that installs some packages in an active environment; files are left out."""
    names = [name for name in names if "/" not in name]
    locks = list(dict.fromkeys(LOCKS[name] for name in names if name in LOCKS))
    locks = [lock for lock in locks if lock != RUN] or locks  # the others hold run.lock
    return "pip install " + " ".join(
        [*(f"-r {lock}" for lock in locks), *(name for name in names if name not in LOCKS)]
    )


def lacking(methods):
    """Method -> packages and files of its key ``needs`` that are missing, for the methods that lack some."""
    needed = {name: missing(entry.get("needs", ())) for name, entry in methods.items()}
    return {name: names for name, names in needed.items() if names}


def check_sources(study_id, entries, may_mirror):
    """Raise InputError if data sets to be fetched need packages that are not installed."""
    lacking = {name: missing(data.resolve(entry["source"]).packages) for name, entry in sorted(entries.items())}
    lacking = {name: needed for name, needed in lacking.items() if needed}
    if not lacking:
        return
    needed = list(dict.fromkeys(package for packages in lacking.values() for package in packages))
    hint = may_mirror and all(data.mirrored(entries[name]) for name in lacking)
    raise InputError(
        f"study {study_id!r}: {' and '.join(needed)} must be installed for the data sets {', '.join(lacking)}; "
        f"run {command(needed)}" + (", or give the folder of a mirror with --config mirror=DIR" if hint else "")
    )

"""Checks of data sets before any job starts: against the catalogue, and of the tables of this machine.

The user's own tables are fetched, prepared and split. Those of a mirror that replace a known source are tried without
encoding their features. The result is kept below `MEMORY`, by all that it depends on.
"""

import contextlib
import json
import math
import tempfile
import time
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from ironbark import noise
from ironbark.entries import lookup
from ironbark.errors import InputError, located
from ironbark.files import write_text
from ironbark.pipeline import protocols
from ironbark.pipeline.plan.keys import code_of_job, digest_of

MEMORY = Path(".snakemake/ironbark/tables")
OWN = ("file", "mirror")  # sources of tables that nobody else has
UNKNOWN = 255  # number of classes: more than any data set has


def check(name: str, entry: dict, mirror: str | None, table: Path, tasks: Iterable[str], protocol: dict) -> tuple:
    """Fault of the table of a data set, or None, and warnings."""
    if not Path(table).is_file():
        return _tried(name, entry, mirror, tasks, protocol)
    size, changed = Path(table).stat().st_size, Path(table).stat().st_mtime_ns
    if changed > time.time_ns():  # Snakemake would take what is fetched from it for older, and delete it
        return f"{table} is dated {date.fromtimestamp(changed / 1e9)}, in the future; run touch on it", []
    depends = [entry, mirror, str(table), size, changed, sorted(tasks), protocol, code_of_job("preflight")]
    kept = MEMORY / f"{name}-{digest_of(depends)}.json"
    with contextlib.suppress(FileNotFoundError, ValueError):  # not tried yet, or damaged
        fault, warnings = json.loads(kept.read_text(encoding="utf-8"))
        return fault, warnings
    result = _tried(name, entry, mirror, tasks, protocol)
    write_text(kept, json.dumps(result))
    return result


def _tried(name, entry, mirror, tasks, protocol):
    try:
        warnings = (_whole if entry["source"] in OWN else _outline)(name, entry, mirror, tasks, protocol)
    except InputError as error:
        return str(error), []
    return None, warnings


def _whole(name, entry, mirror, tasks, protocol):
    """Fetch, prepare and split, and keep nothing of it; the warnings of `prepare`."""
    from ironbark.pipeline.data import bundle  # late, as below: most plans do without numpy and pandas
    from ironbark.pipeline.data.fetch import fetch
    from ironbark.pipeline.data.prepare import prepare

    with tempfile.TemporaryDirectory() as folder:
        raw = fetch(name, entry, Path(folder, "raw"), mirror)
        data = bundle.load(prepare(name, entry, raw, Path(folder, "prepared")))
        for task in tasks:
            _split(name, task, data.y(task), data.classes(task), data.split, data.groups, protocol)
        return data.meta["warnings"]


def _outline(name, entry, mirror, tasks, protocol):
    """Check the table without encoding its features."""
    from ironbark.pipeline.data import roles

    roles = roles.check_mirror(name, entry, mirror)
    known = {"binary": roles.binary, "multiclass": roles.classes if len(roles.classes.classes) > 2 else None}
    for task in tasks:
        if known[task] is None:
            remedy = "set `positive` in its entry to define one" if task == "binary" else "ask for binary"
            raise InputError("; ".join([f"data set {name!r} has no task {task!r}; {remedy}", *roles.warnings[-1:]]))
        _split(name, task, known[task].y, known[task].classes, roles.parts, roles.groups, protocol)
    return []


def _split(name, task, y, classes, parts, groups, protocol):
    import numpy as np

    ids, y = (name, task, protocol["kind"]), np.array([*map(str, classes)], object)[y]  # for the sentences
    with located(f"data set {name!r}"):
        for _ in protocols.splits(protocol["kind"], y, parts, ids, repeats=1, groups=groups, **protocol["options"]):
            pass


def n_classes(config, name, task, protocol):
    """Number of classes of a task, `UNKNOWN` if the catalogue does not say."""
    entry = lookup("data set", name, config["datasets"])
    expect = entry.get("expect", {})
    n, k, folds = expect.get("n"), expect.get("k"), protocol["options"].get("folds", 1)
    if task == "multiclass" and k == 2:
        raise InputError(f"data set {name!r} has two classes, so it has no multiclass task; ask for binary.")
    if task == "binary" and k not in (None, 2) and not {"positive", "binary"} & entry.keys():
        raise InputError(
            f"data set {name!r} has {k} classes; give it a key 'positive' or 'binary: grouped' to make a binary task."
        )
    if protocol["kind"] == "fixed-split" and "split" not in entry:
        raise InputError(
            f"data set {name!r} has no split for the protocol 'fixed-split'; give it a key 'split', or choose "
            "'repeated-cv' or 'random-partitions'."
        )
    if protocols.resolve(protocol["kind"])[1].needs_groups and "groups" not in entry:
        raise InputError(
            f"data set {name!r} names no groups for the protocol {protocol['kind']!r}; set `groups` in its entry to "
            "their column, or choose 'random-partitions'."
        )
    if n is not None and n < folds:
        raise InputError(f"data set {name!r} has {n} rows, fewer than the {folds} folds; ask for fewer folds.")
    smallest = smallest_class(entry, task)
    if smallest is not None and smallest[1] < folds:
        raise InputError(
            f"class {smallest[0]!r} of data set {name!r} has {smallest[1]} samples, fewer than the {folds} folds; "
            "ask for fewer folds, or leave out that data set."
        )
    return 2 if task == "binary" else k or UNKNOWN


def check_noise(config, name, noise_id, noise_entry, n_classes):
    """Refuse a noise of given labels that a data set does not name, or of a matrix for another number of classes."""
    if noise.resolve(noise_entry["model"])[1].needs_given and "given" not in config["datasets"][name]:
        raise InputError(
            f"noise model {noise_entry['model']!r} takes the given labels of data set {name!r}, which names none; set "
            "`given` in its entry to their column, or leave out that data set."
        )
    k = len(noise_entry["params"].get("matrix") or ())
    if k and n_classes not in (k, UNKNOWN):
        raise InputError(f"noise {noise_id!r} has a {k} x {k} matrix, but there are {n_classes} classes; leave it out.")


def check_sizes(config, cells, protocol):
    """Raise InputError if data sets, as (data set, task), are too small for the parts that a protocol asks for."""
    test_size, sizes = protocol["options"].get("test_size"), protocol["options"].get("sizes") or []
    for name, task in cells:
        expect = config["datasets"][name].get("expect", {})
        n, k = expect.get("n"), 2 if task == "binary" else expect.get("k", 2)
        parts = [*sizes, protocol["options"].get("max_train") or k]
        if n and test_size:
            n_test = math.ceil(test_size * n) if isinstance(test_size, float) else test_size
            parts += [n_test, n - n_test]
            if max(sizes, default=0) > n - n_test:
                raise InputError(
                    f"data set {name!r} has {n - n_test} training samples, fewer than the {max(sizes)} of `sizes`; "
                    "leave that size out, or leave out that data set."
                )
        if min(parts) < k:
            raise InputError(
                f"a part of {max(0, min(parts))} samples is smaller than the {k} classes of data set {name!r}; choose "
                "other sizes in the protocol or scale, or leave out that data set."
            )


def smallest_class(entry: dict, task: str):
    """Label and size of the smallest class of a task, as far as the catalogue has them."""
    counts = entry.get("expect", {}).get("counts")
    if not counts:
        return None
    sizes = counts if task == "multiclass" or len(counts) == 2 else _of_two(entry, counts)
    return min(sizes.items(), key=lambda pair: pair[1]) if sizes else None


def _of_two(entry, counts):
    """Size of both classes of a binary task that merges labels; empty where unknown."""
    if "positive" in entry:
        ones = {str(label) for label in entry["positive"]} & counts.keys()
    elif "binary" in entry:
        from ironbark.pipeline.data.catalog import groups  # late: it imports scikit-learn

        sides = groups(list(counts.values()))  # the order of the labels decides between equal sizes only
        ones = {name for name, side in zip(counts, sides, strict=True) if side}
    else:
        return {}
    both = [name for name in counts if name not in ones], [name for name in counts if name in ones]
    return {"|".join(names): sum(counts[name] for name in names) for names in both}

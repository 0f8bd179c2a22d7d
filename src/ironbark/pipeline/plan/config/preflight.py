"""Try the tables of this machine while planning, so that a mistake in them is reported before any job starts.

The user's own tables are fetched, prepared and split. Those of a mirror that replace a known source are tried without
encoding their features. The result is kept below `MEMORY`, by all that it depends on.
"""

import contextlib
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ironbark.errors import InputError, located
from ironbark.files import write_text
from ironbark.pipeline.plan.keys import code_of_job, digest_of

MEMORY = Path(".snakemake/ironbark/tables")
OWN = ("file", "mirror")  # sources of tables that nobody else has


def check(name: str, entry: dict, mirror: str | None, table: Path, tasks: Iterable[str], protocol: dict) -> tuple:
    """Fault of the table of a data set, or None, and warnings."""
    if not Path(table).is_file():
        return _tried(name, entry, mirror, tasks, protocol)
    size, time = Path(table).stat().st_size, Path(table).stat().st_mtime_ns
    depends = [entry, mirror, str(table), size, time, sorted(tasks), protocol, code_of_job("preflight")]
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

    from ironbark.pipeline import protocols

    ids, y = (name, task, protocol["kind"]), np.array([*map(str, classes)], object)[y]  # for the sentences
    with located(f"data set {name!r}"):
        for _ in protocols.splits(protocol["kind"], y, parts, ids, repeats=1, groups=groups, **protocol["options"]):
            pass

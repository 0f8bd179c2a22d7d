"""Try the tables of this machine while planning, so that a mistake in them is reported before any job starts.

The user's own tables are fetched, prepared and split. Those of a mirror that replace a known source are tried by their
footer, target and split only. The result is remembered below `MEMORY` until the file, the entry or the code changes.
"""

import hashlib
import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline.plan.keys import code_of_job

#: Folder of what was found, one file for each data set.
MEMORY = Path(".snakemake/ironbark/tables")

OWN = ("file", "mirror")  # sources of tables that nobody else has


def check(name: str, entry: dict, mirror: Path | None, table: Path, tasks: Iterable[str], protocol: dict):
    """Try the table of a data set."""
    place, key = MEMORY / f"{name}.json", json.dumps([sorted(tasks), protocol["kind"], protocol["options"]])
    state = _state(entry, mirror, Path(table))
    known = _read(place)
    found = known["found"] if state is not None and known.get("state") == state else {}
    if key not in found:
        found[key] = _tried(name, entry, mirror, tasks, protocol)
        if state is not None:
            write_text(place, json.dumps({"state": state, "found": found}, indent=1))
    return found[key]["fault"], found[key]["warnings"]


def _state(entry, mirror, table):
    """Digest of all that the result depends on; None if there is no table."""
    if not table.is_file():
        return None
    about = table.stat()
    told = [entry, mirror, str(table), about.st_size, about.st_mtime_ns, code_of_job("preflight")]
    return hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=16).hexdigest()


def _read(place):
    """Stored results; empty if there are none, or if the file is damaged."""
    try:
        known = json.loads(place.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) and isinstance(known.get("found"), dict) else {}


def _tried(name, entry, mirror, tasks, protocol):
    try:
        warnings = (_whole if entry["source"] in OWN else _outline)(name, entry, mirror, tasks, protocol)
    except InputError as error:
        return {"fault": str(error), "warnings": []}
    return {"fault": None, "warnings": warnings}


def _whole(name, entry, mirror, tasks, protocol):
    """Fetch, prepare and split, and keep nothing of it; the warnings of `prepare`."""
    from ironbark.pipeline.data import bundle  # late, as below: most plans do without numpy and pandas
    from ironbark.pipeline.data.fetch import fetch
    from ironbark.pipeline.data.prepare import prepare

    with tempfile.TemporaryDirectory() as folder:
        raw = fetch(name, entry, Path(folder, "raw"), mirror)
        data = bundle.load(prepare(name, entry, raw, Path(folder, "prepared")))
        for task in tasks:
            _split(name, task, data.y(task), data.split, protocol)
        return data.meta["warnings"]


def _outline(name, entry, mirror, tasks, protocol):
    """Check the table by its footer, target and split."""
    from ironbark.pipeline.data.table import roles

    roles = roles.check(name, entry, mirror)
    known = {"binary": roles.binary, "multiclass": roles.classes if len(roles.classes.classes) > 2 else None}
    for task in tasks:
        if known[task] is None:
            remedy = "set `positive` in its entry to define one" if task == "binary" else "ask for binary"
            raise InputError(f"data set {name!r} has no task {task!r}; {remedy}")
        _split(name, task, known[task].y.astype("int64"), roles.parts, protocol)
    return []


def _split(name, task, y, parts, protocol):
    from ironbark.pipeline import protocols

    ids = (name, task, protocol["kind"])
    for _ in protocols.splits(protocol["kind"], y, parts, ids, repeats=1, **protocol["options"]):
        pass

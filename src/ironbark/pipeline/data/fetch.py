"""Fetch a data set: its raw table, and where it came from."""

import json
from pathlib import Path
from pkgutil import resolve_name

from ironbark.errors import InputError
from ironbark.files import explained, write_text
from ironbark.pipeline.data import catalog, checksums, formats, mirrored, resolve
from ironbark.pipeline.data.sources.files import SHARED, TABLE, located
from ironbark.pipeline.log import redacted

FACTS = "fetch.json"

#: Fields of an entry that say where a table came from; paths and ids only, never a folder of this machine.
_ORIGIN = (
    *("loader", "path", "openml_id", "url", "name", "archive", "members", "parts"),
    *("texts", "dimensions", "images", "table", "votes"),
)


def fetch(id: str, entry: dict, folder: str | Path, mirror: str | Path | None = None) -> Path:
    """Fetch one data set into its raw folder."""
    catalog.check({id: entry})
    entry, folder = catalog.complete(entry), Path(folder)
    name = "mirror" if mirror is not None and mirrored(entry) else entry["source"]
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        given = entry | {"path": located(id, entry, mirror)} if name == "mirror" else entry
        table, facts = resolve_name(resolve(name).fetch)(f"data set {id!r}", given, folder)
        if not isinstance(table, Path):
            formats.write(table, folder / TABLE)
    except InputError:
        checksums.forget(folder, folder.parent / SHARED)  # what cannot be read is downloaded again
        raise
    facts = {"source": name, **{field: _public(entry[field]) for field in _ORIGIN if field in entry}, **facts}
    write_text(folder / FACTS, json.dumps(facts, indent=1, sort_keys=True) + "\n")
    return folder / TABLE


def _public(value):
    """A value without the passwords in its addresses."""
    return [*map(_public, value)] if isinstance(value, list) else redacted(value) if isinstance(value, str) else value

"""The catalogue of data sets: reading config/datasets.yaml, and what its schema cannot say."""

import re
from pathlib import Path

import yaml

from ironbark.datasets import SOURCES, resolve, suggest
from ironbark.errors import InputError

#: Values of the fields that an entry leaves out.
DEFAULTS = {"target": "target", "drop": [], "encode": "ordinal", "missing": "error"}

_SOURCE_FIELDS = {name for source in SOURCES.values() for name in (*source.required, *source.optional)}


class _Loader(yaml.SafeLoader):
    """Safe YAML without repeated keys, of which YAML would silently keep the last."""

    def construct_mapping(self, node, deep=False):
        seen = []
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.YAMLError(f"{key!r} stands a second time in line {key_node.start_mark.line + 1}")
            seen.append(key)
        return super().construct_mapping(node, deep)


def read(path):
    """Read a catalogue.

    Parameters
    ----------
    path : str or Path
        YAML file: data set id -> entry; see docs/data.md.

    Returns
    -------
    dict of str to dict
        Entries with `DEFAULTS` filled in and the labels of ``expect.counts`` as text, in the order of the file.

    Raises
    ------
    InputError
        If the file is missing, is not YAML, repeats a key or is not a mapping of ids to entries.
    """
    try:
        entries = yaml.load(Path(path).read_text(encoding="utf-8"), _Loader)
    except FileNotFoundError as error:
        raise InputError(f"there is no catalogue {path}; give the path of a datasets.yaml") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        detail = " ".join(str(error).split())
        raise InputError(f"{path} is not valid YAML ({detail}); mend that place") from error
    if not isinstance(entries, dict):
        raise InputError(f"{path} holds no data sets; write `id:` and its fields below it")
    for id, entry in entries.items():
        if not isinstance(id, str) or not isinstance(entry, dict):
            raise InputError(f"{path}: {id!r} is not an id with fields below it; quote the id and indent its fields")
    return {id: complete(entry) for id, entry in entries.items()}


def complete(entry):
    """An entry with `DEFAULTS` filled in and the labels of ``expect.counts`` as text."""
    entry = {**DEFAULTS, **entry}
    expect = entry.get("expect")
    if isinstance(expect, dict) and isinstance(expect.get("counts"), dict):
        counts = {str(label): count for label, count in expect["counts"].items()}
        entry["expect"] = {**expect, "counts": counts}
    return entry


def check(entries):
    """Check what the schema of the catalogue cannot express.

    Parameters
    ----------
    entries : dict of str to dict
        As `read` gives them, valid under workflow/schemas/datasets.schema.yaml.

    Raises
    ------
    InputError
        For the first entry with an unknown source, a field of another source, a choice that does not exist, or fields
        that contradict each other.
    """
    for id, entry in entries.items():
        if not re.fullmatch("[a-z0-9-]+", id):
            raise InputError(f"data set id {id!r} becomes a folder name; use only the characters a-z, 0-9 and -")
        for test in (_check_source, _check_columns, _check_expect):
            test(f"data set {id!r}", entry)


def _check_source(who, entry):
    name = entry["source"]
    if name not in SOURCES:
        raise InputError(f"{who}: unknown source {name!r}; {suggest(name, SOURCES)}")
    source = resolve(name)
    for field in source.required:
        if field not in entry:
            raise InputError(f"{who}: source {name!r} needs the field {field!r}; add it")
    for field in _SOURCE_FIELDS - {*source.required, *source.optional}:
        if field in entry:
            raise InputError(f"{who}: the field {field!r} means nothing to source {name!r}; remove it")
    for field, values in source.choices.items():
        if entry.get(field, values[0]) not in values:
            raise InputError(f"{who}: unknown {field} {entry[field]!r}; {suggest(entry[field], values)}")
    if not entry.get("url", "https://").startswith(("http://", "https://")):
        raise InputError(f"{who}: the url {entry['url']!r} is not http or https; use source 'file' for a file on disk")


def _check_columns(who, entry):
    target = entry.get("target", DEFAULTS["target"])
    column = entry.get("split", {}).get("column")
    if target in entry.get("drop", ()):
        raise InputError(f"{who}: the target {target!r} is also in `drop`; remove it from one of them")
    if column is not None and (column == target or column in entry.get("drop", ())):
        raise InputError(f"{who}: the split column {column!r} is also the target or in `drop`; name another column")


def _check_expect(who, entry):
    expect = entry.get("expect", {})
    counts = expect.get("counts")
    if counts is None:
        return
    if expect.get("n", sum(counts.values())) != sum(counts.values()):
        raise InputError(f"{who}: expect.counts add up to {sum(counts.values())}, not to n = {expect['n']}; mend one")
    if expect.get("k", len(counts)) != len(counts):
        raise InputError(f"{who}: expect.counts names {len(counts)} labels, not k = {expect['k']}; mend one")

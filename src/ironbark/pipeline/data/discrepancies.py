"""Differences between a table and its entry, and the lines of YAML that would allow for them."""

import math

import yaml

from ironbark.errors import InputError
from ironbark.frames import in_order
from ironbark.pipeline.data import catalog
from ironbark.pipeline.data.catalog import text
from ironbark.pipeline.data.frame import listed


def refuse(id: str, entry: dict, counts: dict, missing: dict, n_rows: int, mirrored: bool):
    """Raise InputError if labels are written differently, or features have missing values, and name the remedy."""
    faults, changes = [], {}
    names, certain = _new_names(entry, counts)
    if names:
        expected = _expected(entry)
        faults.append(f"its labels are {_counted(counts)}, where {_counted(expected)} are expected")
        changes["labels"] = names
    if missing and entry["missing"] == "error":
        faults.append(_missing(missing, n_rows))
        changes["missing"] = "keep"
    if faults:
        raise InputError(f"data set {id!r}: {', and '.join(faults)}; {_remedy(id, changes, certain, mirrored)}")


def refuse_unexpected(who: str, expect: dict, meta: dict):
    """Raise InputError unless the data are as the catalogue says."""
    faults = [
        f"{name} is {meta[name]}, expected {expect[name]}"
        for name in "ndk"
        if name in meta and meta[name] != expect.get(name, meta[name])
    ]
    if "counts" in expect:
        faults += _counts_apart(dict(zip(meta["classes"], meta["counts"], strict=True)), expect["counts"])
    if faults:
        raise InputError(f"{who} is not what the catalogue expects: {'; '.join(faults)}; fix the source or `expect`")


def _counts_apart(found, expected):
    """Differences between two dicts of class counts, in words."""
    new, gone = [name for name in found if name not in expected], [name for name in expected if name not in found]
    others = [name for name in found if name in expected and found[name] != expected[name]]
    words = [f"unexpected label{'s' * (len(new) > 1)} {listed(new)}"] if new else []
    words += [f"no row with label {listed(gone)}"] if gone else []
    return words + [f"{found[name]} rows with label {name}, expected {expected[name]}" for name in others]


def _expected(entry):
    """Label -> number of rows, None where it is not known; empty if the entry does not name its labels."""
    counts = entry.get("expect", {}).get("counts")
    return counts or {text(name): None for name in entry.get("labels", {}).values()}


def _new_names(entry, counts):
    """Label of the table -> label of the entry, where they differ, and whether the class sizes prove it."""
    expected, known = _expected(entry), {str(old): text(new) for old, new in entry.get("labels", {}).items()}
    found = {known.get(name) if known else name for name in counts}
    if len(expected) != len(counts) or found == set(expected):
        return {}, True
    names = dict(zip(_by_size(counts), _by_size(expected), strict=True))
    sizes = list(expected.values())
    certain = sorted(counts.values()) == sorted(size or 0 for size in sizes) and len(set(sizes)) == len(sizes)
    return {old: names[old] for old in in_order(names)}, certain


def _by_size(counts):
    return sorted(in_order(counts), key=lambda name: counts[name] or math.inf)


def _counted(counts):
    return listed([name if size is None else f"{name} ({size} rows)" for name, size in counts.items()])


def _missing(missing, n_rows):
    """Columns with missing values, in words; the remedy may also be to drop them."""
    (name, count), *others = missing.items()
    if not others:
        return f"column {name!r} has {count} missing values in {n_rows} rows"
    columns = listed([f"{name!r} ({count})" for name, count in missing.items()], 5)
    return f"{len(missing)} columns have missing values in {n_rows} rows: {columns}"


def _remedy(id, changes, certain, mirrored):
    """Remedy as YAML that can be pasted, and its place."""
    doubt = "" if certain else ", after checking which label is which"
    drop = " (or `missing: drop`, which leaves out these rows)" if "missing" in changes else ""
    if "labels" in changes:
        changes["labels"] = {old: _plain(new) for old, new in changes["labels"].items()}
    file, entry = catalog.written(id)
    if mirrored:
        changes = {"in_mirror": {**entry.get("in_mirror", {}), **changes}}
    keys = " and ".join(f"{id}.{key}" for key in changes)
    options = {"default_flow_style": True, "sort_keys": False, "width": math.inf}  # one line, in braces
    lines = " and ".join(f"`{yaml.safe_dump({key: value}, **options).strip()[1:-1]}`" for key, value in changes.items())
    return f"in {file}, set {keys}{doubt}: {lines}{drop}"


def _plain(label):
    """A label as an integer where it is one, which needs no quotes in YAML."""
    return int(label) if label.lstrip("-").isdecimal() and str(int(label)) == label else label

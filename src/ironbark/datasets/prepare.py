"""Prepare a data set: from its raw table to the arrays that all fits share."""

import json
from pathlib import Path

import numpy as np

from ironbark import encoding
from ironbark.datasets import catalog, formats, frame, labels
from ironbark.datasets.bundle import META, digest
from ironbark.datasets.fetch import FACTS
from ironbark.datasets.partition import partition
from ironbark.errors import InputError
from ironbark.files import replacing


def prepare(id, entry, raw, out):
    """Write the folder of a prepared data set, whole or not at all.

    The arrays are ``codes`` (n_features, n_samples), ``levels`` and ``offsets`` of `ironbark.encoding`, ``target``,
    ``binary`` and ``split`` (uint8; the last two where they exist), and ``meta.json`` describes them. The same table
    and entry give the same bytes on every machine.

    Parameters
    ----------
    id : str
    entry : dict
        Entry of the catalogue.
    raw : str or Path
        ``table.parquet`` of `ironbark.datasets.fetch`, with ``fetch.json`` beside it.
    out : str or Path
        Folder to write, e.g. data/prepared/mushrooms.

    Returns
    -------
    Path
        `out`.

    Raises
    ------
    InputError
        If the table does not fit the entry; see `frame`, `labels` and `partition`, and ``expect`` in docs/data.md.
    """
    who, entry, raw = f"data set {id!r}", catalog.complete(entry), Path(raw)
    facts = _facts(who, raw)
    table = formats.read(raw, "parquet")
    if table.empty:
        raise InputError(f"{who}: {raw} has no rows or no columns; mend the source")
    if facts["source"] == "mirror":
        entry, table = _as_mirrored(who, entry, table)
    target, split = entry["target"], entry.get("split", {})
    names = frame.feature_names(who, table, entry["drop"], {target, split.get("column")})
    n_raw = len(table)
    if entry["missing"] == "drop":
        table = frame.complete_rows(who, table, names)
    classes = labels.encode(who, table, target)
    binary = labels.binary(who, classes, entry.get("positive"), entry.get("binary") == "grouped")
    parts = partition(who, table, classes.y, split) if split else None
    columns, n = {name: table[name] for name in names}, len(table)
    del table  # `_features` frees one column after the other
    features, about = _features(who, columns, entry)
    arrays = {"codes": features.codes, "levels": features.levels, "offsets": features.offsets, "target": classes.y}
    arrays |= {"binary": binary.y} if binary is not None else {}
    arrays |= {"split": parts} if split else {}
    meta = {"id": id, "source": facts, **about, **_describe(arrays, classes, binary)}
    meta |= {"dropped_rows": n_raw - n, "title": entry.get("title", id), "licence": entry.get("licence")}
    meta |= {name: entry.get(name, []) for name in ("deviations", "notes")}
    meta |= {"imputed": entry["missing"]} if entry["missing"] in catalog.IMPUTED else {}
    _expect(who, entry.get("expect", {}), meta)
    _write(out, arrays, meta)
    return Path(out)


def _facts(who, raw):
    try:
        return json.loads((raw.parent / FACTS).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{who}: {raw.parent / FACTS} is missing; fetch the data set again") from error
    except ValueError as error:
        raise InputError(f"{who}: {raw.parent / FACTS} is damaged; fetch the data set again") from error


def _as_mirrored(who, entry, table):
    """Entry and table for a mirror: it has its own names for target, split and labels, and may lack columns to drop."""
    entry = catalog.as_mirrored(entry)
    if "in_mirror" in entry:
        table = labels.renamed(who, table, "target", entry["in_mirror"]["labels"])
    drop = [name for name in entry["drop"] if name in table.columns]
    entry = {**entry, "target": "target", "drop": drop}
    if "column" in entry.get("split", {}):
        return {**entry, "split": {"column": "split"}}, table
    return {**entry, "drop": [*drop, *({"split"} & set(table.columns) - set(drop))]}, table


def _features(who, columns, entry):
    """Rank codes of all features, and what meta.json says of them; `columns` (name -> Series) is empty thereafter."""
    parts, categories, missing = {}, {}, {}
    wide = entry.get("one_hot", [])
    for name in wide:
        if name not in columns:
            raise InputError(f"{who}: `one_hot` names {name!r}, which is no feature; mend it")
    for name in list(columns):
        column = columns.pop(name)
        nulls = int(column.isna().sum())
        encode = "one-hot" if name in wide else entry["encode"]
        made, known = frame.numeric(who, column, encode, entry["missing"])
        missing |= {name: nulls} if nulls else {}
        categories |= {name: known} if known is not None else {}
        for feature, values in made.items():
            if feature in parts:
                raise InputError(f"{who}: two features are named {feature!r}; rename or drop a column")
            try:
                parts[feature] = encoding.encode(values[:, None])
            except ValueError as error:
                raise InputError(f"{who}: column {name!r} cannot be encoded ({error}); drop or mend it") from error
    codes = np.empty((len(parts), len(column)), np.result_type(*(part.codes.dtype for part in parts.values())))
    levels = np.concatenate([part.levels for part in parts.values()])
    offsets = np.cumsum([0, *(len(part.levels) for part in parts.values())], dtype=np.int64)
    about = {"features": list(parts), "categories": categories, "encode": entry["encode"], "missing": missing}
    for row, feature in zip(codes, about["features"], strict=True):
        row[:] = parts.pop(feature).codes[0]
    return encoding.EncodedFeatures(codes, levels, offsets), about


def _describe(arrays, classes, binary):
    tasks = {} if binary is None else {"binary": binary}
    if len(classes.classes) > 2:
        tasks["multiclass"] = classes
    facts = {
        "n": arrays["codes"].shape[1],
        "d": arrays["codes"].shape[0],
        "k": len(classes.classes),
        "classes": classes.classes,
        "counts": classes.counts,
        "tasks": {name: _task(task) for name, task in tasks.items()},
        "digest": digest(arrays),
    }
    if "split" in arrays:
        test = int(arrays["split"].sum())
        facts["split"] = {"train": facts["n"] - test, "test": test}
    return facts


def _task(labels):
    about = {"classes": labels.classes, "counts": labels.counts}
    return about if labels.groups is None else {**about, "groups": labels.groups}


def _expect(who, expect, meta):
    """Raise InputError unless the data are as the catalogue says."""
    faults = [
        f"{name} is {meta[name]}, expected {expect[name]}"
        for name in "ndk"
        if meta[name] != expect.get(name, meta[name])
    ]
    if "counts" in expect:
        faults += _counts_apart(dict(zip(meta["classes"], meta["counts"], strict=True)), expect["counts"])
    if faults:
        raise InputError(f"{who} is not what the catalogue expects: {'; '.join(faults)}; mend the source or `expect`")


def _counts_apart(found, expected):
    """What differs between two dicts of class counts, in words."""
    new, gone = [name for name in found if name not in expected], [name for name in expected if name not in found]
    others = [name for name in found if name in expected and found[name] != expected[name]]
    words = [f"unexpected label{'s' * (len(new) > 1)} {frame.listed(new)}"] if new else []
    words += [f"no row with label {frame.listed(gone)}"] if gone else []
    return words + [f"{found[name]} rows with label {name}, expected {expected[name]}" for name in others]


def _write(out, arrays, meta):
    with replacing(out) as side:
        side.mkdir()
        for name, array in arrays.items():
            np.save(side / f"{name}.npy", array, allow_pickle=False)
        text = json.dumps(meta, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        (side / META).write_text(text, encoding="utf-8")

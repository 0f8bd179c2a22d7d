"""Prepare a data set: from its raw table to the arrays that all fits share."""

import json
from pathlib import Path

import numpy as np

from ironbark import encoding
from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.data import catalog, checksums, formats, frame, suspicions
from ironbark.pipeline.data.bundle import META, digest
from ironbark.pipeline.data.fetch import FACTS
from ironbark.pipeline.data.roles import assign


def prepare(id: str, entry: dict, raw: str | Path, out: str | Path) -> Path:
    """Write the folder of a prepared data set, whole or not at all."""
    who, entry, raw = f"data set {id!r}", catalog.complete(entry), Path(raw)
    try:
        facts = json.loads((raw.parent / FACTS).read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{raw.parent / FACTS} is damaged; remove the folder {raw.parent} and start again") from None
    gone = facts.get("ignored", ())  # columns that the source has removed already
    entry = {**entry, "drop": [name for name in entry["drop"] if name not in gone]}
    origin = f"the mirror's table {facts['mirror']}.parquet" if "mirror" in facts else facts.get("path", raw)
    shown = f"{who}: {origin}"  # what the user calls it: the file on this machine, where there is one
    table = formats.read(raw, "parquet", name=shown)
    if table.empty:
        raise InputError(f"{shown} has no rows or no columns; fix the source")
    roles = assign(id, entry, table, facts["source"] == "mirror")
    entry, classes, binary, n = roles.entry, roles.classes, roles.binary, len(roles.table)
    optional = {"binary": binary and binary.y, "split": roles.parts, "given": roles.given, "groups": roles.groups}
    about = {"warnings": roles.warnings, "dropped_rows": len(table) - n}
    columns = {name: roles.table[name] for name in roles.features}
    del table, roles  # `_features` frees one column after the other
    features = _features(who, columns, entry, n, about)
    arrays = {"codes": features.codes, "levels": features.levels, "offsets": features.offsets, "target": classes.y}
    arrays |= {name: array for name, array in optional.items() if array is not None}
    meta = {"id": id, "source": facts, **about, **_describe(arrays, classes, binary)}
    meta |= {"title": entry.get("title", id), "licence": entry.get("licence")}
    meta |= {name: entry.get(name, []) for name in ("deviations", "notes")}
    meta |= {"imputed": entry["missing"]} if entry["missing"] in catalog.IMPUTED else {}
    suspicions.refuse_unexpected(who, entry.get("expect", {}), meta)
    _write(out, arrays, meta)
    checksums.record_new(facts.get("files", []))
    return Path(out)


def _features(who, columns, entry, n, about):
    """Rank codes of all features; extends `about` and empties `columns` (name -> Series)."""
    parts, categories, missing = {}, {}, {}
    for field in ("one_hot", "categories"):
        if strange := [name for name in entry.get(field, ()) if name not in columns]:
            raise InputError(f"{who}: `{field}` names {strange[0]!r}, which is no feature; fix it")
    for name in list(columns):
        column = columns.pop(name)
        encode = "one-hot" if name in entry.get("one_hot", ()) else entry["encode"]
        named = name in (*entry.get("one_hot", ()), *entry.get("categories", ()))
        made, known = frame.numeric(who, column, encode, entry["missing"], named)
        about["warnings"] += filter(None, [suspicions.suspicion(who, column, known is not None)])
        missing |= {name: nulls} if (nulls := int(column.isna().sum())) else {}
        categories |= {name: known} if known is not None else {}
        for feature, values in made.items():
            if feature in parts:
                raise InputError(f"{who}: two features are named {feature!r}; rename or drop a column")
            try:
                parts[feature] = encoding.encode(values[:, None])
            except ValueError as error:
                raise InputError(f"{who}: column {name!r} cannot be encoded ({error}); drop or fix it") from error
    about |= {"features": list(parts), "categories": categories, "encode": entry["encode"], "missing": missing}
    levels = np.concatenate([part.levels for part in parts.values()])
    offsets = np.cumsum([0, *(len(part.levels) for part in parts.values())], dtype=np.int64)
    codes = np.empty((len(parts), n), np.result_type(*(part.codes.dtype for part in parts.values())))
    for row, feature in zip(codes, about["features"], strict=True):
        row[:] = parts.pop(feature).codes[0]
    return encoding.EncodedFeatures(codes, levels, offsets)


def _describe(arrays, classes, binary):
    """Sizes and classes in meta.json, and the digest of the arrays."""
    d, n = arrays["codes"].shape
    tasks = {"binary": binary, "multiclass": classes if len(classes.classes) > 2 else None}
    meta = {"n": n, "d": d, "k": len(classes.classes), "classes": classes.classes, "counts": classes.counts}
    meta |= {"tasks": {name: _task(task) for name, task in tasks.items() if task is not None}, "digest": digest(arrays)}
    if "split" in arrays:
        test = int(arrays["split"].sum())
        meta["split"] = {"train": n - test, "test": test}
    return meta


def _task(labels):
    about = {"classes": labels.classes, "counts": labels.counts}
    return about if labels.groups is None else {**about, "groups": labels.groups}


def _write(out, arrays, meta):
    with replacing(out) as side:
        side.mkdir()
        for name, array in arrays.items():
            np.save(side / f"{name}.npy", array, allow_pickle=False)
        text = json.dumps(meta, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        (side / META).write_text(text, encoding="utf-8")

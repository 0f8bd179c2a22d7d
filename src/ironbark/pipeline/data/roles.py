"""The roles of a table's columns: features, target and split, as the entry of the catalogue assigns them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from ironbark.errors import InputError
from ironbark.pipeline.data import catalog, formats, frame, labels, suspicions
from ironbark.pipeline.data.sources.files import located

ENCODE = "name it in `categories` to encode all of them as categories: `categories: [{}]`"


@dataclass(frozen=True, eq=False)
class Roles:
    """Result of `assign`."""

    entry: dict  # with the names that the table has
    table: pd.DataFrame  # the rows that are kept
    features: list  # names of columns, in the order of the table
    classes: labels.Labels
    binary: labels.Labels | None
    parts: np.ndarray | None  # 0 train, 1 test
    given: np.ndarray | None  # class index of the labels as they were given
    groups: np.ndarray | None  # number of each row's group
    warnings: list  # sentences on texts among numbers, and on labels that are nearly equal


def assign(id: str, entry: dict, table: pd.DataFrame, mirrored: bool):
    """Assign roles to columns, and check what does not depend on the encoding of features."""
    who = f"data set {id!r}"
    if mirrored:
        entry = _as_mirrored(entry, table.columns)
    target, split = entry["target"], entry.get("split", {})
    others = {target, split.get("column"), entry.get("given"), entry.get("groups")}
    features = frame.feature_names(who, table.columns, entry["drop"], others)
    labels.column(who, table, target, "target")
    uncertain = [name for name in features if name not in entry.get("categories", ())]
    table, sentences = suspicions.as_missing(who, table, uncertain, entry["missing"], ENCODE.format)
    missing = {name: int(nulls) for name, nulls in table[features].isna().sum().items() if nulls}
    suspicions.refuse(id, entry, labels.counts(table[target]), missing, len(table), mirrored)
    if missing and entry["missing"] == "drop":
        table = table.dropna(subset=list(missing), ignore_index=True)
        if table.empty:
            raise InputError(
                f"{who}: every row has a missing value, so `missing: drop` leaves none; drop columns instead"
            )
    if "labels" in entry:
        for column in [target, *({entry.get("given")} & set(table.columns))]:
            table = labels.renamed(who, table, column, entry["labels"])
    classes = labels.encode(who, table, target)
    binary = labels.binary(who, classes, entry.get("positive"), entry.get("binary") == "grouped")
    parts = partition(who, table, classes.y, split) if split else None
    given = labels.given(who, table, entry["given"], classes.classes) if "given" in entry else None
    groups = frame.column_of(who, table, entry["groups"], "groups") if "groups" in entry else None
    groups = groups if groups is None else frame.group_numbers(who, groups, "name another column in `groups`")
    sentences += labels.nearly_equal(who, target, classes.classes)
    return Roles(entry, table, features, classes, binary, parts, given, groups, sentences)


def _as_mirrored(entry, columns):
    """An entry for a table of a mirror, which has its own names of target and split, and may lack columns to drop."""
    entry = catalog.as_mirrored(entry)
    drop = [name for name in entry["drop"] if name in columns]
    entry = {**entry, "target": "target", "drop": drop}
    if "column" in entry.get("split", {}):
        return {**entry, "split": {"column": "split"}}
    return {**entry, "drop": [*drop, *({"split"} & set(columns) - set(drop))]}


TRAIN, TEST = 0, 1


def partition(who: str, table, y: np.ndarray, split: dict) -> np.ndarray:
    """Part of each row."""
    kind = next(kind for kind in _KINDS if kind in split)
    parts = _KINDS[kind](who, table, y, split)
    if len(np.unique(parts)) < 2:
        raise InputError(
            f"{who}: the split by `{kind}` leaves the {('test', 'train')[parts[0]]} part empty; fix `split`"
        )
    return parts


def _by_column(who, table, y, split):
    name = split["column"]
    values = frame.column_of(who, table, name, "split").astype(object).to_numpy()
    others = sorted({str(value) for value in values} - {"train", "test"})
    if others:
        raise InputError(f"{who}: split column {name!r} holds {frame.listed(others)}; only train and test are allowed")
    return np.where(values == "train", TRAIN, TEST).astype(np.uint8)


def _at_random(who, table, y, split):
    try:
        train, _ = train_test_split(
            np.arange(len(y)),
            train_size=split["train_size"],
            random_state=split.get("random_state", 0),
            stratify=y if split.get("stratify") else None,
        )
    except ValueError as error:
        raise InputError(f"{who}: `split` cannot be made: {error} Correct `split`") from error
    parts = np.full(len(y), TEST, np.uint8)
    parts[train] = TRAIN
    return parts


_KINDS = {
    "column": _by_column,
    "train_rows": lambda who, table, y, split: (np.arange(len(y)) >= split["train_rows"]).astype(np.uint8),
    "train_size": _at_random,
}


def check_mirror(id: str, entry: dict, mirror: Path):
    """Refuse a table of a mirror that `prepare` would refuse, as far as that shows without encoding its features."""
    path, entry = located(id, entry, mirror), catalog.as_mirrored(catalog.complete(entry))
    table = formats.read(path, "parquet")
    if table.empty:
        raise InputError(f"data set {id!r}: {path} has no rows; correct the table")
    roles = assign(id, entry, table, True)
    found = {"n": len(roles.table), "k": len(roles.classes.classes)}
    found |= {"classes": roles.classes.classes, "counts": roles.classes.counts}
    if entry["encode"] == "ordinal" and "one_hot" not in entry:
        found["d"] = len(roles.features)
    suspicions.refuse_unexpected(f"data set {id!r}", entry.get("expect", {}), found)
    return roles

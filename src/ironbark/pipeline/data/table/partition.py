"""The fixed split of a data set into a training and a test part."""

import numpy as np
from sklearn.model_selection import train_test_split

from ironbark.errors import InputError
from ironbark.pipeline.data.table.frame import listed

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
    if name not in table.columns:
        raise InputError(f"{who}: there is no split column {name!r}; set `split` to one of {listed(table.columns)}")
    values = table[name].astype(object).to_numpy()
    others = sorted({str(value) for value in values} - {"train", "test"})
    if others:
        raise InputError(f"{who}: split column {name!r} holds {listed(others)}; only train and test are allowed")
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
        raise InputError(f"{who}: `split` cannot be made: {error} Mend `split`") from error
    parts = np.full(len(y), TEST, np.uint8)
    parts[train] = TRAIN
    return parts


_KINDS = {
    "column": _by_column,
    "train_rows": lambda who, table, y, split: (np.arange(len(y)) >= split["train_rows"]).astype(np.uint8),
    "train_size": _at_random,
}

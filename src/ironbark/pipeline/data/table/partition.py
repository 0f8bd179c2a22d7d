"""The fixed split of a data set into a training and a test part."""

from collections.abc import Sequence
from itertools import combinations

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


#: Up to so many classes all partitions are tried, 2**15 at most; beyond it a greedy rule takes over.
MOST_TRIED = 16


def groups(counts: Sequence[int]) -> list[int]:
    """Group (0 or 1) of each class."""
    ones = _best(counts) if len(counts) <= MOST_TRIED else _greedy(counts)
    return [int(k in ones) for k in range(len(counts))]


def _best(counts):
    """Group 1 of the most even partition."""
    k, total = len(counts), sum(counts)
    zeros = ((0, *rest) for size in range(k - 1) for rest in combinations(range(1, k), size))
    chosen = min(zeros, key=lambda group: (abs(total - 2 * sum(counts[i] for i in group)), group))
    return set(range(k)) - set(chosen)


def _greedy(counts):
    """Group 1 of the partition by size."""
    sizes, sides = [0, 0], [set(), set()]
    for k in sorted(range(len(counts)), key=lambda k: (-counts[k], k)):
        smaller = int(sizes[1] < sizes[0])
        sizes[smaller] += counts[k]
        sides[smaller].add(k)
    return sides[1] if 0 in sides[0] else sides[0]

"""Grown trees as a few long arrays: each column of all trees, one tree after the other."""

import numpy as np

from ironbark.persistence.tree_checks import check_tree
from ironbark.persistence.values import from_json, to_json
from ironbark.tree.structure import Tree

#: Column of a `Tree` -> the types that it may have; None if it may be absent.
COLUMNS = {
    "children_left": ("int32",),
    "children_right": ("int32",),
    "feature": ("int32",),
    "threshold": ("float64",),
    "counts": ("int32", "int64", "float64"),
    "prediction": ("uint8",),
    "gain": ("float64",),
    "directions": ("uint8", None),
    "sizes": ("int64", None),
}


def to_columns(prefix: str, trees: list[Tree]):
    """Descriptions of the trees, as JSON, and their arrays."""
    entries, parts = [], {}
    for tree in trees:
        entry = {"nodes": tree.node_count, "weighted": bool(tree.weighted), "criterion": tree.criterion}
        entry["parameters"] = {name: to_json(name, value) for name, value in tree.parameters.items()}
        for name in COLUMNS:
            column = getattr(tree, name)
            entry[name] = None if column is None else str(column.dtype)
            if column is not None:
                parts.setdefault(f"{prefix}.{name}.{column.dtype}", []).append(column)
        entries.append(entry)
    return entries, {name: np.ascontiguousarray(np.concatenate(columns)) for name, columns in parts.items()}


def from_columns(
    prefix: str, entries: list[dict], arrays: dict[str, np.ndarray], n_features: int, n_classes: int
) -> list[Tree]:
    """The trees that `to_columns` described, checked by `check_tree`."""
    starts, trees = {}, []
    for entry in entries:
        columns = {name: _rows(f"{prefix}.{name}", name, entry, arrays, starts) for name in COLUMNS}
        parameters = {name: from_json(value) for name, value in entry["parameters"].items()}
        tree = Tree(
            **columns,
            n_features=n_features,
            weighted=_bool(entry["weighted"]),
            criterion=entry["criterion"],
            parameters=parameters,
        )
        check_tree(tree, n_classes)
        trees.append(tree)
    for name, end in starts.items():
        if end != len(arrays.pop(name)):
            raise ValueError(f"{name} has another length than the trees need")
    return trees


def _rows(name, column, entry, arrays, starts):
    """The rows of one tree in the array of one column."""
    dtype, count = entry[column], entry["nodes"]
    if dtype not in COLUMNS[column] or type(count) is not int or count < 1:
        raise ValueError(f"a tree has {count!r} nodes with {column} of type {dtype!r}")
    if dtype is None:
        return None
    array, start = arrays[f"{name}.{dtype}"], starts.get(f"{name}.{dtype}", 0)
    if array.dtype != dtype or array.ndim != (2 if column == "counts" else 1) or start + count > len(array):
        raise ValueError(f"{name} has another type or shape than the trees need")
    starts[f"{name}.{dtype}"] = start + count
    return array[start : start + count]


def _bool(value):
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value

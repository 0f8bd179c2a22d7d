"""Whether arrays from a file are a tree: what the compiled walks over them rely on, since they check no bounds."""

import numpy as np

from ironbark.criteria import check_parameter, is_custom, resolve
from ironbark.persistence.values import from_json, to_json
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.structure import UNDEFINED, Tree

MAX_WEIGHT = 2.0**53  # of all samples: sums of counts stay exact
MAX_GAIN = 1e250  # pairwise gains grow with the fourth power of weights, whose sum is at most 1e50


def check_tree(tree, n_classes: int):
    """Raise an exception unless the columns of a `Tree`, of the right types and lengths, are a tree."""
    inner = tree.children_left != LEAF
    _check_children(tree.children_left, tree.children_right, inner)
    _check_splits(tree, inner)
    _check_counts(tree, inner, n_classes)
    _check_criterion(tree)


def _require(condition, what):
    if not condition:
        raise ValueError(f"a tree has {what}")


def _check_children(left, right, inner):
    """Children come behind their parents, the right one behind the left one, and each node has one parent."""
    count, parents = len(left), np.flatnonzero(inner)
    first = left[inner].astype(np.int64)
    _require((right[~inner] == LEAF).all() and (first > parents).all(), "children before their parents")
    _require((first + 1 < count).all() and (right[inner] == first + 1).all(), "children out of its bounds")
    times = np.bincount(np.concatenate([first, first + 1]), minlength=count)
    _require(times[0] == 0 and (times[1:] == 1).all(), "nodes without a parent, or with two")


def _check_splits(tree, inner):
    feature, threshold, gain = tree.feature, tree.threshold, tree.gain  # inf parts missing values from all others
    known = (feature[inner] >= 0) & (feature[inner] < tree.n_features)
    _require(known.all() and not np.isnan(threshold[inner]).any(), "splits on unknown features or thresholds")
    _require((feature[~inner] == UNDEFINED).all() and (threshold[~inner] == UNDEFINED).all(), "leaves that are split")
    _require(((gain >= 0) & (gain <= MAX_GAIN)).all(), "gains that are negative or not finite")
    if tree.directions is not None:
        _require((tree.directions <= 1).all(), "unknown directions of missing values")


def _check_counts(tree, inner, n_classes):
    """Class weights of at least one class in each node; integers of children add up to those of their parent."""
    counts, left, right = tree.counts, tree.children_left[inner], tree.children_right[inner]
    _require(counts.shape[1] == n_classes and (tree.prediction < n_classes).all(), "another number of classes")
    _require(np.isfinite(counts).all() and (counts >= 0).all(), "class weights that are negative or not finite")
    total = counts.sum(axis=1, dtype=np.float64)
    _require((total > 0).all() and np.isfinite(total).all(), "nodes without weight")
    if counts.dtype.kind == "i":
        _require(total[0] <= MAX_WEIGHT, "too large class weights")
        _require((counts[left].astype(np.int64) + counts[right] == counts[inner]).all(), "counts that do not add up")
    if tree.sizes is not None:
        sizes = tree.sizes
        _require((sizes >= 1).all() and sizes[0] <= MAX_WEIGHT, "nodes without samples")
        _require((sizes[left] + sizes[right] == sizes[inner]).all(), "sizes that do not add up")


def _check_criterion(tree):
    """The parameters are those of the criterion, in their range."""
    parameter = "criterion_params" if is_custom(tree.criterion) else resolve(tree.criterion).parameter
    _require(set(tree.parameters) == ({parameter} - {None}), "parameters of another criterion")
    if parameter is not None and not is_custom(tree.criterion):
        check_parameter(tree.criterion, tree.parameters[parameter])


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

"""Trees, classes and values of parameters as JSON and arrays, and back.

Arrays are checked for what the compiled walks over trees rely on, since they check no bounds. JSON holds numbers,
texts, sequences and dictionaries of them, nothing that could be code.
"""

from numbers import Integral, Real

import numpy as np

from ironbark.criteria import check_parameter, is_custom, resolve
from ironbark.errors import InputError
from ironbark.tree.base import MAX_CLASSES
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.structure import UNDEFINED, Tree

MAX_CODE_POINT = 0x10FFFF
MAX_WEIGHT = 2.0**53  # of all samples: sums of counts stay exact
MAX_GAIN = 1e250  # pairwise gains grow with the fourth power of weights, whose sum is at most 1e50
_SEQUENCES = {"list": list, "tuple": tuple, "array": np.array, "dict": dict}
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


def require(condition, problem: str):
    """Refuse a file; `load` says which."""
    if not condition:
        raise ValueError(problem)


def to_json(name: str, value: object):
    """JSON of the value of a parameter."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (Integral, Real)):
        return int(value) if isinstance(value, Integral) else float(value)
    if isinstance(value, np.ndarray):
        return {"array": [to_json(name, entry) for entry in value.tolist()]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__: [to_json(name, entry) for entry in value]}
    if isinstance(value, dict):
        return {"dict": [[to_json(name, key), to_json(name, entry)] for key, entry in value.items()]}
    raise InputError(
        f"{name}={value!r} cannot be saved, since a file without pickle holds numbers, texts and sequences of them; "
        f"set {name} to such a value before save."
    )


def from_json(value):
    """The value that `to_json` wrote."""
    if not isinstance(value, dict):
        return value
    [(kind, entries)] = value.items()
    if kind == "dict":
        return {from_json(key): from_json(entry) for key, entry in entries}
    return _SEQUENCES[kind]([from_json(entry) for entry in entries])


def plain_classes(classes: np.ndarray) -> tuple[bool, np.ndarray]:
    """Whether the classes are Python strings in an array of objects, and the classes as an array of a plain type."""
    texts = classes.dtype.kind == "O" and all(isinstance(label, str) for label in classes)
    if texts and not any(label.endswith("\0") for label in classes):
        return True, np.array(classes, dtype=str)
    if classes.dtype.kind not in "biufU":
        raise InputError(
            f"labels such as {classes[0]!r} cannot be saved; train on numbers, truth values or strings, or pickle."
        )
    return False, np.ascontiguousarray(classes)


def checked_classes(texts: bool, array: np.ndarray) -> np.ndarray:
    """The classes of `plain_classes`."""
    kind, right = array.dtype.kind, not texts or array.dtype.kind == "U"
    require(array.ndim == 1 and 1 <= len(array) <= MAX_CLASSES and right, "too few, too many or no classes")
    require(kind != "U" or (array.view(np.uint32) <= MAX_CODE_POINT).all(), "a class holds what is no character")
    require(kind != "b" or (array.view(np.uint8) <= 1).all(), "a class is neither true nor false")
    require((array[1:] > array[:-1]).all() and (kind != "f" or np.isfinite(array).all()), "classes are not sorted")
    return array.astype(object) if texts else array.astype(array.dtype.newbyteorder("="))


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


def from_columns(prefix: str, entries: list, arrays: dict, n_features: int, n_classes: int) -> list[Tree]:
    """The trees that `to_columns` described, checked by `_check_tree`."""
    starts, trees = {}, []
    for entry in entries:
        require(isinstance(entry["weighted"], bool), f"{entry['weighted']!r} is neither true nor false")
        columns = {name: _rows(f"{prefix}.{name}", name, entry, arrays, starts) for name in COLUMNS}
        columns["parameters"] = {name: from_json(value) for name, value in entry["parameters"].items()}
        trees.append(Tree(**columns, n_features=n_features, **{key: entry[key] for key in ("weighted", "criterion")}))
        _check_tree(trees[-1], n_classes)
    for name, end in starts.items():
        require(end == len(arrays.pop(name)), f"{name} has another length than the trees need")
    return trees


def _rows(name, column, entry, arrays, starts):
    """The rows of one tree in the array of one column."""
    dtype, count = entry[column], entry["nodes"]
    known = dtype in COLUMNS[column] and type(count) is int and count >= 1
    require(known, f"a tree has {count!r} nodes with {column} of type {dtype!r}")
    if dtype is None:
        return None
    array, start = arrays[f"{name}.{dtype}"], starts.get(f"{name}.{dtype}", 0)
    fits = array.dtype == dtype and array.ndim == (2 if column == "counts" else 1) and start + count <= len(array)
    require(fits, f"{name} has another type or shape than the trees need")
    starts[f"{name}.{dtype}"] = start + count
    return array[start : start + count]


def _check_tree(tree, n_classes: int):
    """Raise an exception unless the columns of a `Tree`, of the right types and lengths, are a tree."""
    inner = tree.children_left != LEAF
    _check_children(tree.children_left, tree.children_right, inner)
    _check_splits(tree, inner)
    _check_counts(tree, inner, n_classes)
    _check_criterion(tree)


def _check_children(left, right, inner):
    """Children come behind their parents, the right one behind the left one, and each node has one parent."""
    count, parents = len(left), np.flatnonzero(inner)
    first = left[inner].astype(np.int64)
    require((right[~inner] == LEAF).all() and (first > parents).all(), "a tree has children before their parents")
    require((first + 1 < count).all() and (right[inner] == first + 1).all(), "a tree has children out of its bounds")
    times = np.bincount(np.concatenate([first, first + 1]), minlength=count)
    require(times[0] == 0 and (times[1:] == 1).all(), "a tree has nodes without a parent, or with two")


def _check_splits(tree, inner):
    feature, threshold, gain = tree.feature, tree.threshold, tree.gain  # inf parts missing values from all others
    known = (feature[inner] >= 0) & (feature[inner] < tree.n_features)
    require(known.all() and not np.isnan(threshold[inner]).any(), "a tree has splits on unknown features or thresholds")
    require(
        (feature[~inner] == UNDEFINED).all() and (threshold[~inner] == UNDEFINED).all(),
        "a tree has leaves that are split",
    )
    require(((gain >= 0) & (gain <= MAX_GAIN)).all(), "a tree has gains that are negative or not finite")
    if tree.directions is not None:
        require((tree.directions <= 1).all(), "a tree has unknown directions of missing values")


def _check_counts(tree, inner, n_classes):
    """Class weights of at least one class in each node; integers of children add up to those of their parent."""
    counts, left, right = tree.counts, tree.children_left[inner], tree.children_right[inner]
    require(
        counts.shape[1] == n_classes and (tree.prediction < n_classes).all(), "a tree has another number of classes"
    )
    require(
        np.isfinite(counts).all() and (counts >= 0).all(), "a tree has class weights that are negative or not finite"
    )
    total = counts.sum(axis=1, dtype=np.float64)
    require((total > 0).all() and np.isfinite(total).all(), "a tree has nodes without weight")
    if counts.dtype.kind == "i":
        require(total[0] <= MAX_WEIGHT, "a tree has too large class weights")
        require(
            (counts[left].astype(np.int64) + counts[right] == counts[inner]).all(),
            "a tree has counts that do not add up",
        )
    if tree.sizes is not None:
        sizes = tree.sizes
        require((sizes >= 1).all() and sizes[0] <= MAX_WEIGHT, "a tree has nodes without samples")
        require((sizes[left] + sizes[right] == sizes[inner]).all(), "a tree has sizes that do not add up")


def _check_criterion(tree):
    """The parameters are those of the criterion, in their range."""
    parameter = "criterion_params" if is_custom(tree.criterion) else resolve(tree.criterion).parameter
    require(set(tree.parameters) == ({parameter} - {None}), "a tree has parameters of another criterion")
    if parameter is not None and not is_custom(tree.criterion):
        check_parameter(tree.criterion, tree.parameters[parameter])

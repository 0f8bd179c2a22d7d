"""Trees as JSON and arrays, and back, with checks of all that compiled walks rely on, since they check no bounds."""

import numpy as np

from ironbark.criteria import check_parameter, is_custom, resolve
from ironbark.errors import InputError
from ironbark.tree.growing.nodes import LEAF
from ironbark.tree.structure import UNDEFINED, Tree

MAX_WEIGHT = 2.0**53  # of all samples: sums of counts stay exact
MAX_GAIN = 1e250  # pairwise gains grow with the fourth power of weights, whose sum is at most 1e50
_SEQUENCES = {"list": list, "tuple": tuple, "array": np.array}
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
    "levels": ("uint64", None),
}
TABLES = ("counts", "levels")  # columns with several entries a node


def require(condition: bool, problem: str) -> None:
    """Refuse a file; `load` names it."""
    if not condition:
        raise ValueError(problem)


def to_json(name: str, value: object) -> object:
    """JSON of the value of a parameter: numbers, texts, sequences and dictionaries of them, nothing that runs."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, str, int, float)):
        return value
    if isinstance(value, (np.ndarray, list, tuple)):
        kind = "array" if isinstance(value, np.ndarray) else type(value).__name__
        return {kind: [to_json(name, entry) for entry in value]}
    if isinstance(value, dict):
        return {"dict": [[to_json(name, key), to_json(name, entry)] for key, entry in value.items()]}
    raise InputError(
        f"{name}={value!r} cannot be saved, since a file without pickle holds numbers, texts and sequences of them; "
        f"set {name} to such a value before save."
    )


def from_json(value: object) -> object:
    """The value that `to_json` wrote."""
    if not isinstance(value, dict):
        return value
    [(kind, entries)] = value.items()
    if kind == "dict":
        return {from_json(key): from_json(entry) for key, entry in entries}
    return _SEQUENCES[kind]([from_json(entry) for entry in entries])


def to_columns(prefix: str, trees: list[Tree]) -> tuple[list[dict], dict[str, np.ndarray]]:
    """Descriptions of the trees, as JSON, and their columns, one after the other."""
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
    return entries, {name: np.concatenate(columns) for name, columns in parts.items()}


def from_columns(prefix: str, entries: list, arrays: dict, n_features: int, n_classes: int) -> list[Tree]:
    """The trees that `to_columns` described; takes their columns out of `arrays`."""
    starts, trees = {}, []
    for entry in entries:
        require(isinstance(entry["weighted"], bool), f"{entry['weighted']!r} is neither true nor false")
        columns = {name: _rows(f"{prefix}.{name}", name, entry, arrays, starts) for name in COLUMNS}
        columns["parameters"] = {name: from_json(value) for name, value in entry["parameters"].items()}
        trees.append(Tree(**columns, n_features=n_features, **{key: entry[key] for key in ("weighted", "criterion")}))
        for fine, problem in _checks(trees[-1], n_classes):
            require(fine, f"a tree has {problem}")
    for name, end in starts.items():
        require(end == len(arrays.pop(name)), f"{name} has another length than the trees need")
    return trees


def _rows(name: str, column: str, entry: dict, arrays: dict, starts: dict) -> np.ndarray | None:
    """The rows of one tree in the array of one column."""
    dtype, count = entry.get(column), entry["nodes"]  # files of earlier versions have no levels
    known = dtype in COLUMNS[column] and type(count) is int and count >= 1
    require(known, f"a tree has {count!r} nodes with {column} of type {dtype!r}")
    if dtype is None:
        return None
    array, start = arrays[f"{name}.{dtype}"], starts.get(f"{name}.{dtype}", 0)
    fits = array.dtype == dtype and array.ndim == (2 if column in TABLES else 1) and start + count <= len(array)
    require(fits, f"{name} has another type or shape than the trees need")
    starts[f"{name}.{dtype}"] = start + count
    return array[start : start + count]


def _checks(tree: Tree, n_classes: int):
    """Whether the columns, of the right types and lengths, are a tree, and the problem if not; each relies on the last.

    Children come behind their parents, the right one behind the left one. Each node has one parent, and class weights;
    integers of children add up to those of their parent. A threshold of infinity parts missing values from all others.
    """
    inner = tree.children_left != LEAF
    left, right = tree.children_left[inner].astype(np.int64), tree.children_right[inner]
    behind = (tree.children_right[~inner] == LEAF).all() and (left > np.flatnonzero(inner)).all()
    yield behind, "children before their parents"
    yield (left + 1 < len(inner)).all() and (right == left + 1).all(), "children out of its bounds"
    times = np.bincount(np.concatenate([left, left + 1]), minlength=len(inner))
    yield times[0] == 0 and (times[1:] == 1).all(), "nodes without a parent, or with two"
    feature, threshold, gain, counts, sizes = tree.feature, tree.threshold, tree.gain, tree.counts, tree.sizes
    known = ((feature[inner] >= 0) & (feature[inner] < tree.n_features)).all()
    by_level = np.isnan(threshold) & inner
    known &= tree.levels is not None or not by_level.any()
    yield known, "splits on unknown features or thresholds"
    yield (feature[~inner] == UNDEFINED).all() and (threshold[~inner] == UNDEFINED).all(), "leaves that are split"
    yield ((gain >= 0) & (gain <= MAX_GAIN)).all(), "gains that are negative or not finite"
    yield tree.directions is None or (tree.directions <= 1).all(), "unknown directions of missing values"
    yield counts.shape[1] == n_classes and (tree.prediction < n_classes).all(), "another number of classes"
    yield (np.isfinite(counts) & (counts >= 0)).all(), "class weights that are negative or not finite"
    total = counts.sum(axis=1, dtype=np.float64)
    yield (total > 0).all() and np.isfinite(total).all(), "nodes without weight"
    if counts.dtype.kind == "i":
        yield total[0] <= MAX_WEIGHT, "too large class weights"
        yield (counts[left].astype(np.int64) + counts[right] == counts[inner]).all(), "counts that do not add up"
    if sizes is not None:
        yield (sizes >= 1).all() and sizes[0] <= MAX_WEIGHT, "nodes without samples"
        yield (sizes[left] + sizes[right] == sizes[inner]).all(), "sizes that do not add up"
    parameter = "criterion_params" if is_custom(tree.criterion) else resolve(tree.criterion).parameter
    yield set(tree.parameters) == {parameter} - {None}, "parameters of another criterion"
    if parameter is not None and not is_custom(tree.criterion):
        check_parameter(tree.criterion, tree.parameters[parameter])


def are_texts(values: object) -> bool:
    """Whether all of these are texts."""
    return all(isinstance(value, str) for value in values)


def are_levels(values: object) -> bool:
    """Whether these are texts, or numbers, and at most one None behind them."""
    values = values[:-1] if values[-1:] == [None] else values
    return are_texts(values) or all(type(value) in (bool, int, float) for value in values)

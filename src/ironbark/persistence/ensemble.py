"""The boosters of an ensemble as text, with checks of all that LightGBM's reader and walks rely on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ironbark.persistence.trees import from_json, require, to_json

if TYPE_CHECKING:
    import lightgbm

NAME = "RobustEnsembleClassifier"
#: Numbers of a tree: those of each inner node, and those of each leaf.
INNER = ("split_feature", "threshold", "decision_type", "left_child", "right_child")
INTEGERS = ("num_leaves", "split_feature", "decision_type", "left_child", "right_child")  # LightGBM reads digits only
OF_NODES = (*INNER, "split_gain", "internal_value", "internal_weight", "internal_count")
OF_LEAVES = ("leaf_value", "leaf_weight", "leaf_count")
PLAIN = ("num_leaves", "num_cat", "is_linear", "shrinkage")
DECISIONS = (0, 2, 8, 10)  # less or equal goes left; missing values are numbers, or go to a side of their own
END = "end of trees"
MAX_LEAVES = 2**15


def to_parts(model: Any) -> tuple[dict, dict[str, np.ndarray]]:
    """Header and arrays of what an ensemble has beside its forest."""
    path = getattr(model, "rounds_path_", {})
    arrays = {f"rounds_path_.{name}": values for name, values in path.items()}
    arrays |= {f"booster.{number}": to_text(booster) for number, booster in enumerate(model.boosters_)}
    parameters = {name: to_json(name, value) for name, value in model.get_params().items()}
    return {"parameters": parameters, "boosters": len(model.boosters_), "n_rounds": int(model.n_rounds_)}, arrays


def take_parts(header: dict, arrays: dict) -> dict[str, np.ndarray]:
    """The arrays of `to_parts`, taken out of those of a file."""
    require(header["boosters"] in range(len(arrays)), "boosters are missing")
    path = [f"rounds_path_.{name}" for name in ("rounds", "brier_score")] if header["n_rounds"] else []
    return {name: arrays.pop(name) for name in (*path, *(f"booster.{i}" for i in range(header["boosters"])))}


def from_parts(header: dict, parts: dict, forest: Any) -> Any:
    """The ensemble of a forest and of `to_parts`."""
    from ironbark.boosting.gbdt.ensemble_lgbm import RobustEnsembleClassifier

    model = RobustEnsembleClassifier(**{name: from_json(value) for name, value in header["parameters"].items()})
    model._validate_params()
    model._adopt(forest)
    texts = [array for name, array in parts.items() if name.startswith("booster.")]
    require(bool(header["n_rounds"]) == (model.n_classes_ > 1), "there are too few rounds of boosters or too many")
    model._take([from_text(text, model.n_features_in_, model.n_classes_) for text in texts])
    if header["n_rounds"]:
        path = {name: parts[f"rounds_path_.{name}"] for name in ("rounds", "brier_score")}
        right = path["rounds"].dtype == "int64" and path["brier_score"].dtype == "float64"
        rounds = path["rounds"].tolist()
        known = right and path["brier_score"].shape == path["rounds"].shape and header["n_rounds"] in rounds
        require(known, "the rounds of the boosters do not agree")
        model.rounds_path_, model.n_rounds_ = path, header["n_rounds"]
    return model


def to_text(booster: lightgbm.Booster) -> np.ndarray:
    """Bytes of a booster's trees, without their sizes in bytes and the parameters that they were grown with."""
    lines = booster.model_to_string().partition(END)[0].split("\n")
    kept = [line for line in lines if not line.startswith("tree_sizes=")]
    return np.frombuffer(("\n".join(kept) + END).encode(), np.uint8)


def from_text(array: np.ndarray, n_features: int, n_classes: int) -> lightgbm.Booster:
    """The booster of `to_text`, once all of its trees are known to be trees."""
    import lightgbm

    require(array.dtype == np.uint8 and array.ndim == 1, "a booster is no text")
    text, trees = array.tobytes().decode("ascii"), 1 if n_classes == 2 else n_classes
    require("\r" not in text, "a booster has line ends of another kind")
    head, *blocks = text.split("\n\nTree=")
    values = _entries(head.split("\n")[1:])
    objective = "binary sigmoid:1" if n_classes == 2 else f"multiclass num_class:{n_classes}"
    expected = {"num_class": trees, "num_tree_per_iteration": trees, "max_feature_idx": n_features - 1}
    expected |= {"objective": objective, "version": "v4", "label_index": 0}
    expected["feature_names"] = " ".join(f"Column_{number}" for number in range(n_features))
    known = head.startswith("tree\n") and all(values.get(name) == str(value) for name, value in expected.items())
    require(known and len(values["feature_infos"].split()) == n_features, "a booster has other classes or features")
    require(values.keys() == {*expected, "feature_infos"}, "a booster has unknown entries")
    require(bool(blocks) and len(blocks) % trees == 0, "a booster lacks trees")
    blocks[-1], *end = blocks[-1].split(END)
    require(end == [""], "a booster is cut off")
    for number, block in enumerate(blocks):
        first, *lines = block.strip("\n").split("\n")
        require(first == str(number), "the trees of a booster are not in order")
        _check(_entries(lines), n_features)
    return lightgbm.Booster(model_str=text)


def _entries(lines: list[str]) -> dict[str, str]:
    """Entries of lines such as ``num_leaves=7``, each of which may be there once."""
    pairs = [line.split("=", 1) for line in lines]
    found = dict(pairs)
    require(len(found) == len(pairs), "a booster has an entry twice")
    return found


def _check(tree: dict[str, str], n_features: int) -> None:
    """Refuse a tree whose walks could leave it: children come behind their parents, and every one has one parent."""
    whole = all(re.fullmatch(r"-?\d+( -?\d+)*|", tree.get(name, "")) for name in INTEGERS)
    require(whole, "a tree has fractions where it needs integers")
    n_leaves = int(tree["num_leaves"])
    plain = 1 <= n_leaves <= MAX_LEAVES and tree["num_cat"] == "0" and tree["is_linear"] == "0"
    require(plain and tree.keys() <= {*OF_NODES, *OF_LEAVES, *PLAIN}, "a booster has a tree of another kind")
    require(bool(np.isfinite(float(tree["shrinkage"]))), "a tree has no shrinkage")
    sizes = dict.fromkeys(OF_NODES, n_leaves - 1) | dict.fromkeys(OF_LEAVES, n_leaves)
    if n_leaves == 1:
        sizes = {"leaf_value": 1}
    columns = {name: np.array(tree[name].split(), np.float64) for name in sizes}
    ends = {"threshold": np.inf}  # between all numbers and NaN
    finite = all((np.isfinite(column) | (column == ends.get(name, 0.0))).all() for name, column in columns.items())
    right = finite and all(len(column) == sizes[name] for name, column in columns.items())
    require(right, "a tree has too many or too few numbers")
    if n_leaves == 1:
        return
    feature, children = columns["split_feature"], np.concatenate([columns["left_child"], columns["right_child"]])
    require(((feature >= 0) & (feature < n_features)).all(), "a tree splits on unknown features")
    require(bool(np.isin(columns["decision_type"], DECISIONS).all()), "a tree has unknown decisions")
    behind = (children < 0) | (children > np.tile(np.arange(n_leaves - 1), 2))
    places = [*range(-n_leaves, 0), *range(1, n_leaves - 1)]
    require(sorted(children) == places and bool(behind.all()), "a tree has nodes without a parent, or with two")

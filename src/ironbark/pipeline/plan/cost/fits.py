"""Cost of a fit from the configuration alone: seconds within a factor of three, memory, disk.

The rates belong to one machine and never change by themselves, since which fits share a job depends on them.
"""

import json
import math
from collections.abc import Iterable
from pathlib import Path

from ironbark.pipeline.plan.config.estimators import class_name, is_ours, parameters
from ironbark.pipeline.protocols.methods import inner_entries
from ironbark.pipeline.protocols.searches import values_of

META = "meta.json"

#: Class, without "Classifier" -> nanoseconds for each tree and cell of the training data, in binary and in multiclass
#: tasks, medians of stored fits; and the number of trees or rounds if the entry says nothing.
RATES = {
    "AdaBoost": (20, 20, 100),
    "AdaBoost of others": (144, 179, 100),
    "BrownBoost": (46, 46, 100),
    "ExplainableBoosting": (12_000, 17_000, 14),
    "ExtraTrees": (57, 73, 100),
    "GentleBoost": (20, 20, 100),
    "HistGradientBoosting": (49, 166, 100),
    "LGBM": (29, 59, 100),
    "LPBoost": (62, 62, 100),
    "LogitBoost": (24, 85, 100),
    "MLP": (3000, 6000, 1),
    "QuadraticXGB": (43, 43, 100),
    "RMBoost": (150, 150, 100),
    "RandomForest": (69, 93, 100),
    "RobustBoost": (49, 49, 100),
    "RobustDecisionTree": (101, 113, 1),
    "RobustLGBM": (37, 73, 100),
    "RobustRandomForest": (22, 25, 100),
    "RobustXGB": (58, 103, 100),
    "XGB": (36, 78, 100),
}
OTHER = (296, 544, 1)  # any other class
START = 5000  # cells that take as long as a tree takes however small the data
FORESTS = {"RandomForest", "ExtraTrees", "RobustRandomForest"}
DRAWN = 5.5  # times the root of the features is what a forest looks at; the rates are of about 30 features
ROUNDS = {"HistGradientBoosting": "max_iter", "ExplainableBoosting": "outer_bags"}  # number of trees, by this parameter
WITHIN = 5  # fits of the estimators within another one, such as those of a detector of label errors

#: Parameters all of whose values an inner cross-validation reads off one fit for each fold.
PATHS = {"min_samples_split", "max_depth", "ccp_alpha"}

BASE_MB = 350  # of a process with the libraries
CELL_BYTES = 17  # of a sample and feature: a float, and what a learner keeps
LEAF_BYTES = 60  # of a training sample in a tree of a forest
OFFICIAL = 0.75  # training share of an official split that a column gives; only `prepare` knows it
STORED_BYTES = 2.6  # of a sample and feature, raw and prepared
INDEX_BYTES = 1.6  # of a sample in a set of noisy labels, packed
ROW_BYTES = 2000  # of a result row, in its batch, the study and the store


def size_of(entry: dict, prepared: Path | None = None) -> dict:
    """Size of a data set: ``n``, ``d``, ``k`` where stated, and ``split``; as prepared with ``n_train``, if it is."""
    size = {**entry.get("expect", {}), "split": entry.get("split", {})}
    if prepared is None or not (prepared / META).exists():
        return size
    try:
        meta = json.loads((prepared / META).read_text(encoding="utf-8"))
        train = {"n_train": meta["split"]["train"]} if meta.get("split") else {}
        return size | {key: meta[key] for key in ("n", "d", "k")} | train
    except (ValueError, KeyError):
        return size  # damaged, as the job that opens it says


def seconds(method: dict, size: dict, task: str, protocol: dict, chosen: bool = False) -> float:
    """CPU seconds of one fit, tuning included unless another method has `chosen` the parameters."""
    rows, tune = training_rows(size, protocol), method["tune"]
    models = 1.0 if chosen else 1 + (fits(tune) - 1) * min(1.0, tune.get("max_samples", rows) / rows)
    return models * _untuned(method, rows, size.get("d", 20), task)


def _untuned(method, rows, d, task):
    """CPU seconds of a fit with given parameters."""
    name, inner = _short(method), [_untuned(entry, rows, d, task) for entry in inner_entries(method)]
    if not inner or name in RATES:
        cells = rows * (min(d, DRAWN * math.sqrt(d)) if name in FORESTS else d) + START
        return RATES.get(name, OTHER)[task == "multiclass"] * 1e-9 * trees(method) * cells
    return _number(method["params"].get("n_estimators"), 1 if name == "Pipeline" else WITHIN) * sum(inner)


def trees(method: dict) -> float:
    """Number of trees or rounds of an estimator, without those of estimators within it."""
    name = _short(method)
    key, default = ROUNDS.get(name, "n_estimators"), RATES.get(name, OTHER)[2]
    if tried := values_of(method.get("tune", {})).get(key):
        return sum(_number(value, default) for value in tried) / len(tried)
    defaults = parameters(method["estimator"]) if is_ours(method) else {}
    return _number((defaults | method.get("params", {})).get(key), default)


def _number(value, default):
    """A number of trees; of what is none, which the fit will refuse, the default."""
    return value if isinstance(value, int | float) and 0 < value < 2**63 else default


def fits(tune: dict) -> float:
    """Work of tuning as a multiple of one fit."""
    if not tune:
        return 1.0
    if "trials" in tune:
        return tune["trials"] * (tune["cv"] - 1) + 1
    grid = tune.get("grid", {})
    combinations = math.prod(map(len, grid.values()))
    if "cv" in tune:
        is_path = len(grid) == 1 and set(grid) <= PATHS
        return (1 if is_path else combinations) * (tune["cv"] - 1) + 1
    held = tune.get("test_size", 0)
    return combinations * (1 - held if isinstance(held, float) else 1) + bool(tune.get("refit"))


def training_rows(size: dict, protocol: dict) -> int:
    """Rough number of training samples."""
    n, options, split = size.get("n", 1000), protocol["options"], size.get("split", {})
    if options.get("sizes"):
        rows = sum(options["sizes"]) / len(options["sizes"])
    elif "folds" in options:
        rows = n - n / options["folds"]
    elif "test_size" in options:
        rows = n - _part(options["test_size"], n)
    else:
        rows = size.get("n_train") or split.get("train_rows") or _part(split.get("train_size", OFFICIAL), n)
    return max(1, round(min(rows, n, options.get("max_train") or n)))


def megabytes(size: dict, protocol: dict, methods: Iterable[dict] = ()) -> float:
    """Peak memory of a job that reads a data set and fits some methods to it."""
    estimators = [entry for method in methods for entry in (method, *inner_entries(method))]
    forest = max((trees(entry) for entry in estimators if _short(entry) in FORESTS), default=0)
    model = forest * training_rows(size, protocol) * LEAF_BYTES
    return BASE_MB + (size.get("n", 1000) * size.get("d", 20) * CELL_BYTES + model) / 1e6


def disk(size: dict, labels: int, rows: int) -> float:
    """Megabytes of a data set in a study: raw and prepared data, sets of noisy labels, result rows."""
    n = size.get("n", 1000)
    return (n * size.get("d", 20) * STORED_BYTES + labels * n * INDEX_BYTES + rows * ROW_BYTES) / 1e6


def _short(method):
    name = class_name(method).removesuffix("Classifier")
    return f"{name} of others" if f"{name} of others" in RATES and not is_ours(method) else name


def _part(size, n):
    """Number of samples that a fraction or a number of them means."""
    return size if size >= 1 else size * n

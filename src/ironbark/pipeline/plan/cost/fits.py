"""Cost of a fit from the configuration alone: seconds, memory, disk.

The constants belong to one machine and never change by themselves, since which fits share a job depends on them.
`ironbark.pipeline.analysis.statistics.calibration` turns the seconds into those of another machine.
"""

import math

from ironbark.criteria import resolve
from ironbark.pipeline.plan.config.methods.estimators import class_name, criteria_of, is_ours, parameters
from ironbark.pipeline.plan.cost import common_choices, histograms
from ironbark.pipeline.protocols.tuning import searches
from ironbark.pipeline.protocols.tuning.holdout import LARGE

#: Seconds to sort and scan one sample of one feature of two values at one depth, for two classes and Gini's index.
TREE_CELL, FOREST_CELL = 3.4e-10, 4.5e-9
FIT, TREE = 4.6e-3, 6.3e-4  # seconds that a fit, and each of its trees, takes however small the data
#: Work of a fit that chooses `ccp_alpha`, relative to one that does not.
CHOICE = {"tree": 5.0, "forest": 1.3, "forest, no bootstrap": 2.3}
PRUNED, PRUNED_TREE = 1e-3, 1.3e-4  # the same to prune and score what was fitted, for a value of `PATHS`
ROUNDS = 100  # of boosters whose parameters say nothing
OTHERS_TREE = 1.5e-3  # TREE in ensembles of other people, predictions included
TRIAL = 1.6e-2  # FIT for each fold of a search by trials: to choose, to split, to score
CLASSES = 0.25  # exponent of the number of classes
BITS = 5  # logarithm of the number of values of a feature, where the data are not prepared yet
IMPURE = 0.004  # share of the samples that look mislabelled where no noise was added
OTHERS = 6.0  # cells of other people's trees cost so many times ours
FLOATS = 4.0  # trees that grow on float class weights, see `ironbark.tree.growing.weighted`

#: Booster of ours -> seconds of a round beside its tree, where they are not `ROUND`.
ROUND_COST = {
    "AdaBoostClassifier": 2.5e-3,
    "BrownBoostClassifier": 1.5e-3,
    "LPBoostClassifier": 5e-3,
    "RMBoostClassifier": 5e-3,
}
ROUND = 5e-4
SIMPLEX = 2.2e-4  # of a round of `RMBoostClassifier` with vertex solutions, for each of its rounds
OTHERS_TREES = {"AdaBoostClassifier"}  # those whose trees are scikit-learn's
LEAVES, SAMPLES_PER_LEAF = 11, 100  # of the trees of a booster of ours, where the parameters say nothing or "auto"

#: Parameters all of whose values an inner cross-validation reads off one fit for each fold.
PATHS = {"min_samples_split", "max_depth", "ccp_alpha"}

#: Megabytes of a process with the libraries, and bytes that a learner keeps for each training sample and feature.
BASE_MB, LEARNER_BYTES = 350, 9
FLOAT, COUNT = 8, 4  # bytes of a number, of a class count
NODE_BYTES = 70  # of a node of a tree beside its class counts, with what the heap loses between arrays
OFFICIAL = 0.75  # training share of an official split that a column gives; only `prepare` knows it
CODE_BYTES = 2  # per sample and feature of the prepared data, at most for all but unusually fine-grained features
INDEX_BYTES = 1.6  # per sample, repeat, fold and noise, packed
ROW_BYTES = 2000  # of a result row, in its batch, the study and the store


def size_of(entry):
    """Size of a data set before it is fetched: ``n``, ``d``, ``k`` where stated, and ``split``."""
    return {**entry.get("expect", {}), "split": entry.get("split", {})}


def seconds(method: dict, size: dict, task: str, protocol: dict, noise: dict | None = None, chosen: bool = False):
    """CPU seconds of one fit, tuning included, on the machine of the constants."""
    n, d, k = training_rows(size, protocol), size.get("d", 20), 2 if task == "binary" else size.get("k", 5)

    def inner(entry):
        return seconds({"params": {}, "tune": {}, **entry}, size, task, protocol, noise)

    known = common_choices.seconds(method, n, d, k, inner)
    if known is not None:
        return fits(method["tune"]) * known
    repeats = choice(method)
    method = {**method, "tune": {}} if chosen else method
    params = parameters(method["estimator"]) | method["params"] if is_ours(method) else method["params"]
    params = params | middles(method["tune"])
    ensemble = "n_estimators" in params
    scans = 1 + (fits(method["tune"]) - 1) * min(1.0, method["tune"].get("max_samples", n) / n)
    booster = is_booster(method)
    bits = size.get("bits", BITS)
    unlike = n * (flipped(noise) + IMPURE)
    depth = math.log2(2 + unlike)
    leaves = leaves_of(params, n) if booster else n
    depth = min(depth, params.get("max_depth") or depth, math.log2(leaves))
    if histograms.grows(method):
        work = params.get("n_estimators", ROUNDS) * histograms.round_seconds(method, params, n, d, k, bits, unlike)
        return overhead(method["tune"]) + scans * work
    cell = FOREST_CELL * math.sqrt(bits) if booster or ensemble else TREE_CELL * bits
    drawn = distinct(params.get("max_samples"), n) if ensemble and params.get("bootstrap") else n
    cells = drawn * columns(params, d) * depth * (k / 2) ** CLASSES * (FLOATS if params.get("compat") else 1)
    trees = params.get("n_estimators", ROUNDS if booster else 1)
    other = TREE if is_ours(method) or not ensemble else OTHERS_TREE
    tree = round_seconds(method, params, trees) * k / 2 if booster else other
    scans *= repeats
    work = trees * (folds_of(method["tune"]) * tree + scans * cell * relative(method) * cells)
    return overhead(method["tune"]) + work + pruned(method["tune"]) * (PRUNED + trees * PRUNED_TREE)


def round_seconds(method, params, rounds):
    """Seconds of a round of a booster of ours, beside its tree."""
    if params.get("lp_solution") == "vertex":
        return SIMPLEX * rounds  # each round adds a column to its linear program
    return ROUND_COST.get(class_name(method), ROUND)


def leaves_of(params, n):
    """Most leaves of a tree of a booster of ours."""
    leaves = params.get("max_leaf_nodes") or LEAVES
    return max(LEAVES, n // SAMPLES_PER_LEAF) if leaves == "auto" else leaves


def choice(method):
    """Work of a fit relative to one of a given `ccp_alpha`."""
    if not is_ours(method) or "ccp_alpha" in searches.values_of(method["tune"]):
        return 1.0
    params = parameters(method["estimator"]) | method["params"]
    if isinstance(params.get("ccp_alpha", 0), (int, float)):
        return 1.0
    return CHOICE["tree" if "bootstrap" not in params else "forest" if params["bootstrap"] else "forest, no bootstrap"]


def overhead(tune):
    """Seconds that fits take however small the data and the model."""
    return folds_of(tune) * FIT + (tune["trials"] * tune["cv"] * TRIAL if "trials" in tune else 0.0)


def folds_of(tune):
    """Number of fits that count for costs independent of the samples: of a search by trials, all."""
    return tune["trials"] * tune["cv"] + 1 if "trials" in tune else fits(tune)


def training_rows(size, protocol):
    """Rough number of training samples."""
    n, options, split = size.get("n", 1000), protocol["options"], size.get("split", {})
    if options.get("sizes"):
        rows = sum(options["sizes"]) / len(options["sizes"])
    elif "folds" in options:
        rows = n - n / options["folds"]
    elif "test_size" in options:
        rows = n - part(options["test_size"], n)
    else:
        rows = size.get("n_train") or split.get("train_rows") or part(split.get("train_size", OFFICIAL), n)
    return max(1, round(min(rows, n, options.get("max_train") or n)))


def part(size, n):
    """Number of samples that a fraction or a number of them means."""
    return size if size >= 1 else size * n


def flipped(noise):
    """Rough share of the labels that a noise changes."""
    if noise is None or noise["model"] == "clean":
        return 0.0
    rate = noise.get("rate", 0.3)
    return sum(rate) / len(rate) if isinstance(rate, (list, tuple)) else rate


def distinct(most, n):
    """Samples that a bootstrap draws at least once, with so many draws: a number, a share, or None for n."""
    share = 1.0 if most is None else most if isinstance(most, float) else most / n
    return n * (1 - math.exp(-share))


def columns(params, d):
    """Features that a tree looks at in a node."""
    most = params.get("max_features")
    if most in ("sqrt", "log2"):
        return math.ceil(math.sqrt(d) if most == "sqrt" else math.log2(d + 1))
    if isinstance(most, float):
        return max(1, most * d)
    return min(most or d, d)


def middles(tune):
    """Numbers that a search by trials uses on average, such as rounds, or the depth of trees that are boosted."""
    ranges = {name: values for name, values in tune.get("space", {}).items() if isinstance(values, dict)}
    return {name.rpartition("__")[2]: (values["low"] + values["high"]) / 2 for name, values in ranges.items()}


def fits(tune):
    """Work of tuning as a multiple of one fit."""
    if not tune:
        return 1.0
    if "trials" in tune:
        return tune["trials"] * (tune["cv"] - 1) + 1
    combinations = math.prod(len(values) for values in tune.get("grid", {}).values())
    if "cv" in tune:
        return (1 if is_path(tune) else combinations) * (tune["cv"] - 1) + 1
    held = tune.get("test_size", 0)
    return combinations * (1 - held if isinstance(held, float) else 1) + bool(tune.get("refit"))


def is_path(tune):
    """Whether all values of the grid are read off one fit for each fold."""
    return "cv" in tune and len(tune.get("grid", {})) == 1 and set(tune["grid"]) <= PATHS


def pruned(tune):
    """Number of models that one fit prunes and scores instead of fitting them."""
    return tune["cv"] * len(*tune["grid"].values()) if is_path(tune) else 0


def is_booster(method):
    """Whether a method is a booster of ours: these have no splitting criterion."""
    return is_ours(method) and not criteria_of(method)


def relative(method):
    """Cost of a cell relative to Gini's index."""
    if not is_ours(method) or class_name(method) in OTHERS_TREES:
        return OTHERS
    names = criteria_of(method) or ["gini"]
    return sum(resolve(name).cost for name in names) / len(names)


def megabytes(size, protocol, encoded: bool = True, needs_features: bool = False, model: float = 0.0):
    """Peak memory of the jobs of a data set."""
    n, d, train = size.get("n", 1000), size.get("d", 20), training_rows(size, protocol)
    learner = train * LEARNER_BYTES + (n - train) * FLOAT + (0 if encoded else train * FLOAT)
    noise = (n + train) * FLOAT if needs_features else 0
    return BASE_MB + max(learner * d / 1e6 + model, noise * d / 1e6, n * 4 * d / 1e6)


def model_megabytes(method, size, task, protocol, noise=None):
    """Memory of the trees that a method keeps at a time."""
    params = (parameters(method["estimator"]) if is_ours(method) else {}) | method["params"]
    if is_booster(method) or histograms.grows(method):
        return 0.0  # small trees
    classes = 2 if task == "binary" else size.get("k", 5)
    rows, tune = training_rows(size, protocol), method["tune"]
    leaves = rows * min(1.0, flipped(noise) + 0.05)
    shelved = "test_size" in tune and rows * (1 - tune["test_size"]) >= LARGE
    kept = params.get("n_estimators", 1) * (2 if tune and not shelved else 1)
    return kept * 2 * leaves * (COUNT * classes + NODE_BYTES) / 1e6


def largest_model(methods, size, task, protocol, noises):
    """The most that `model_megabytes` says of these methods under these noises; both are lists of entries."""
    return max(model_megabytes(method, size, task, protocol, noise) for method in methods for noise in noises)


def disk(size, labels, rows):
    """Megabytes of a data set in a study: raw and prepared data, `labels` sets of noisy labels, `rows` result rows."""
    n = size.get("n", 1000)
    return (n * size.get("d", 20) * CODE_BYTES * 1.3 + labels * n * INDEX_BYTES + rows * ROW_BYTES) / 1e6

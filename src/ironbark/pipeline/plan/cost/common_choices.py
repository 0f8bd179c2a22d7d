"""Cost of a fit of another package's classifier that `fits` does not cover.

The constants were read off single fits on 150 to 600 samples of 10 and 40 features, on a busy machine.
"""

from collections.abc import Callable

from ironbark.pipeline.plan.config.methods.estimators import class_name

ROUNDS, LEAVES, IN_LEAF = 100, 31, 20  # defaults of scikit-learn's histogram gradient boosting
CLASSES = 1.5  # exponent of the number of classes in CatBoost


def _histogram(params, n, d, k):
    trees = params.get("max_iter", ROUNDS) * (k if k > 2 else 1)
    return trees * (2e-4 + 2e-6 * min(n, LEAVES * IN_LEAF) + 5e-8 * n * d)


#: Class -> seconds of its parameters, the numbers of samples, features and classes.
SECONDS = {
    "ExplainableBoostingClassifier": lambda params, n, d, k: (
        params.get("outer_bags", 14) * (0.04 + 0.01 * d) * (k / 2) ** 0.5
    ),
    "HistGradientBoostingClassifier": _histogram,
    "KNeighborsClassifier": lambda params, n, d, k: 5e-3 + 5e-10 * n * n * d,
    "LogisticRegression": lambda params, n, d, k: 5e-3 + 2e-7 * n * d * k,
    "MLPClassifier": lambda params, n, d, k: 0.04 + 1e-4 * n,
    "SeededCatBoostClassifier": lambda params, n, d, k: (
        params.get("n_estimators", 500) * d * (1e-4 + 1.9e-7 * n) * (k / 2) ** CLASSES
    ),
}
FOLDS, ISSUES = 6, 0.3  # models of `SeededCleanLearning`, and its seconds beside them
TREE, TREE_ROW = 1.5e-3, 2e-6  # seconds of a tree of scikit-learn's forest, and for each sample
SELF_TUNED, PARTITION, MIXTURE = 1.5e-4, 4e-4, 0.01  # seconds: two for each sample, one of a mixture
STEP = 5e-3  # seconds of a step of a pipeline before its classifier


def seconds(method: dict, n: int, d: int, k: int, inner: Callable) -> float | None:
    """CPU seconds of a fit."""
    name, params = class_name(method), method["params"]
    if name == "Pipeline":
        *before, (_, last) = params["steps"]
        return len(before) * STEP + _within(last, n, inner)
    if name == "CleanedClassifier":
        base, detector = params.get("estimator"), params.get("detector", {"estimator": "LabelErrorDetector"})
        return _detection(detector, n, d, k, inner) + (_within(base, n, inner) if base else SELF_TUNED * n)
    if name == "SeededCleanLearning":
        return ISSUES + FOLDS * _within(params["estimator"], n, inner)
    return SECONDS[name](params, n, d, k) if name in SECONDS else None


def _detection(entry, n, d, k, inner):
    """Seconds of a detector of label errors."""
    name, params = class_name(entry), entry.get("params", {})
    if name == "HighAgreementFilter":
        return params.get("cv", 10) * params.get("n_estimators", ROUNDS) * (TREE + TREE_ROW * n)
    if name == "BoostingFilter":
        return _histogram({"max_iter": params.get("n_estimators", ROUNDS)}, n, d, k) + MIXTURE
    if name == "PartitionFilter":
        return PARTITION * n
    inside = params.get("estimator")
    return SELF_TUNED * n if inside is None else (params.get("cv", 5) + 1) * _within(inside, n, inner)


def _within(entry, n, inner):
    """Seconds of an estimator within another; `fits` plans forests that stand alone."""
    if class_name(entry) != "RandomForestClassifier":
        return inner(entry)
    return entry.get("params", {}).get("n_estimators", ROUNDS) * (TREE + TREE_ROW * n)

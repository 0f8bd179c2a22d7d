"""Golden results of the protocol: splits, seeds, imputation, preprocessing, tuners, nested parameters, outputs."""

from functools import partial

import numpy as np
from golden.tables import normal, with_gaps

from ironbark.encoding import encode
from ironbark.pipeline.protocols import fit, imputation, inner_cv, model_outputs, searches, splits
from ironbark.pipeline.protocols.holdout import Choice
from ironbark.pipeline.protocols.methods import load, takes_encoded
from ironbark.pipeline.protocols.preprocessing import apply
from ironbark.pipeline.protocols.scoring import outputs_in, scored, with_scores_only
from ironbark.pipeline.results import records
from ironbark.pipeline.results.noisy_labels import Split
from ironbark.pipeline.results.store import to_array
from ironbark.seeding import generator, integer_seed, seed_sequence

FIRST = ("label_quality", "noise_rate", "probabilities")  # outputs that all golden fits have, whatever was added later
IDS = ("table", "binary", "random-partitions", 0, 1, "uniform-0.2")
TREE, FOREST = "ironbark.RobustDecisionTreeClassifier", "ironbark.RobustRandomForestClassifier"
OPTIONS = {
    "fixed-split": ({}, {"max_train": 30}),
    "repeated-cv": ({}, {"folds": 3}, {"folds": 2, "max_train": 20}),
    "random-partitions": ({}, {"test_size": 0.33}, {"test_size": 17, "max_train": 31}),
    "training-sizes": ({}, {"sizes": [8, 20, 40]}, {"sizes": [10], "test_size": 25}),
}


def entry(estimator, params=None, tune=None, **more):
    """A resolved entry of a method."""
    return {"estimator": estimator, "params": params or {}, "tune": tune or {}, **more}


def tree(**params):
    return entry(TREE, {"ccp_alpha": 0.0, **params})


def pipeline(*steps, **params):
    return entry("sklearn.pipeline.Pipeline", {"steps": list(steps), **params})


def parts():
    """Splits of every protocol with all options, of two and three classes, one of them rare."""
    found = {}
    rng = np.random.default_rng(0)
    split = (np.arange(80) % 5 == 0).astype(np.uint8)
    for kind, of_kind in OPTIONS.items():
        for n_classes in (2, 3):
            y = np.minimum(rng.integers(0, 2 * n_classes, 80), n_classes - 1)
            for options in of_kind:
                made = list(splits(kind, y, split, ("table", "binary"), repeats=3, **options))
                name = f"{kind}, {options}, {n_classes} classes"
                found[name] = [np.concatenate([[one.repeat, one.fold], one.train, one.test]) for one in made]
    return found


def groups():
    """Splits into whole groups of one to many samples."""
    rng = np.random.default_rng(1)
    y, options = rng.integers(0, 3, 80), {"groups": rng.geometric(0.05, 80), "test_size": 0.33, "max_train": 41}
    made = splits("grouped", y, None, ("table",), repeats=6, **options)
    return {"parts": [part for one in made for part in (one.train, one.test)]}


def seeds():
    """Seeds and streams of ids."""
    ids = [IDS, ("a", 1), ("a", "1", "x"), ()]
    return {
        "seeds": [np.array([integer_seed(*one), fit.seed_of(one)], np.int64) for one in ids],
        "streams": [generator(*one).random(5) for one in ids],
        "states": [seed_sequence(*one).generate_state(4) for one in ids],
    }


def filled():
    """Imputed features of every strategy, with categories, and of a feature without any value."""
    X = with_gaps(np.column_stack([normal(60)[0], np.arange(60) % 4]).astype(float))
    X[:40, 1] = np.nan
    split = Split(0, 0, np.arange(40), np.arange(40, 60))
    found = {}
    for strategy in ("mean", "median", "most_frequent"):
        for categorical in ((), (0, 4)):
            found[f"{strategy}, {categorical}"] = list(imputation.imputed(X[:40], X[40:], strategy, categorical))
        meta = {"features": list("abcde"), "categories": {"e": ["x"] * 4}, "imputed": strategy}
        train, test = imputation.of_split(encode(X), split, meta)
        found[f"{strategy} of a split"] = [train.codes, train.levels, train.offsets, test]
    return found


def preprocessed():
    X = normal(20)[0]
    X[3] = 2.0
    return {str(name): [apply(name, X)] for name in (None, "zscore-rows")}


SCALER = {"estimator": "sklearn.preprocessing.StandardScaler"}
VOTERS = [["tree", {"estimator": "sklearn.tree.DecisionTreeClassifier"}], ["own", tree(max_depth=2)]]
VOTE = {"estimators": VOTERS, "voting": "soft", "weights": [1, 2]}
GRID = {"min_samples_split": [20, 5, 2]}
NESTED = {
    "plain": tree(),
    "own seed": tree(random_state=7, max_features=1),
    "no seed": entry("sklearn.naive_bayes.GaussianNB"),
    "vote": entry("sklearn.ensemble.VotingClassifier", VOTE),
    "pipeline": pipeline(
        ["scale", SCALER],
        ["columns", "passthrough"],
        ["fit", {"estimator": FOREST, "params": {"n_estimators": 3, "ccp_alpha": 0.0}}],
        scale__with_mean=False,
    ),
    "bagging": entry("sklearn.ensemble.BaggingClassifier", {"estimator": tree(max_depth=3), "n_estimators": 3}),
    "cleaned": entry(
        "ironbark.CleanedClassifier",
        {"detector": {"estimator": "ironbark.LabelErrorDetector", "params": {"n_estimators": 6}}, "estimator": tree()},
    ),
    "by columns": pipeline(
        ["parts", entry("sklearn.compose.ColumnTransformer", {"transformers": [["a", SCALER, [0, 1]]]})],
        ["fit", {"estimator": "sklearn.tree.DecisionTreeClassifier"}],
    ),
    "xgboost": entry("ironbark.RobustXGBClassifier", {"n_estimators": 3, "max_depth": 2, "subsample": 0.7}),
    "lightgbm": entry("ironbark.RobustLGBMClassifier", {"n_estimators": 3, "verbose": -1, "min_child_samples": 5}),
    "xgboost's own": entry("xgboost.XGBClassifier", {"n_estimators": 3, "n_jobs": 1, "tree_method": "exact"}),
    "rows scaled": {**tree(), "preprocess": "zscore-rows"},
    "minimax": entry("ironbark.RMBoostClassifier", {"n_estimators": 5}),
    "no probabilities": entry("ironbark.LPBoostClassifier", {"n_estimators": 5}),
    "neither": entry("sklearn.neighbors.NearestCentroid"),
    "fails": entry("sklearn.svm.SVC", {"C": -1.0}),
}
RANGES = {
    "max_depth": {"low": 1, "high": 6},
    "min_impurity_decrease": {"low": 1e-4, "high": 0.1, "log": True},
    "criterion": ["gini", "entropy"],
    "min_samples_split": {"low": 2, "high": 20, "step": 3},
    "min_weight_fraction_leaf": {"low": 0.0, "high": 0.2, "step": 0.05},
}
TUNED = {
    "inner CV, pruned copies": {**tree(), "tune": {"grid": GRID, "cv": 3}},
    "inner CV, depths": {**tree(), "tune": {"grid": {"max_depth": [2, 4, None]}, "cv": 3}},
    "inner CV, prices": {**tree(), "tune": {"grid": {"ccp_alpha": [0.1, 0.01]}, "cv": 3}},
    "inner CV, price given": {**tree(ccp_alpha=0.01), "tune": {"grid": GRID, "cv": 3}},
    "inner CV, other parameter": {**tree(), "tune": {"grid": {"max_features": [1, 2]}, "cv": 3}},
    "inner CV, two parameters": {**tree(), "tune": {"grid": {**GRID, "max_depth": [2, 3]}, "cv": 2}},
    "inner CV, foreign": {**NESTED["no seed"], "tune": {"grid": {"var_smoothing": [1e-9, 0.1]}, "cv": 3}},
    "inner CV, forest": entry(FOREST, {"n_estimators": 4, "ccp_alpha": 0.0}, {"grid": GRID, "cv": 2}),
    "holdout": {**tree(), "tune": {"grid": GRID, "test_size": 0.2, "refit": False}},
    "holdout, fitted again": {**tree(), "tune": {"grid": GRID, "test_size": 0.3, "refit": True}},
    "trials": {**tree(), "tune": {"space": RANGES, "trials": 14, "cv": 3, "startup": 4}},
    "trials, pruned": {**tree(), "tune": {"space": RANGES, "trials": 12, "cv": 3, "prune": True}},
    "trials, few samples": {**tree(), "tune": {"space": RANGES, "trials": 3, "cv": 2, "max_samples": 40}},
    **{
        f"trials, {score}": {**tree(), "tune": {"space": RANGES, "trials": 4, "cv": 2, "score": score}}
        for score in searches.SCORES
    },
    "trials, order by scores": entry(
        "sklearn.linear_model.RidgeClassifier",
        tune={"space": {"alpha": [0.1, 10.0]}, "trials": 3, "cv": 2, "score": "roc_auc"},
    ),
}


def data(n_classes=2, encoded=False):
    """Noisy training part and clean test part."""
    X, y = normal(130, n_classes, noise=0.0)
    noisy = normal(130, n_classes)[1]
    train, test = encode(X[:90]) if encoded else X[:90], X[90:]
    return train, noisy[:90], test, y[90:], y[:90]


def run(method, n_classes=2, wanted=FIRST, **options):
    """A fit, and its scores: what a record holds but for seconds, memory and texts of errors."""
    searches.check(method["tune"])
    X, noisy, X_test, y_test, clean = data(n_classes, takes_encoded(method))
    record = fit.run(method, IDS, X, noisy, X_test, y_test, wanted=wanted, **options)
    if record["status"] == records.FAILED:
        return {"record": [np.array(sorted(record)), np.array([record["seed"], record["n_train"]])]}
    most = 8 * len(noisy) * n_classes
    found = {f"output {name}": [to_array(text, most)] for name, text in record["outputs"].items()}
    found["gaps"] = [np.array(sorted(f"{name}: {text}" for name, text in record.get("gaps", {}).items()), str)]
    numbers = [float(record.get(name, np.nan)) for name in ("train_accuracy", "validation_accuracy", "seed")]
    found["numbers"] = [np.array(numbers), np.array([record[name] for name in model_outputs.FACTS], float)]
    found["tuned"] = [np.array([record["tuned"]])]
    short = with_scores_only(record, y_test, clean, noisy)
    names = sorted(short["scores"])
    values = [scored(r, y_test, clean, noisy, names) for r in (record, with_scores_only(short, y_test, clean, noisy))]
    found["scores"] = [np.array([one[name] for name in names], float) for one in values]
    return found | {"there": [np.array(sorted(outputs_in(r) & {"labels", *records.OUTPUTS})) for r in (record, short)]}


def chosen():
    """A search whose choice another method has made; and searches that make the same choice."""
    method = TUNED["holdout, fitted again"]
    methods = {"a": TUNED["inner CV, depths"], "b": {**method, "tune": {**method["tune"], "refit": False}}, "c": method}
    names = [str(searches.chooser(name, list(methods), methods)) for name in methods]
    found = run(method, chosen=Choice({"min_samples_split": 5}, 0.7, 1.0))
    values = [sorted(searches.values_of(one["tune"])) for one in TUNED.values()]
    return found | {"choosers": [np.array(names), np.array([str(value) for value in values])]}


def labels_lacking():
    """Training labels that lack the test part's last class, and probabilities of all classes."""
    X, noisy, X_test, y_test, _ = data(3)
    record = fit.run(tree(), IDS, X, np.minimum(noisy, 1), X_test, y_test, wanted=records.OUTPUTS)
    return {"output": [to_array(record["outputs"][name], 10**4) for name in ("probabilities", "errors")]}


def hits():
    """Samples that held-out folds get right, with all values of a grid, of arrays and of encoded features."""
    found = {}
    for name, method in TUNED.items():
        if "grid" in method["tune"] and "cv" in method["tune"]:
            for encoded in (False, True) if method["estimator"] == TREE else (False,):
                X, noisy, *_ = data(encoded=encoded)
                found[f"{name}, {encoded}"] = [inner_cv.correct(method, X, noisy, generator("hits"), 5)]
    return found | {"classes": [np.array([load(TREE).__name__])]}


CASES = {
    "splits": parts,
    "splits into groups": groups,
    "seeds": seeds,
    "imputation": filled,
    "preprocessing": preprocessed,
    **{
        f"{name}, {n_classes} classes": partial(run, method, n_classes)
        for name, method in (NESTED | TUNED).items()
        for n_classes in ((2,) if name in ("minimax", "no probabilities") else (2, 3))
    },
    "all outputs": partial(run, NESTED["cleaned"], wanted=records.OUTPUTS),
    "nothing wanted": partial(run, NESTED["cleaned"], wanted=()),
    "choice of another method": chosen,
    "class that training lacks": labels_lacking,
    "hits of an inner CV": hits,
}

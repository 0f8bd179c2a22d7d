"""A small configuration as `ironbark.pipeline.plan.config.reading.read` gives it; each test gets a copy of its own."""

import copy

import pytest

from ironbark.pipeline.plan.config import classes, packages

TREE, FOREST = "ironbark.RobustDecisionTreeClassifier", "ironbark.RobustRandomForestClassifier"
ANE = {"test_size": 0.2, "refit": False, "grid": {"lam": [0, 0.5, 1]}}
SPLIT = {"train_size": 0.8, "random_state": 0, "stratify": True}


def grid(dataset, task, noise, *methods):
    return {"datasets": [dataset], "tasks": [task], "noises": ["clean", noise], "methods": list(methods)}


CONFIG = {
    "groups": {"methods": {}, "noises": {}},
    "settings": {"studies": ["small"], "scale": "full", "batch_minutes": 10},
    "datasets": {
        "two": {"title": "Two", "source": "sklearn", "loader": "breast_cancer", "split": SPLIT}
        | {"expect": {"n": 569, "d": 30, "k": 2}},
        "three": {"title": "Three", "source": "sklearn", "loader": "iris", "split": SPLIT}
        | {"expect": {"n": 150, "d": 4, "k": 3}},
        "own": {"title": "Own", "source": "file", "path": "own.csv"},
    },
    "methods": {
        "dt-gini": {"estimator": TREE, "params": {"criterion": "gini"}},
        "dt-entropy": {"estimator": TREE, "params": {"criterion": "entropy"}, "label": "CE"},
        "dt-ane": {"estimator": TREE, "params": {"criterion": "negative_exponential"}, "tune": ANE},
        "dt-pairwise": {"estimator": TREE, "params": {"criterion": "pairwise_gain"}},
        "rf-gini": {"estimator": FOREST, "params": {"criterion": "gini", "n_estimators": 100}},
        "sk": {"estimator": "sklearn.tree.DecisionTreeClassifier"},
    },
    "noises": {
        "clean": {"model": "clean"},
        "uniform-0.2": {"model": "uniform", "rate": 0.2},
        "uniform-0.6": {"model": "uniform", "rate": 0.6},
        "cc": {"model": "class_conditional", "rate": [0.1, 0.3]},
    },
    "studies": {
        "small": {
            "title": "Small",
            "protocol": {"kind": "fixed-split", "repeats": 5},
            "grids": [
                grid("two", "binary", "uniform-0.2", "dt-gini", "dt-entropy", "rf-gini"),
                grid("three", "multiclass", "uniform-0.6", "dt-gini"),
            ],
            "tables": {"binary": {"kind": "accuracy", "task": "binary", "noises": ["clean", "uniform-0.2"]}},
            "figures": {"curves": {"kind": "noise-curves", "task": "binary"}},
            "scales": {"smoke": {"repeats": 2, "n_estimators": 3, "max_train": 50, "noises": ["clean"]}},
        }
    },
}


@pytest.fixture
def config():
    return copy.deepcopy(CONFIG)


@pytest.fixture
def study(config):
    """The only study of `config`, to be edited in place."""
    return config["studies"]["small"]


#: Classes of other packages that tests of mistakes in their parameters name.
OTHERS = [
    "lightgbm.LGBMClassifier",
    "sklearn.ensemble.AdaBoostClassifier",
    "sklearn.ensemble.BaggingClassifier",
    "sklearn.ensemble.RandomForestClassifier",
    "sklearn.pipeline.Pipeline",
    "sklearn.preprocessing.StandardScaler",
    "sklearn.tree.DecisionTreeClassifier",
    "xgboost.XGBClassifier",
]


@pytest.fixture(scope="session")
def described():
    """Those classes are known to this process, from one other process: one for each takes two seconds each."""
    classes.look_up(OTHERS)


@pytest.fixture
def lacking(monkeypatch):
    """Function that makes some packages look as if they were not installed, and all others as if they were."""

    def lack(*names):
        monkeypatch.setattr(packages, "find_spec", lambda name: None if name in names else object())

    return lack

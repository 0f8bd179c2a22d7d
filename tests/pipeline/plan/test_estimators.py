"""What the planner knows of estimators without importing them, against the estimators themselves."""

import inspect

import pytest

import ironbark
from ironbark import _PUBLIC
from ironbark.errors import InputError
from ironbark.pipeline.plan import keys
from ironbark.pipeline.plan.config import estimators, packages
from ironbark.pipeline.protocols.methods import BUILT_ON

pytestmark = pytest.mark.usefixtures("described")
TREE = "ironbark.RobustDecisionTreeClassifier"
CLASSES = [name for name in _PUBLIC if name.endswith("Classifier")]


@pytest.mark.parametrize("name", CLASSES)
def test_parameters_are_those_of_the_class(name):
    found, all_of_them = estimators.parameters(f"ironbark.{name}"), getattr(ironbark, name)().get_params()
    assert found == {parameter: all_of_them[parameter] for parameter in found}
    assert (len(all_of_them) > len(found)) == (name in BUILT_ON)
    assert list(found) == [one for one in inspect.signature(getattr(ironbark, name)).parameters if one != "kwargs"]


STUMP = {"estimator": "own_trees.Stump", "params": {"max_depth": 1}}
LIGHT = {"estimator": "ironbark.NoiseCorrectedClassifier", "params": {"estimator": {"estimator": "lightgbm.L"}}}
TRIED = {"grid": {"criterion": ["twoing", "mine.gain"]}, "test_size": 0.1}


@pytest.mark.parametrize(
    ("method", "modules"),
    [
        ({"estimator": "ironbark.tree.classifier.RobustDecisionTreeClassifier"}, ["ironbark.tree.classifier"]),
        ({"estimator": "ironbark.pipeline.diagnostics.voting.VotingForest"}, ["ironbark.pipeline.diagnostics.voting"]),
        ({"estimator": TREE, "params": {"criterion": "credal"}}, ["ironbark.tree.classifier"]),
        ({"estimator": TREE, "params": {}, "tune": TRIED}, ["ironbark.tree.classifier", "mine"]),
        ({"estimator": TREE, "params": {"criterion": "own.tsallis"}}, ["ironbark.tree.classifier", "own"]),
        ({"estimator": "sklearn.tree.DecisionTreeClassifier"}, ["sklearn.tree"]),
        ({"estimator": "sklearn.ensemble.A", "params": {"estimator": STUMP}}, ["sklearn.ensemble", "own_trees"]),
    ],
)
def test_modules_are_those_of_the_estimator_of_inner_ones_and_of_custom_criteria(method, modules):
    assert estimators.modules(method)[: len(modules)] == modules
    assert "lightgbm" in estimators.modules(LIGHT) and "lightgbm" in estimators.code_of(LIGHT)["libraries"]


@pytest.mark.parametrize(("name", "package"), BUILT_ON.items())
def test_estimators_on_top_of_a_library_take_its_parameters_and_depend_on_its_version(name, package, monkeypatch):
    method = {"estimator": f"ironbark.{name}", "params": {"r": 1.0, "max_depth": -1, "reg_lambda": 2.0}}
    assert estimators.check(method) == {"binary", "multiclass"}
    assert estimators.parameters(method["estimator"])["q"] == 0.3
    assert estimators.modules(method)[0].startswith("ironbark.boosting.gbdt.robust_")
    assert package in keys.packages_of(estimators.modules(method))
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    sentence = f"it needs the package {package}, which is not installed; run `.venv/bin/pip install -r envs/run.lock`"
    with pytest.raises(InputError, match=sentence):
        estimators.check(method)


@pytest.mark.parametrize(
    ("method", "tasks"),
    [
        ({"estimator": TREE}, {"binary", "multiclass"}),
        ({"estimator": TREE, "params": {"criterion": "json.loads"}}, {"binary", "multiclass"}),
        ({"estimator": TREE, "params": {"criterion": "pairwise_gain"}}, {"binary"}),
        ({"estimator": TREE, "tune": {"grid": {"criterion": ["gini", "pairwise_gain"]}}}, {"binary"}),
        ({"estimator": "sklearn.tree.DecisionTreeClassifier", "tasks": ["binary"]}, {"binary"}),
    ],
)
def test_tasks(method, tasks):
    assert estimators.check(method) == tasks


def method_of(change, estimator=TREE):
    """A method that is tuned by trials, with some entries of `tune` changed; None takes one away."""
    tune = {"trials": 10, "cv": 5, "space": {"max_dept": {"low": 1, "high": 9}}} | change
    return {"estimator": estimator, "tune": {key: value for key, value in tune.items() if value is not None}}


TRIALS = [
    ({"space": {"max_depth": {"low": 9, "high": 1}}}, ["'max_depth' runs from 9 down to 1", "exchange"]),
    ({"space": {"ccp_alpha": {"low": 0.1, "high": 1, "step": 0.1, "log": True}}}, ["logarithmic", "have no step"]),
    ({"grid": {"max_depth": [1]}}, ["both 'grid' and 'space'"]),
]

MISTAKES = [
    ({"estimator": "nosuchpackage.mod.Thing"}, ["no package or module 'nosuchpackage'", "install it", "correct"]),
    ({"estimator": "ironbark.tree.classifier.Nope"}, ["unknown estimator", "Nope", "ironbark."]),
    ({"estimator": TREE, "params": {"lamb": 1}}, ["has no parameter 'lamb'", "did you mean 'lam'?"]),
    ({"estimator": TREE, "params": {"criterion": "ginni"}}, ["unknown criterion 'ginni'", "did you mean 'gini'?"]),
    ({"estimator": TREE, "params": {"criterion": "credal", "s": -1}}, ["s=-1 is out of range", "'credal'", ">= 0"]),
    ({"estimator": TREE, "tune": {"cv": 5, "refit": True, "grid": {"lam": [1]}}}, ["both 'cv' and 'refit'"]),
    ({"estimator": TREE, "params": {"criterion": "own_gains.tsallis"}}, ["no package or module 'own_gains'"]),
    (
        {"estimator": "ironbark.pipeline.diagnostics.voting.VotingForest", "params": {"votes": True}},
        ["has no parameter 'votes'"],
    ),
    *((method_of(change), parts) for change, parts in TRIALS),
    (method_of({}, "sklearn.ensemble.RandomForestClassifier"), ["no parameter 'max_dept'", "mean 'max_depth'?"]),
    *(
        ({"estimator": path, "params": {"n_estimatorz": 5}}, ["has no parameter 'n_estimatorz'", "'n_estimators'"])
        for path in (
            "sklearn.ensemble.BaggingClassifier",
            "lightgbm.LGBMClassifier",
            "xgboost.XGBClassifier",
            "ironbark.RobustLGBMClassifier",
        )
    ),
    (
        {
            "estimator": "sklearn.ensemble.AdaBoostClassifier",
            "params": {"estimator": {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"depth": 1}}},
        },
        ["tree.DecisionTreeClassifier has no parameter 'depth'", "'max_depth'"],
    ),
]


def pipeline(*steps, **more):
    return {"estimator": "sklearn.pipeline.Pipeline", "params": {"steps": list(map(list, steps))}} | more


def tried(**grid):
    return {"tune": {"cv": 2, "grid": grid}}


SCALE = ["scale", {"estimator": "sklearn.preprocessing.StandardScaler"}]
BAG = {"estimator": "sklearn.ensemble.BaggingClassifier", "params": {"estimator": {"estimator": TREE}}}

INNER = [
    (pipeline(["t", {"estimator": TREE, "params": {"max_dept": 1}}]), ["no parameter 'max_dept'", "'max_depth'"]),
    (pipeline(SCALE, **tried(scale__with_sd=[1])), ["no parameter 'with_sd'", "'with_std'"]),
    (pipeline(["t", {"estimator": TREE, "parms": {}}]), [f"'{TREE}' has the unknown key 'parms'", "'params'"]),
    (pipeline(["t", {"estimator": TREE, "params": None}]), [f"'{TREE}' has no parameters in `params`", "write names"]),
    (pipeline(["t", {"estimator": 3}]), ["the inner estimator 3 is no import path", "'sklearn"]),
]


@pytest.mark.parametrize(("method", "parts"), [*MISTAKES, *INNER])
def test_mistakes(method, parts):
    estimators.look_up([method])  # as a plan does before
    with pytest.raises(InputError) as caught:
        estimators.check(method)
    for part in parts:
        assert part in str(caught.value), caught.value


def test_a_search_by_trials_needs_optuna(monkeypatch):
    find = packages.find_spec
    monkeypatch.setattr(packages, "find_spec", lambda name: None if name == "optuna" else find(name))
    estimators.check({"estimator": TREE})
    with pytest.raises(InputError, match=r"needs the package optuna, .*; run `.venv/bin/pip install -r envs/run.lock`"):
        estimators.check(method_of({"space": {"max_depth": [1, 2]}}))


@pytest.mark.parametrize("path", ["lightgbm.LGBMClassifier", "ironbark.RobustLGBMClassifier", "xgboost.XGBClassifier"])
def test_parameters_of_the_core_of_a_library_are_accepted(path):
    from lightgbm.basic import _ConfigAliases

    names = ("eta", "lambda", "alpha", "seed", "nthread", "updater", "rate_drop", "skip_drop", "min_split_loss")
    if "LGBM" in path:
        names = {name for names in _ConfigAliases._get_all_param_aliases().values() for name in names}
    estimators.check({"estimator": path, "params": dict.fromkeys(names)})


def test_parameters_of_inner_estimators_may_be_tuned():
    grid = {"scale__with_std": [True], "bag__estimator__max_depth": [1], "bag__n_estimators": [2], "scale": [None]}
    assert estimators.check(pipeline(SCALE, ["bag", BAG], **tried(**grid))) == {"binary", "multiclass"}

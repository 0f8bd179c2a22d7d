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


@pytest.mark.parametrize(
    ("path", "same"),
    [
        ("ironbark.tree.classifier.RobustDecisionTreeClassifier", TREE),
        ("ironbark.pipeline.diagnostics.voting.VotingForest", "ironbark.RobustRandomForestClassifier"),
    ],
    ids=["full path", "subclass"],
)
def test_full_path_and_subclass_of_our_estimator(path, same):
    assert estimators.parameters(path) == estimators.parameters(same)
    assert estimators.modules({"estimator": path, "params": {}})[0] == path.rpartition(".")[0]
    with pytest.raises(InputError, match="has no parameter 'votes'"):
        estimators.check({"estimator": path, "params": {"votes": True}})


def test_modules_are_those_of_the_estimator_and_of_custom_criteria():
    assert estimators.modules({"estimator": TREE, "params": {"criterion": "credal"}}) == ["ironbark.tree.classifier"]
    method = {
        "estimator": TREE,
        "params": {},
        "tune": {"grid": {"criterion": ["twoing", "mine.gain"]}, "test_size": 0.1},
    }
    assert estimators.modules(method)[:2] == ["ironbark.tree.classifier", "mine"]
    assert estimators.modules({"estimator": "sklearn.tree.DecisionTreeClassifier"}) == ["sklearn.tree"]


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


def test_tasks():
    both = {"binary", "multiclass"}
    assert estimators.check({"estimator": TREE}) == both
    assert estimators.check({"estimator": TREE, "params": {"criterion": "pairwise_gain"}}) == {"binary"}
    assert estimators.check({"estimator": TREE, "tune": {"grid": {"criterion": ["gini", "pairwise_gain"]}}}) == {
        "binary"
    }
    assert estimators.check({"estimator": "sklearn.tree.DecisionTreeClassifier", "tasks": ["binary"]}) == {"binary"}


def test_a_criterion_of_ones_own_counts_by_its_module():
    method = {"estimator": TREE, "params": {"criterion": "own_gains.tsallis", "criterion_params": [1.5]}}
    assert estimators.modules(method) == ["ironbark.tree.classifier", "own_gains"]
    with pytest.raises(InputError, match="no package or module 'own_gains'"):
        estimators.check(method)
    method["params"]["criterion"] = "json.loads"
    assert estimators.check(method) == {"binary", "multiclass"}


def method_of(change, estimator=TREE):
    """A method that is tuned by trials, with some entries of `tune` changed; None takes one away."""
    tune = {"trials": 10, "cv": 5, "space": {"max_dept": {"low": 1, "high": 9}}} | change
    return {"estimator": estimator, "tune": {key: value for key, value in tune.items() if value is not None}}


TRIALS = [
    ({"space": {"max_depth": {"low": 9, "high": 1}}}, ["'max_depth' runs from 9 down to 1", "exchange"]),
    ({"space": {"ccp_alpha": {"low": 0, "high": 1, "log": True}}}, ["'ccp_alpha' is logarithmic", "above 0"]),
    ({"space": {"max_depth": {"low": 1, "high": 9, "step": 0}}}, ["step=0 of 'max_depth'", "positive"]),
    ({"space": {"ccp_alpha": {"low": 0.1, "high": 1, "step": 0.1, "log": True}}}, ["step=0.1", "have it with log"]),
    ({"space": {"max_depth": {"low": 1, "high": 9, "step": 0.5}}}, ["step=0.5", "whole numbers"]),
    ({"space": {"max_depth": {"low": 1, "high": "9"}}}, ["'max_depth' needs numbers low and high"]),
    ({"space": {"max_depth": []}}, ["max_depth=[]", "neither a list of values nor a range"]),
    ({"trials": 0}, ["trials=0", "an integer >= 1"]),
    ({"trials": None}, ["no 'trials'", "needs 'trials', 'cv' and 'space'"]),
    ({"space": None}, ["no 'space'"]),
    ({"cv": 1}, ["cv=1", "an integer >= 2"]),
    ({"startup": 0}, ["startup=0", "an integer >= 1"]),
    ({"score": "auc"}, ["unknown score 'auc'", "roc_auc"]),
    ({"grid": {"max_depth": [1]}}, ["both 'grid' and 'space'"]),
    ({"refit": True}, ["both 'cv' and 'refit'"]),
]

MISTAKES = [
    ({"estimator": "nosuchpackage.mod.Thing"}, ["no package or module 'nosuchpackage'", "install it", "correct"]),
    ({"estimator": "ironbark.RobustDecisionTree"}, ["unknown estimator 'RobustDecisionTree'", "did you mean"]),
    ({"estimator": "ironbark.tree.classifier.Nope"}, ["unknown estimator", "Nope", "ironbark."]),
    ({"estimator": TREE, "params": {"lamb": 1}}, ["has no parameter 'lamb'", "did you mean 'lam'?"]),
    ({"estimator": TREE, "tune": {"grid": {"max_dept": [1]}}}, ["has no parameter 'max_dept'", "'max_depth'"]),
    ({"estimator": TREE, "params": {"criterion": "ginni"}}, ["unknown criterion 'ginni'", "did you mean 'gini'?"]),
    ({"estimator": TREE, "tune": {"grid": {"criterion": ["entrpy"]}}}, ["unknown criterion 'entrpy'", "'entropy'"]),
    ({"estimator": TREE, "params": {"criterion": "credal", "s": -1}}, ["s=-1 is out of range", "'credal'", ">= 0"]),
    (
        {"estimator": TREE, "params": {"criterion": "negative_exponential"}, "tune": {"grid": {"lam": [0, -0.5]}}},
        ["lam=-0.5 is out of range", "'negative_exponential'"],
    ),
    (
        {"estimator": "sklearn.tree.DecisionTreeClassifier", "tune": {"cv": 5, "refit": True, "grid": {"a": [1]}}},
        ["both 'cv' and 'refit'", "keep 'cv'"],
    ),
    *((method_of(change), parts) for change, parts in TRIALS),
    (
        method_of({}, "sklearn.ensemble.RandomForestClassifier"),
        ["no parameter 'max_dept'", "did you mean 'max_depth'?"],
    ),
    (method_of({}, "lightgbm.LGBMClassifier"), ["has no parameter 'max_dept'", "did you mean 'max_depth'?"]),
    (method_of({}, "ironbark.RobustXGBClassifier"), ["has no parameter 'max_dept'", "did you mean 'max_depth'?"]),
    *(
        ({"estimator": path, "params": {"n_estimatorz": 5}}, ["has no parameter 'n_estimatorz'", "'n_estimators'"])
        for path in (
            "sklearn.ensemble.BaggingClassifier",
            "lightgbm.LGBMClassifier",
            "xgboost.XGBClassifier",
            "ironbark.RobustLGBMClassifier",
        )
    ),
    ({"estimator": "ironbark.RobustXGBClassifier", "params": {"multii": "ovr"}}, ["no parameter 'multii'", "'multi'"]),
    ({"estimator": "sklearn.ensemble.BaggingClassifier", "params": {"x_1": 5}}, ["no parameter 'x_1'; it has boot"]),
    (
        {
            "estimator": "sklearn.ensemble.AdaBoostClassifier",
            "params": {"estimator": {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"depth": 1}}},
        },
        ["tree.DecisionTreeClassifier has no parameter 'depth'", "'max_depth'"],
    ),
    (method_of({}, TREE), ["has no parameter 'max_dept'", "did you mean 'max_depth'?"]),
]


def pipeline(*steps, **more):
    return {"estimator": "sklearn.pipeline.Pipeline", "params": {"steps": list(map(list, steps))}} | more


def tried(**grid):
    return {"tune": {"cv": 2, "grid": grid}}


SCALE = ["scale", {"estimator": "sklearn.preprocessing.StandardScaler"}]
BAG = {"estimator": "sklearn.ensemble.BaggingClassifier", "params": {"estimator": {"estimator": TREE}}}

INNER = [
    (pipeline(["scale", {"estimator": "json.JSONDecodr"}]), ["did you mean 'JSONDecoder'?"]),
    (pipeline(["t", {"estimator": TREE, "params": {"max_dept": 1}}]), ["no parameter 'max_dept'", "'max_depth'"]),
    (pipeline(SCALE, **tried(scale__with_sd=[1])), ["no parameter 'with_sd'", "'with_std'"]),
    (pipeline(SCALE, **tried(scael__with_std=[1])), ["Pipeline has no parameter 'scael__with_std'"]),
    (pipeline(["t", {"estimator": TREE}], **tried(t__lamb=[1])), ["no parameter 'lamb'", "did you mean"]),
    (pipeline(["t", {"estimator": TREE, "parms": {}}]), [f"'{TREE}' has the unknown key 'parms'", "'params'"]),
    (pipeline(["t", {"estimator": TREE, "tune": {}}]), ["unknown key 'tune'", "it may have estimator, params only"]),
    (pipeline(["t", {"estimator": TREE, "params": None}]), [f"'{TREE}' has no parameters in `params`", "write names"]),
    (pipeline(["t", {"estimator": 3}]), ["the inner estimator 3 is no import path", "'sklearn"]),
    ({"estimator": "sklearn.pipeline.Pipeline", "params": {"step": []}}, ["no parameter 'step'", "'steps'?"]),
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


@pytest.mark.parametrize("path", ["lightgbm.LGBMClassifier", "ironbark.RobustLGBMClassifier"])
def test_parameters_of_lightgbm_s_core_are_none_of_the_planner_s_business(path):
    from lightgbm.basic import _ConfigAliases

    names = {name for names in _ConfigAliases._get_all_param_aliases().values() for name in names}
    estimators.check({"estimator": path, "params": dict.fromkeys(names)})


@pytest.mark.parametrize("path", ["xgboost.XGBClassifier", "ironbark.RobustXGBClassifier"])
def test_nor_are_those_of_xgboost_s(path):
    names = ("eta", "lambda", "alpha", "seed", "nthread", "updater", "rate_drop", "skip_drop", "min_split_loss")
    estimators.check({"estimator": path, "params": dict.fromkeys(names)})


def test_estimators_within_estimators_count():
    stump = {"estimator": "own_trees.Stump", "params": {"max_depth": 1}}
    method = {"estimator": "sklearn.ensemble.AdaBoostClassifier", "params": {"estimator": stump}}
    assert estimators.modules(method) == ["sklearn.ensemble", "own_trees"]
    found = estimators.modules(pipeline(SCALE, ["tree", BAG]))
    assert found[:3] == ["sklearn.pipeline", "sklearn.preprocessing", "sklearn.ensemble"]
    assert "ironbark.tree.classifier" in found
    light = {"estimator": "ironbark.NoiseCorrectedClassifier", "params": {"estimator": {"estimator": "lightgbm.L"}}}
    assert "lightgbm" in estimators.modules(light) and "lightgbm" in estimators.code_of(light)["libraries"]


def test_parameters_of_inner_estimators_may_be_tuned():
    grid = {"scale__with_std": [True], "bag__estimator__max_depth": [1], "bag__n_estimators": [2], "scale": [None]}
    assert estimators.check(pipeline(SCALE, ["bag", BAG], **tried(**grid))) == {"binary", "multiclass"}

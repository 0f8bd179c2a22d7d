"""What the planner knows of estimators without importing them, against the estimators themselves."""

import importlib
import inspect
import sys

import pytest
from sklearn.base import ClassifierMixin, ClusterMixin, OutlierMixin, RegressorMixin
from sklearn.utils import all_estimators

import ironbark
from ironbark import _PUBLIC
from ironbark.errors import InputError
from ironbark.pipeline.plan import keys
from ironbark.pipeline.plan.config import classes, estimators, packages
from ironbark.pipeline.protocols.methods import BUILT_ON

pytestmark = pytest.mark.usefixtures("described")
EXPERIMENTAL = ("HalvingGridSearchCV", "HalvingRandomSearchCV", "IterativeImputer")
SCALER = "sklearn.preprocessing.StandardScaler"
MINE = """
from abc import ABC
import sklearn.base
from sklearn import tree

print("what a module prints is no answer")

class Mine(sklearn.base.ClassifierMixin, sklearn.base.BaseEstimator, ABC):
    def __init__(self, depth=1, *, width=2): pass
    def fit(self, X, y): return self
    def predict(self, X): return X

class Deeper(Mine):
    def __init__(self, random_state, extra=0, **keywords): pass

class Tree(tree.DecisionTreeClassifier): pass

class Duck: fit = Mine.fit

def build(): return Mine()

made = type("Made", (Mine,), {})
"""

GOOD = [("Mine", {"width": 1}), ("Deeper", {"extra": 1, "depth": 2}), ("Tree", {"max_depth": 3}), ("made", {})]

#: Import path, in the module above if it is one name; parameters; parts of the sentence.
BAD = [
    ("Mein", {}, ["module 'own_module' has no class 'Mein'; did you mean 'Mine'?"]),
    ("Mine", {"dept": 3}, ["own_module.Mine has no parameter 'dept'; did you mean 'depth'?"]),
    ("Mine", {"inner__random_state": 3}, ["seed of each fit is set by the pipeline; take 'inner__random_state' out"]),
    ("Deeper", {"widht": 3}, ["no parameter 'widht'; did you mean 'width'?"]),
    ("Duck", {}, ["no scikit-learn-compatible classifier, it has no predict, get_params, set_params"]),
    ("build", {}, ["module 'own_module' has no class 'build'"]),
    ("sklearn.tree.DecisionTreeRegressor", {}, ["is a regressor", "mean 'sklearn.tree.DecisionTreeClassifier'?"]),
    (SCALER, {}, ["is no scikit-learn-compatible classifier, it has no predict"]),
    ("sklearn.tre.DecisionTreeClassifier", {}, ["No module named 'sklearn.tre'"]),
]


def path_of(name):
    return name if "." in name else f"own_module.{name}"


def refused(method):
    with pytest.raises(InputError) as caught:
        estimators.check(method)
    return str(caught.value)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Folder of the module above, from which it can be imported."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "own_module.py").write_text(MINE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(folder)])
        importlib.invalidate_caches()
        yield folder


@pytest.fixture(scope="module")
def known(folder):
    """Descriptions of all classes of the tables above, from one process."""
    return classes.look_up([*(path_of(name) for name, *_ in GOOD + BAD), SCALER])


@pytest.fixture
def remembered(known, monkeypatch):
    """Mistakes are not looked at again."""
    monkeypatch.setattr(classes, "look_up", lambda paths: {path: known[path] for path in paths})


def test_parameters_and_kind_of_all_of_scikit_learn(monkeypatch):
    paths = {cls: f"{cls.__module__.partition('._')[0]}.{cls.__name__}" for _, cls in all_estimators()}
    modules = {cls: importlib.import_module(path.rpartition(".")[0]) for cls, path in paths.items()}
    found = [cls for cls in paths if hasattr(modules[cls], cls.__name__) and not hasattr(cls, "__getattr__")]
    found = [cls for cls in found if cls.__name__ not in EXPERIMENTAL]  # there only where another test enables them
    assert len(found) > 150
    descriptions = classes.look_up(paths[cls] for cls in found)
    monkeypatch.setattr(classes, "look_up", lambda asked: {path: descriptions[path] for path in asked})
    for cls in found:
        assert set(classes.find(paths[cls])["parameters"]) == set(cls._get_param_names()), cls
        if issubclass(cls, ClassifierMixin):
            classes.check_kind(paths[cls])
        elif issubclass(cls, (RegressorMixin, ClusterMixin, OutlierMixin)) or not hasattr(cls, "predict"):
            with pytest.raises(InputError):
                classes.check_kind(paths[cls])


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize(("name", "params"), GOOD)
def test_a_users_class_is_accepted(name, params):
    estimators.check({"estimator": SCALER}, inner=True)  # need not be a classifier
    assert estimators.check({"estimator": path_of(name), "params": params}) == {"binary", "multiclass"}


@pytest.mark.usefixtures("remembered")
@pytest.mark.parametrize(("name", "params", "parts"), BAD, ids=[f"{name} {params}" for name, params, _ in BAD])
def test_mistakes(name, params, parts):
    sentence = refused({"estimator": path_of(name), "params": params})
    assert all(part in sentence for part in parts), sentence


@pytest.mark.parametrize(
    ("source", "within", "message"),
    [
        ("class Mine:\n    def fit(self\n", "", "SyntaxError: '(' was never closed"),
        ("import os\nos.nothing\n", ".within", "AttributeError: module 'os' has no attribute 'nothing'"),
        ("import os\nos._exit(4)\n", "", "Python ended with status 4"),
    ],
)
def test_a_module_that_cannot_be_imported(folder, source, within, message):
    (folder / "broken_module.py").write_text(source, encoding="utf-8")
    sentence = refused({"estimator": f"broken_module{within}.Mine"})
    assert message in sentence and sentence.endswith(f"correct the module 'broken_module{within}'")


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


def method_of(estimator=TREE, **space):
    """A method that is tuned by trials."""
    return {"estimator": estimator, "tune": {"trials": 10, "cv": 5, "space": space}}


FOREST, BOOSTING = "sklearn.ensemble.RandomForestClassifier", "sklearn.ensemble.AdaBoostClassifier"
INNER_TREE = {"estimator": {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"depth": 1}}}
NE = {"criterion": "negative_exponential"}
OUR_MISTAKES = [
    ({"estimator": "nosuchpackage.mod.Thing"}, ["no package or module 'nosuchpackage'", "install it", "correct"]),
    ({"estimator": "ironbark.tree.classifier.Nope"}, ["unknown estimator", "Nope", "ironbark."]),
    ({"estimator": TREE, "params": {"lamb": 1}}, ["has no parameter 'lamb'", "did you mean 'lam'?"]),
    ({"estimator": TREE, "params": {"criterion": "credal", "s": -1}}, ["s=-1 is out of range", "'credal'", ">= 0"]),
    ({"estimator": TREE, "tune": {"cv": 5, "refit": True, "grid": {"lam": [1]}}}, ["both 'cv' and 'refit'"]),
    ({"estimator": TREE, "params": NE, "tune": {"cv": 5, "grid": {"lam": [-0.5]}}}, ["lam=-0.5 is out of range"]),
    ({"estimator": TREE, "params": {"criterion": "own_gains.tsallis"}}, ["no package or module 'own_gains'"]),
    (method_of(max_depth={"low": 9, "high": 1}), ["'max_depth' runs from 9 down to 1", "exchange"]),
    (method_of(FOREST, max_dept=[1]), ["no parameter 'max_dept'", "mean 'max_depth'?"]),
    ({"estimator": FOREST, "params": {"n": 5}, "size": "rounds"}, ["`size` names 'rounds', which is not in params"]),
    *(
        ({"estimator": path, "params": {"n_estimatorz": 5}}, ["has no parameter 'n_estimatorz'", "'n_estimators'"])
        for path in (FOREST, "lightgbm.LGBMClassifier", "xgboost.XGBClassifier", "ironbark.RobustLGBMClassifier")
    ),
    ({"estimator": BOOSTING, "params": INNER_TREE}, ["DecisionTreeClassifier has no parameter 'depth'", "'max_depth'"]),
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
    (pipeline(["t", {"estimator": "sklearn.ensemble.StackingClassifier"}]), ["needs the parameter 'estimators'; set"]),
    (pipeline(["t", {"estimator": 3}]), ["the inner estimator 3 is no import path", "'sklearn"]),
]


@pytest.mark.parametrize(("method", "parts"), [*OUR_MISTAKES, *INNER])
def test_mistakes_in_methods(method, parts):
    estimators.look_up([method])  # as a plan does before
    sentence = refused(method)
    assert all(part in sentence for part in parts), sentence


def test_a_search_by_trials_needs_optuna(monkeypatch):
    find = packages.find_spec
    monkeypatch.setattr(packages, "find_spec", lambda name: None if name == "optuna" else find(name))
    estimators.check({"estimator": TREE})
    with pytest.raises(InputError, match=r"needs the package optuna, .*; run `.venv/bin/pip install -r envs/run.lock`"):
        estimators.check(method_of(max_depth=[1, 2]))


@pytest.mark.parametrize("path", ["lightgbm.LGBMClassifier", "ironbark.RobustLGBMClassifier", "xgboost.XGBClassifier"])
def test_parameters_of_the_core_of_a_library_are_accepted(path):
    from lightgbm.basic import _ConfigAliases

    names = ("eta", "lambda", "alpha", "seed", "nthread", "updater", "rate_drop", "skip_drop", "min_split_loss")
    if "LGBM" in path:
        names = {name for names in _ConfigAliases._get_all_param_aliases().values() for name in names}
    estimators.check({"estimator": path, "params": dict.fromkeys({*names} - {*estimators.SEEDS})})


def test_parameters_of_inner_estimators_may_be_tuned():
    grid = {"scale__with_std": [True], "bag__estimator__max_depth": [1], "bag__n_estimators": [2], "scale": [None]}
    assert estimators.check(pipeline(SCALE, ["bag", BAG], **tried(**grid))) == {"binary", "multiclass"}

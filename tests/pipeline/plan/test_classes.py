"""What is known of the estimators of other packages and of users' modules, against the estimators themselves."""

import importlib
import sys

import pytest
from sklearn.base import ClassifierMixin, ClusterMixin, OutlierMixin, RegressorMixin
from sklearn.utils import all_estimators

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import classes, estimators

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
    def __init__(self, extra=0, **keywords): pass

class Tree(tree.DecisionTreeClassifier): pass

class Duck:
    def fit(self, X, y): return self

def build(): return Mine()

made = type("Made", (Mine,), {})
"""

GOOD = [("Mine", {"depth": 3, "width": 1}), ("Deeper", {"extra": 1, "depth": 2}), ("Tree", {"max_depth": 3})]
GOOD += [("made", {"depth": 1})]

#: Import path, in the module above if it is one name; parameters; parts of the sentence.
BAD = [
    ("Mein", {}, ["module 'own_module' has no class 'Mein'; did you mean 'Mine'?"]),
    ("Mine", {"dept": 3}, ["own_module.Mine has no parameter 'dept'; did you mean 'depth'?"]),
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
    ("source", "message"),
    [
        ("class Mine:\n    def fit(self\n", "SyntaxError: '(' was never closed"),
        ("import os\nos.nothing\n", "AttributeError: module 'os' has no attribute 'nothing'"),
        ("import os\nos._exit(4)\n", "Python ended with status 4"),
    ],
)
def test_a_module_that_cannot_be_imported(folder, source, message):
    (folder / "broken_module.py").write_text(source, encoding="utf-8")
    sentence = refused({"estimator": "broken_module.Mine"})
    assert message in sentence and sentence.endswith("correct the module 'broken_module'")

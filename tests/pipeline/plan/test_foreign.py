"""What is known of the estimators of other packages and of users' modules, against the estimators themselves."""

import importlib
import sys

import pytest
from sklearn.base import ClassifierMixin, ClusterMixin, OutlierMixin, RegressorMixin
from sklearn.utils import all_estimators

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.methods import classes, estimators, foreign
from ironbark.pipeline.plan.disk_cache import DiskCache


def public(cls):
    """Import path of a class of scikit-learn."""
    return f"{cls.__module__.partition('._')[0]}.{cls.__name__}"


def refused(method, inner=False):
    with pytest.raises(InputError) as caught:
        estimators.check(method, inner)
    return str(caught.value)


EXPERIMENTAL = ("HalvingGridSearchCV", "HalvingRandomSearchCV", "IterativeImputer")


def test_parameters_and_kind_of_all_of_scikit_learn(monkeypatch):
    modules = {cls: importlib.import_module(public(cls).rpartition(".")[0]) for _, cls in all_estimators()}
    found = [cls for cls in modules if hasattr(modules[cls], cls.__name__) and not hasattr(cls, "__getattr__")]
    found = [cls for cls in found if cls.__name__ not in EXPERIMENTAL]  # there only where another test enables them
    assert len(found) > 150
    remembering(monkeypatch, classes.look_up(map(public, found)))
    for cls in found:
        assert foreign.parameters(public(cls)) == set(cls._get_param_names()), cls
        if issubclass(cls, ClassifierMixin):
            foreign.check_kind(public(cls))
        elif issubclass(cls, (RegressorMixin, ClusterMixin, OutlierMixin)) or not hasattr(cls, "predict"):
            with pytest.raises(InputError):
                foreign.check_kind(public(cls))


KINDS = [
    (
        "sklearn.tree.DecisionTreeRegressor",
        ["is a regressor, no classifier", "mean 'sklearn.tree.DecisionTreeClassifier'?"],
    ),
    ("xgboost.XGBRegressor", ["is a regressor", "mean 'xgboost.XGBClassifier'?"]),
    ("lightgbm.LGBMRegressor", ["is a regressor", "mean 'lightgbm.LGBMClassifier'?"]),
    ("sklearn.cluster.KMeans", ["is a clusterer, no classifier"]),
    ("sklearn.preprocessing.StandardScaler", ["is no scikit-learn-compatible classifier, it has no predict"]),
    (
        "sklearn.tree.DecisionTreeClasifier",
        ["has no class 'DecisionTreeClasifier', did you mean 'DecisionTreeClassifier'"],
    ),
    ("sklearn.tre.DecisionTreeClassifier", ["there is no module 'sklearn.tre', did you mean 'tree'?"]),
    ("sklearn.tree.export_text", ["'sklearn.tree.export_text' is a function, no class"]),
    ("sklearn.tree", ["'sklearn.tree' is a module, no class"]),
]


def remembering(monkeypatch, known):
    """Keep what is known of some classes, mistakes too, so that one process serves many tests."""
    look_up = classes.look_up
    monkeypatch.setattr(
        classes, "look_up", lambda paths: {p: known[p] if p in known else look_up([p])[p] for p in paths}
    )


@pytest.mark.parametrize(("path", "parts"), KINDS, ids=[path for path, _ in KINDS])
def test_what_is_no_classifier_is_refused(path, parts, known, monkeypatch):
    remembering(monkeypatch, known)
    sentence = refused({"estimator": path})
    for part in parts:
        assert part in sentence, sentence


SCALER, MISSPELT = "sklearn.preprocessing.StandardScaler", "sklearn.preprocessing.StandardScalr"


def test_an_inner_estimator_need_not_be_a_classifier_but_must_be_there(known, monkeypatch):
    remembering(monkeypatch, known)
    estimators.check({"estimator": SCALER}, inner=True)
    assert "did you mean 'StandardScaler'?" in refused({"estimator": MISSPELT}, inner=True)


MINE = """
import sys
from abc import ABC

import sklearn.base
from sklearn import tree
from sklearn.tree import DecisionTreeRegressor as Base

print("what a module prints is no answer")


class Mine(sklearn.base.ClassifierMixin, sklearn.base.BaseEstimator, ABC):
    def __init__(self, depth=1, *, width=2):
        pass

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X


class Deeper(Mine):
    def __init__(self, extra=0, **keywords):
        pass


class Tree(tree.DecisionTreeClassifier):
    pass


class Numbers(Base):
    pass


class Duck:
    def fit(self, X, y):
        return self


def build():
    return Mine()


made = type("Made", (Mine,), {})
thing = Mine()
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A module of a user; the function makes an entry of a class in it."""
    (tmp_path / "mine_of_a_user.py").write_text(MINE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    importlib.invalidate_caches()
    return entry


def entry(name, **params):
    return {"estimator": f"mine_of_a_user.{name}", "params": params}


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """What is known of the names of that module and of the classes above, from one process."""
    folder = tmp_path_factory.mktemp("mine")
    names = ["Mine", "Mein", "Deeper", "Tree", "Numbers", "Duck", "build", "thing", "made"]
    (folder / "mine_of_a_user.py").write_text(MINE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(folder)])
        own = [entry(name)["estimator"] for name in names]
        return classes.look_up([*own, SCALER, MISSPELT, *(path for path, _ in KINDS)])


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("Mine", {"depth": 3, "width": 1}),
        ("Deeper", {"extra": 1, "depth": 2}),
        ("Tree", {"max_depth": 3}),
        ("made", {"depth": 1}),
    ],
)
def test_a_users_class_is_accepted(mine, known, monkeypatch, name, params):
    remembering(monkeypatch, known)
    assert estimators.check(mine(name, **params)) == {"binary", "multiclass"}


@pytest.mark.parametrize(
    ("name", "params", "part"),
    [
        ("Mein", {}, "module 'mine_of_a_user' has no class 'Mein', did you mean 'Mine'?"),
        ("Mine", {"dept": 3}, "mine_of_a_user.Mine has no parameter 'dept'; did you mean 'depth'?"),
        ("Deeper", {"widht": 3}, "has no parameter 'widht'; did you mean 'width'?"),
        ("Tree", {"max_dept": 3}, "has no parameter 'max_dept'; did you mean 'max_depth'?"),
        ("Numbers", {}, "'mine_of_a_user.Numbers' is a regressor, no classifier"),
        ("Duck", {}, "no scikit-learn-compatible classifier, it has no predict, get_params, set_params"),
        ("build", {}, "'mine_of_a_user.build' is a function, no class"),
        ("thing", {}, "'mine_of_a_user.thing' is an object, no class"),
    ],
)
def test_mistakes_in_a_users_class(mine, known, monkeypatch, name, params, part):
    remembering(monkeypatch, known)
    assert part in refused(mine(name, **params))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class Mine:\n    def fit(self\n", "SyntaxError: '(' was never closed"),
        ("import nosuchpackage\n", "ModuleNotFoundError: No module named 'nosuchpackage'"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("import os\nos._exit(4)\n", "Python ended with status 4"),
    ],
)
def test_a_module_that_cannot_be_imported(mine, tmp_path, source, message):
    (tmp_path / "mine_of_a_user.py").write_text(source, encoding="utf-8")
    sentence = refused(mine("Mine"))
    assert message in sentence and sentence.endswith("correct the module 'mine_of_a_user'")


def test_one_process_describes_several_classes_once(monkeypatch):
    calls, run = [], classes.subprocess.run
    monkeypatch.setattr(classes, "_CACHE", DiskCache("none", classes.__file__))
    monkeypatch.setattr(classes.subprocess, "run", lambda *a, **k: calls.append(a[0]) or run(*a, **k))
    paths = ["sklearn.tree.DecisionTreeClassifier", "sklearn.dummy.DummyClassifier", "sklearn.tree.Nothing"]
    assert set(classes.look_up(paths)) == set(paths) and len(calls) == 1
    foreign.check_kind(paths[1])
    assert "strategy" in foreign.parameters(paths[1]) and len(calls) == 1


def test_a_class_is_looked_up_again_once_its_file_changes(mine, tmp_path):
    source = "class Mine:\n    def __init__(self, depth=1):\n        pass\n"
    for name in ("depth", "height"):
        (tmp_path / "mine_of_a_user.py").write_text(source.replace("depth", name), encoding="utf-8")
        assert name in foreign.parameters("mine_of_a_user.Mine")

"""From an entry to a seeded estimator, with a sentence for what it cannot be made of."""

import importlib

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.estimators import is_ours
from ironbark.pipeline.protocols.methods import ENCODED, load, make, takes_encoded

SK = "sklearn.tree.DecisionTreeClassifier"


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("nosuchpackage.Thing", ["cannot import 'nosuchpackage.Thing'", "install its package"]),
        ("sklearn.tree.NoSuchTree", ["'sklearn.tree' has no class 'NoSuchTree'", "correct the import path"]),
        ("json.dumps", ["'json.dumps' is no class", "scikit-learn-compatible classifier"]),
    ],
)
def test_load_refuses(path, parts):
    with pytest.raises(InputError) as caught:
        load(path)
    for part in parts:
        assert part in str(caught.value)


def test_make_sets_parameters_and_seed():
    method = {"estimator": SK, "params": {"max_depth": 3, "criterion": "entropy"}}
    tree = make(method, 7, max_depth=5)
    assert (tree.random_state, tree.max_depth, tree.criterion) == (7, 5, "entropy")
    assert method["params"] == {"max_depth": 3, "criterion": "entropy"}
    assert make({"estimator": SK, "params": {"random_state": 1}}, 7).random_state == 1
    make({"estimator": "sklearn.neighbors.KNeighborsClassifier", "params": {"n_neighbors": 2}}, 7)  # has no seed


@pytest.mark.parametrize("name", ENCODED)
def test_estimators_that_take_encoded_features(name):
    method = {"estimator": f"ironbark.{name}"}
    assert is_ours(method) and takes_encoded(method)
    module = importlib.import_module("ironbark")
    assert name in module.__all__
    assert not takes_encoded({"estimator": f"elsewhere.{name}"})
    assert not takes_encoded({"estimator": SK})


@pytest.mark.parametrize("path", ["lightgbm.LGBMClassifier", "ironbark.RobustLGBMClassifier"])
def test_lightgbm_takes_what_its_class_does_not_list(path):
    method = {"estimator": path, "params": {"verbose": -1, "is_unbalance": True}}
    expected = {"verbose": -1, "is_unbalance": True, "random_state": 3, "num_leaves": 5}
    assert make(method, 3, num_leaves=5).get_params().items() >= expected.items()


def test_a_parameter_may_be_an_estimator():
    tree = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": 3}}
    method = {"estimator": "sklearn.ensemble.AdaBoostClassifier", "params": {"estimator": tree, "n_estimators": 7}}
    model = make(method, 5)
    assert (model.estimator.max_depth, model.estimator.random_state, model.n_estimators) == (3, 5, 7)
    assert make(method, 5, estimator__max_depth=2).estimator.max_depth == 2
    assert make(method, 5).estimator.max_depth == 3
    with pytest.raises(InputError, match="no parameter 'estimator__max_dept'"):
        make(method, 5, estimator__max_dept=2)

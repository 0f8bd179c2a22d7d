"""Parameters that the planner computes with are numbers before it does."""

import math

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.methods import sizes
from ironbark.pipeline.plan.cost import fits
from ironbark.pipeline.plan.specs import Plan

FOREST, TREE = "sklearn.ensemble.RandomForestClassifier", "ironbark.RobustDecisionTreeClassifier"

WRONG = [
    (FOREST, {"max_depth": "None"}, "max_depth='None' is no number; write null (YAML reads None as text)"),
    (FOREST, {"max_depth": "1e1"}, "write 1.0e+1 (YAML reads 1e1 as text)"),
    (FOREST, {"max_depth": "5"}, "max_depth='5' is no number; write a number without quotes, or null for none"),
    (FOREST, {"max_depth": [3]}, "max_depth=[3] is no number; write one number"),
    (FOREST, {"max_depth": math.inf}, "max_depth=inf is no number"),
    (FOREST, {"max_features": "sqrt "}, "max_features='sqrt ' is no number, did you mean 'sqrt'?"),
    (FOREST, {"max_features": "5e-1"}, "write 5.0e-1 (YAML reads 5e-1 as text)"),
    (FOREST, {"max_features": "all"}, "write a number without quotes, sqrt, log2, or null for none"),
    (FOREST, {"max_samples": "0.5"}, "max_samples='0.5' is no number"),
    (FOREST, {"n_estimators": "100"}, "n_estimators='100' is no number"),
    (TREE, {"max_features": "5e-1"}, "write 5.0e-1"),
    (TREE, {"max_depth": "None"}, "write null"),
    ("ironbark.RobustLGBMClassifier", {"num_leaves": "1e1"}, "write 1.0e+1"),
    ("lightgbm.LGBMClassifier", {"num_leaves": "1e1"}, "num_leaves='1e1' is no number; write 1.0e+1"),
    ("sklearn.ensemble.HistGradientBoostingClassifier", {"max_iter": "1e2"}, "write 1.0e+2"),
    (
        "sklearn.ensemble.BaggingClassifier",
        {"estimator": {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": "None"}}},
        "max_depth='None' is no number",
    ),
]


@pytest.mark.parametrize(("estimator", "params", "sentence"), WRONG)
def test_planning_refuses_a_text(config, study, estimator, params, sentence):
    config["methods"]["mine"] = {"estimator": estimator, "params": params}
    study["grids"][0]["methods"].append("mine")
    with pytest.raises(InputError) as caught:
        Plan(config).study("small", "full")
    assert "study 'small'" in str(caught.value) and "method 'mine'" in str(caught.value)
    assert sentence in str(caught.value)


def test_values_that_are_tried_and_sizes_with_another_name():
    entry = {"estimator": FOREST, "tune": {"cv": 2, "grid": {"max_depth": [3, "None"]}}}
    with pytest.raises(InputError, match="max_depth='None' is no number; write null"):
        sizes.check(entry)
    with pytest.raises(InputError, match="steps='1e3' is no number"):
        sizes.check({"estimator": "a.B", "params": {"steps": "1e3"}, "size": "steps"})


@pytest.mark.parametrize(
    "params",
    [{"max_depth": None}, {"max_features": "sqrt"}, {"max_features": 0.5}, {"max_leaf_nodes": "auto"}, {"C": "None"}],
)
def test_what_is_allowed(params):
    sizes.check({"estimator": FOREST, "params": params})


@pytest.mark.parametrize("name", [name for name, words in sizes.SIZES.items() if words])
def test_the_planner_computes_with_the_words(name):
    for word in sizes.SIZES[name]:
        method = {"estimator": TREE, "params": {name: word}, "tune": {}}
        protocol = {"kind": "fixed-split", "repeats": 1, "options": {}}
        assert fits.seconds(method, {"n": 100}, "binary", protocol) > 0

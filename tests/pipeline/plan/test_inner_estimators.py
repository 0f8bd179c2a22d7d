"""Estimators within estimators, as the planner checks them."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.methods import estimators

TREE = "ironbark.RobustDecisionTreeClassifier"


def test_estimators_within_estimators_count():
    stump = {"estimator": "own_trees.Stump", "params": {"max_depth": 1}}
    method = {"estimator": "sklearn.ensemble.AdaBoostClassifier", "params": {"estimator": stump}}
    assert estimators.modules(method) == ["sklearn.ensemble", "own_trees"]


def pipeline(*steps, **more):
    return {"estimator": "sklearn.pipeline.Pipeline", "params": {"steps": list(map(list, steps))}} | more


SCALE = ["scale", {"estimator": "sklearn.preprocessing.StandardScaler"}]


def test_estimators_within_lists_count_at_any_depth():
    inner = {"estimator": "sklearn.ensemble.BaggingClassifier", "params": {"estimator": {"estimator": TREE}}}
    found = estimators.modules(pipeline(SCALE, ["tree", inner]))
    assert found[:3] == ["sklearn.pipeline", "sklearn.preprocessing", "sklearn.ensemble"]
    assert "ironbark.tree.classifier" in found


@pytest.mark.parametrize(
    ("inner", "module"), [(TREE, "ironbark.tree.classifier"), ("lightgbm.LGBMClassifier", "lightgbm")]
)
def test_estimators_within_one_of_ours_count(inner, module):
    plain = {"estimator": "ironbark.NoiseCorrectedClassifier", "params": {"noise_matrix": "estimate"}}
    method = {**plain, "params": {**plain["params"], "estimator": {"estimator": inner}}}
    assert module in estimators.modules(method)
    assert ("lightgbm" in estimators.code_of(method)["libraries"]) == (module == "lightgbm")


def test_parameters_of_inner_estimators_may_be_tuned():
    tree = {"estimator": TREE}
    grid = {"scale__with_std": [True], "bag__estimator__max_depth": [1], "bag__n_estimators": [2], "scale": [None]}
    bag = {"estimator": "sklearn.ensemble.BaggingClassifier", "params": {"estimator": tree}}
    tune = {"cv": 2, "grid": grid}
    assert estimators.check(pipeline(SCALE, ["bag", bag], tune=tune)) == {"binary", "multiclass"}


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (pipeline(["scale", {"estimator": "json.JSONDecodr"}]), "did you mean 'JSONDecoder'?"),  # imported in no time
        (
            pipeline(["t", {"estimator": TREE, "params": {"max_dept": 1}}]),
            "no parameter 'max_dept', did you mean 'max_depth'",
        ),
        (
            pipeline(SCALE, tune={"cv": 2, "grid": {"scale__with_sd": [1]}}),
            "no parameter 'with_sd'; did you mean 'with_std'",
        ),
        (
            pipeline(SCALE, tune={"cv": 2, "grid": {"scael__with_std": [1]}}),
            "Pipeline has no parameter 'scael__with_std'",
        ),
        (
            pipeline(["t", {"estimator": TREE, "parms": {"max_depth": 1}}]),
            f"inner estimator '{TREE}' has the unknown key 'parms'; did you mean 'params'?",
        ),
        (
            pipeline(["t", {"estimator": TREE, "tune": {}}]),
            f"inner estimator '{TREE}' has the unknown key 'tune'; it may have estimator, params only",
        ),
        (
            pipeline(["t", {"estimator": TREE, "params": None}]),
            f"`params` of the inner estimator '{TREE}' is empty; write parameters with values, or leave it out",
        ),
        (pipeline(["t", {"estimator": 3}]), "the inner estimator 3 is no import path; write one such as 'sklearn"),
        (
            pipeline(["t", {"estimator": TREE}], tune={"cv": 2, "grid": {"t__lamb": [1]}}),
            "no parameter 'lamb', did you mean",
        ),
        (
            {"estimator": "sklearn.pipeline.Pipeline", "params": {"step": []}},
            "no parameter 'step'; did you mean 'steps'?",
        ),
    ],
)
def test_mistakes_in_inner_estimators(method, sentence):
    estimators.look_up([method])  # as a plan does before
    with pytest.raises(InputError) as caught:
        estimators.check(method)
    assert sentence in str(caught.value)

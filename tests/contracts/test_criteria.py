"""What every criterion promises to users of the estimators."""

import numpy as np
import pytest
from sklearn.base import clone

from ironbark import InputError, RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.criteria import CRITERIA, check_parameter, resolve

ESTIMATORS = [
    RobustDecisionTreeClassifier(random_state=0, ccp_alpha=0.0),
    RobustRandomForestClassifier(5, max_features=2, random_state=0, ccp_alpha=0.0),
]
WITH_PARAMETER = [name for name, entry in CRITERIA.items() if entry.parameter]


def problem(n_classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    return X, np.digitize(X[:, 0], np.linspace(-0.7, 0.7, n_classes - 1))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("estimator", [ESTIMATORS[0], pytest.param(ESTIMATORS[1], marks=pytest.mark.slow)])
def test_every_criterion_learns_an_easy_problem(estimator, name, n_classes):
    X, y = problem(n_classes)
    model = clone(estimator).set_params(criterion=name)
    if n_classes > 2 and "multiclass" not in CRITERIA[name].tasks:
        with pytest.raises(ValueError, match="needs two classes, but y has 4"):
            model.fit(X, y)
    else:
        assert model.fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("name", WITH_PARAMETER)
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("value", [-0.01, float("nan"), "0.5", None])
def test_parameters_out_of_range_are_refused(estimator, name, value):
    parameter = CRITERIA[name].parameter
    with pytest.raises(ValueError, match=f"'?{parameter}'?"):
        clone(estimator).set_params(criterion=name, **{parameter: value}).fit(*problem(2))
    with pytest.raises(InputError, match=f"{parameter}=.* is out of range for criterion '{name}'"):
        check_parameter(name, value)


@pytest.mark.parametrize("name", WITH_PARAMETER)
@pytest.mark.parametrize("value", [0, 0.25, 1, np.float32(0.5), np.int64(2)])
def test_parameters_in_range_are_taken(name, value):
    X, y = problem(2)
    tree = RobustDecisionTreeClassifier(name, ccp_alpha=0.0, **{CRITERIA[name].parameter: value}).fit(X, y)
    assert tree.get_n_leaves() > 1


@pytest.mark.parametrize(
    ("name", "hint"),
    [("gimi", "'gini'"), ("two-ing", "'twoing'"), ("neg_exponential", "'negative_exponential'"), (7, "choose one of")],
)
def test_unknown_names_get_the_nearest_one(name, hint):
    with pytest.raises(InputError, match=f"unknown criterion {name!r}.*{hint}"):
        resolve(name)

"""What every criterion promises to users of the estimators."""

import numpy as np
import pytest
from tree.shared import Tree

from ironbark import InputError
from ironbark.criteria import CRITERIA, check_parameter

WITH_PARAMETER = [name for name, entry in CRITERIA.items() if entry.parameter]


def problem(n_classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    return X, np.digitize(X[:, 0], np.linspace(-0.7, 0.7, n_classes - 1))


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("name", CRITERIA)
def test_every_criterion_learns_an_easy_problem(name, n_classes):
    X, y = problem(n_classes)
    if n_classes > 2 and "multiclass" not in CRITERIA[name].tasks:
        with pytest.raises(ValueError, match="needs two classes, but y has 4"):
            Tree(name).fit(X, y)
    else:
        assert Tree(name).fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("name", WITH_PARAMETER)
def test_parameters_in_range_are_taken_and_others_refused(name):
    parameter = CRITERIA[name].parameter
    for value in (0, 0.25, 1, np.float32(0.5), np.int64(2)):
        tree = Tree(name, **{parameter: value}).fit(*problem(2))
        assert tree.get_n_leaves() > 1
    for value in (-0.01, float("nan"), "0.5", None):
        with pytest.raises(InputError, match=f"{parameter}=.* is out of range for criterion '{name}'"):
            check_parameter(name, value)
        with pytest.raises(ValueError, match=f"'?{parameter}'?"):
            Tree(name, **{parameter: value}).fit(*problem(2))

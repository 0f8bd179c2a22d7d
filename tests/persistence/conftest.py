"""A small noisy problem, and models fitted on it."""

import warnings

import numpy as np
import pytest

import ironbark
from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier


@pytest.fixture(scope="session")
def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 4)).round(2)
    return X, np.where(rng.random(120) < 0.2, rng.integers(0, 3, 120), (X[:, 0] > 0) + (X[:, 1] > 1).astype(int))


@pytest.fixture(scope="session")
def tree(problem):
    return RobustDecisionTreeClassifier(random_state=0, ccp_alpha=0.0).fit(*problem)


@pytest.fixture(scope="session")
def forest(problem):
    X, y = problem
    model = RobustRandomForestClassifier(5, oob_score=True, warm_start=True, max_leaf_nodes=9, random_state=0)
    with warnings.catch_warnings(action="ignore"):  # samples that no tree left out
        return model.fit(X, np.array(["a", "bc", "d"])[y])


@pytest.fixture
def path(forest, tmp_path):
    """File of the forest."""
    ironbark.save(forest, tmp_path / "model")
    return tmp_path / "model"

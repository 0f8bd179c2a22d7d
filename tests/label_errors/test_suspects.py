"""`find_label_errors`: one row for each sample, from most to least suspicious."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from ironbark import LabelErrorDetector, RobustRandomForestClassifier, find_label_errors
from ironbark.errors import InputError
from ironbark.label_errors import BoostingFilter, HighAgreementFilter, PartitionFilter

PLANTED = [3, 60, 120]


@pytest.fixture(scope="module")
def problem():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])
    y[PLANTED] = [1, 0, 0]
    return X, names[y]


@pytest.mark.parametrize("cut", ["count", "precision", 0.1])
def test_table(problem, cut):
    X, y = problem
    frame = pd.DataFrame(X, columns=list("abcd"), index=[f"row{i}" for i in range(150)])
    plain = LabelErrorDetector(n_estimators=20, random_state=0)
    found = find_label_errors(frame, y, detector=plain, cut=cut)
    assert sorted(found.index) == sorted(frame.index) and {f"row{i}" for i in PLANTED} <= set(found.index[:8])
    assert found.quality.is_monotonic_increasing
    assert found.loc["row3", ["given", "suggested", "is_error"]].tolist() == ["versicolor", "setosa", True]
    detector = clone(plain).set_params(cut=cut).fit(frame, y)
    assert np.array_equal(found.is_error, detector.is_error_[detector.ranking_]) and plain.cut == "count"
    interval, matrix = detector.noise_rate_interval_.tolist(), detector.noise_matrix_.tolist()
    estimate = {"noise_rate": detector.noise_rate_, "noise_rate_interval": interval, "noise_matrix": matrix}
    assert found.attrs == {**estimate, "classes": ["setosa", "versicolor", "virginica"], "cut": cut}
    assert json.loads(json.dumps(found.attrs)) == pd.concat([found, found]).attrs == found.attrs


@pytest.mark.parametrize(
    "detector", [LabelErrorDetector(GaussianNB()), PartitionFilter(), HighAgreementFilter(10), BoostingFilter()]
)
def test_conflicts_and_detectors_without_leaves(problem, detector):
    X, y = problem
    X, y = np.vstack([X, X[:1]]), np.append(y, "virginica")
    found = find_label_errors(X, y, detector=detector.set_params(random_state=0))
    assert found.quality.is_monotonic_increasing and found.is_error.sum() >= 3
    assert found.conflict.loc[0] == found.conflict.loc[150] == 0
    assert (found.conflict == -1).sum() >= 140 and "neighbours" not in found
    if isinstance(detector, BoostingFilter):
        with pytest.raises(InputError, match="BoostingFilter has no cut; leave it out"):
            find_label_errors(X, y, detector=detector, cut=0.1)
    assert isinstance(detector, LabelErrorDetector) or found.attrs == {"noise_rate": found.is_error.mean()}


@pytest.mark.parametrize(
    "estimator",
    [
        RobustRandomForestClassifier(20, random_state=0),
        DecisionTreeClassifier(min_samples_leaf=10, random_state=0),
        GradientBoostingClassifier(n_estimators=5, random_state=0),
    ],
)
def test_neighbours_share_leaves_and_carry_the_suggested_label(problem, estimator):
    """`apply` of a tree gives one leaf, that of boosting a number for each tree and class."""
    X, y = problem
    found = find_label_errors(X, y, detector=LabelErrorDetector(estimator, random_state=0))
    leaves = clone(estimator).fit(X, y).apply(X).reshape(len(y), -1)
    errors = found[found.is_error]
    assert errors.neighbours.map(len).between(0, 3).all() and errors.neighbours.map(len).any()
    for position, row in errors.iterrows():
        assert position not in row.neighbours and set(y[list(row.neighbours)]) <= {row.suggested}
        shared = (leaves[position] == leaves).mean(axis=1)
        assert list(row.shares) == pytest.approx(shared[list(row.neighbours)])
        known = np.sort(found.index[(found.given == row.suggested) & ~found.is_error])
        most = known[np.argsort(-shared[known], kind="stable")][:3]
        assert list(row.neighbours) == list(most[shared[most] > 0])
    assert (found[~found.is_error].neighbours.map(len) == 0).all()


def test_overlap_that_breaks_the_precision_is_said():
    rng = np.random.default_rng(0)
    y = np.arange(600) % 2
    apart, overlapping = (rng.normal(size=(600, 3)) + distance * y[:, None] for distance in (6, 0.8))
    y[rng.random(600) < 0.1] ^= 1
    said = "the predictions contradict .* of the labels, but .* are estimated to be wrong, so classes may overlap; then"
    with pytest.warns(UserWarning, match=said):
        assert find_label_errors(overlapping, y, cut="precision").is_error.any()
    with warnings.catch_warnings(action="error"):
        assert find_label_errors(apart, y, cut="precision").is_error.any()
        find_label_errors(overlapping, y)

"""RobustXGBClassifier and RobustLGBMClassifier: defaults for any number of classes, and a warning of divergence."""

import re
import warnings

import numpy as np
import pytest
from gbdt_cases import both, make, problem
from scipy.special import log_expit, logit
from sklearn.datasets import load_digits, load_wine
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedShuffleSplit

from ironbark import RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt.base import Objective, required, warn_of_divergence
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.noise import corrupt

PLAIN = {
    RobustLGBMClassifier: lambda: required("lightgbm", "a test").LGBMClassifier(n_jobs=1, verbose=-1),
    RobustXGBClassifier: lambda: required("xgboost", "a test").XGBClassifier(n_jobs=1),
}


@both
@pytest.mark.parametrize(("load", "rows", "repeats"), [(load_digits, 900, 2), (load_wine, 178, 16)])
def test_the_default_loses_at_most_one_point_to_the_library(kind, load, rows, repeats):
    X, y = load(return_X_y=True)
    kept = np.random.default_rng(0).permutation(len(y))[:rows]
    X, y = X[kept], y[kept]
    differences = []
    for train, test in StratifiedShuffleSplit(repeats, test_size=0.3, random_state=0).split(X, y):
        ours, theirs = (model.fit(X[train], y[train]).score(X[test], y[test]) for model in (kind(), PLAIN[kind]()))
        differences.append(ours - theirs)
    assert np.mean(differences) > -0.01


def test_the_softmax_of_the_authors_code_is_warned_of_on_digits():
    X, y = load_digits(return_X_y=True)
    with pytest.warns(
        UserWarning, match="training diverged: its log loss is .*, that of the class shares 2.3; use multi"
    ):
        model = RobustLGBMClassifier(multi="softmax").fit(X, y)
    assert log_loss(y, model.predict_proba(X)) > np.log(10) and model.score(X, y) < 0.6


@both
@pytest.mark.parametrize("n_classes", [2, 6])
@pytest.mark.parametrize("rate", [0.0, 0.4])
@pytest.mark.parametrize(
    "params",
    [
        {},
        {"n_estimators": 1},
        {"learning_rate": 0.001},
        {"q": 0.9, "max_depth": 1, "n_estimators": 60, "learning_rate": 0.1},
    ],
    ids=str,
)
def test_slow_learning_and_wrong_labels_are_not_warned_of(kind, n_classes, rate, params):
    X, y = problem(n_classes, n=400)
    y = np.where((y == 1) & (np.arange(len(y)) % 4 > 0), 0, y)  # a rare class, far from p = 1 / K
    noisy = corrupt("uniform", None, y, rate=rate, random_state=0) if rate else y
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make(kind, min_child_weight=1e-3, **params).fit(X, noisy)


def test_long_steps_of_a_loss_that_is_far_from_convex_are_warned_of():
    X, y = problem(6, n=400)
    params = {"q": 0.9, "max_depth": 1, "n_estimators": 60, "min_child_weight": 1e-3}
    with pytest.warns(UserWarning, match="use a smaller learning_rate, a larger reg_lambda, or smaller r and q"):
        model = make(RobustLGBMClassifier, learning_rate=1.0, **params).fit(X, y)
    assert model.score(X, y) < make(RobustLGBMClassifier, learning_rate=0.1, **params).fit(X, y).score(X, y) - 0.2


def ended(multi, scores, y, n_classes, weight=None):
    objective = Objective(BoostingLoss("robust_focal", multi), n_classes, None)
    objective(y.astype(np.float32), scores, weight)
    return objective


@pytest.mark.parametrize("multi", ["ovr", "softmax"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_class_shares_are_the_border(multi, n_classes):
    """A model that is the class shares is not warned of, one a little worse than equal shares and they is."""
    y = np.arange(60) % n_classes
    weight = np.random.default_rng(0).uniform(0.5, 2, 60)
    shares = np.bincount(y, weight) / weight.sum()
    scores = (
        np.full(60, logit(shares[1]))
        if n_classes == 2
        else np.tile(logit(shares) if multi == "ovr" else np.log(shares), (60, 1))
    )
    same = ended(multi, scores, y, n_classes, weight)
    wrong = np.where(y == 1, -9.0, 9.0) if n_classes == 2 else np.where(np.arange(3) == y[:, None], -9.0, 9.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_divergence(same)
        warn_of_divergence(same)  # the scores are forgotten
    objective = ended(multi, wrong, y, n_classes, weight)
    margin = log_expit(-9.0) if n_classes == 2 else None
    with pytest.warns(UserWarning, match=re.escape("training diverged: its log loss is")) as caught:
        warn_of_divergence(objective)
    text = str(caught[0].message)
    if n_classes == 2:
        assert f"its log loss is {-margin:.3g}," in text
    entropy = -(shares @ np.log(shares))
    assert f"that of the class shares {entropy:.3g};" in text
    assert ("multi='ovr'" in text) == (multi == "softmax" and n_classes == 3)
    assert objective.last is None

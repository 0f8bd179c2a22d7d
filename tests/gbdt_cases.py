"""RobustXGBClassifier and RobustLGBMClassifier beside the classes that they build upon, for tests."""

import lightgbm
import numpy as np
import pytest
import xgboost

from ironbark import RobustLGBMClassifier, RobustXGBClassifier

QUIET = {RobustXGBClassifier: {}, RobustLGBMClassifier: {"verbose": -1, "min_child_samples": 5}}
FLAT = ("mean_absolute_error", "normalized_cross_entropy")  # no curvature at score 0
PARENT = {
    RobustXGBClassifier: lambda **p: xgboost.XGBClassifier(base_score=0.5, n_jobs=1, **p),
    RobustLGBMClassifier: lambda **p: lightgbm.LGBMClassifier(boost_from_average=False, n_jobs=1, **p),
}
both = pytest.mark.parametrize("kind", [RobustXGBClassifier, RobustLGBMClassifier])


def make(kind, **params):
    return kind(**{"n_estimators": 15, **QUIET[kind], **params})


def problem(n_classes=2, n=240, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    y = (X @ rng.normal(size=(5, n_classes)) + rng.normal(size=(n, n_classes))).argmax(axis=1)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


def margins(model, X):
    option = "output_margin" if isinstance(model, RobustXGBClassifier) else "raw_score"
    return model.predict(X, **{option: True})

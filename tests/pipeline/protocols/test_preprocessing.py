import numpy as np
import pytest
import scored_fits
from scipy.stats import zscore

from ironbark.errors import InputError
from ironbark.pipeline.protocols import preprocessing


def test_rows_are_scaled_as_by_scipy():
    X = np.random.default_rng(0).normal(3, 5, size=(7, 4))
    np.testing.assert_allclose(preprocessing.apply("zscore-rows", X), zscore(X, axis=1), atol=1e-14)


def test_a_row_of_equal_features_becomes_zero():
    assert preprocessing.apply("zscore-rows", [[2.0, 2.0], [1.0, 3.0]]).tolist() == [[0, 0], [-1, 1]]


def test_nothing_and_unknown_names():
    X = np.eye(2)
    assert preprocessing.apply(None, X) is X
    preprocessing.check(None)
    with pytest.raises(InputError, match="unknown preprocessing 'zscore'; choose one of zscore-rows"):
        preprocessing.check("zscore")


def test_training_and_test_features_are_scaled():
    """The class is the sign of the difference to the other feature, which scaled rows show in one split."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 1)) * 50 + rng.normal(size=(400, 2))
    y = (X[:, 0] > X[:, 1]).astype(int)
    method = {"estimator": "sklearn.tree.DecisionTreeClassifier", "params": {"max_depth": 1}, "tune": {}}
    parts = X[:200], y[:200], X[200:], y[200:]
    ids = ("d", "binary", "p", 0, 0, "clean")
    plain, scaled = (scored_fits.run(method | {"preprocess": name}, ids, *parts) for name in (None, "zscore-rows"))
    assert scaled["accuracy"] == 1 and plain["accuracy"] < 0.7

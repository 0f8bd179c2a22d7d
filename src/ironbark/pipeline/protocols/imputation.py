"""Missing feature values filled in by scikit-learn's imputers, which learn from the training part of a split alone."""

from collections.abc import Sequence

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer

from ironbark.encoding import encode


def imputed(train: np.ndarray, test: np.ndarray, strategy: str, categorical: Sequence[int] = ()):
    """Training and test features without missing values."""
    numeric = np.setdiff1d(np.arange(train.shape[1]), categorical)
    parts = [("numeric", strategy, numeric), ("categorical", "most_frequent", np.asarray(categorical, dtype=np.int64))]
    fill = ColumnTransformer(
        [(name, SimpleImputer(strategy=how, keep_empty_features=True), columns) for name, how, columns in parts]
    ).fit(train)
    back = np.argsort(np.concatenate([columns for _, _, columns in parts]))
    return fill.transform(train)[:, back], fill.transform(test)[:, back]


def categorical_places(meta: dict) -> list[int]:
    """Positions of the features of a prepared data set that were text or categories."""
    return [j for j, name in enumerate(meta["features"]) if name in meta["categories"]]


def of_split(features, split, meta: dict):
    """Training features, encoded, and test features of a split of a prepared data set that asks for imputation."""
    both = (features.take(rows).decode() for rows in (split.train, split.test))
    train, test = imputed(*both, meta["imputed"], categorical_places(meta))
    return encode(train), test

"""Missing feature values filled in by scikit-learn's imputers, which learn from the training part of a split alone."""

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer

from ironbark.encoding import encode


def imputed(train, test, strategy, categorical=()):
    """Training and test features without missing values.

    Parameters
    ----------
    train, test : ndarray of shape (n_samples, n_features), float64
        NaN is a missing value.
    strategy : {"mean", "median", "most_frequent"}
        Of the numeric features of `train`.
    categorical : sequence of int
        Features whose numbers are codes of categories; these get the most frequent one.

    Returns
    -------
    tuple of two ndarray
        A feature without any value in `train` becomes 0.
    """
    numeric = np.setdiff1d(np.arange(train.shape[1]), categorical)
    parts = [("numeric", strategy, numeric), ("categorical", "most_frequent", np.asarray(categorical, dtype=np.int64))]
    fill = ColumnTransformer(
        [(name, SimpleImputer(strategy=how, keep_empty_features=True), columns) for name, how, columns in parts]
    ).fit(train)
    back = np.argsort(np.concatenate([columns for _, _, columns in parts]))
    return fill.transform(train)[:, back], fill.transform(test)[:, back]


def of_split(features, split, meta):
    """Training features, encoded, and test features of a split of a prepared data set that asks for imputation.

    Parameters
    ----------
    features : EncodedFeatures
        Of all samples.
    split : ironbark.pipeline.results.noisy_labels.Split
    meta : dict
        Content of ``meta.json``: ``imputed`` is the strategy, ``categories`` names features that are codes.

    Returns
    -------
    tuple of EncodedFeatures and ndarray
    """
    categorical = [j for j, name in enumerate(meta["features"]) if name in meta["categories"]]
    both = (features.take(rows).decode() for rows in (split.train, split.test))
    train, test = imputed(*both, meta["imputed"], categorical)
    return encode(train), test

"""Whether a forest's trees can be kept when it grows on."""

import warnings

import numpy as np

from ironbark.tree.bootstrap import draws_of, sample_digest


def check_again(forest, X, y):
    """What the forest's `_check_training` returns; the trees that it keeps must know these classes and features.

    Raises
    ------
    ValueError
        If they do not, or if an out-of-bag score is wanted and they were drawn from other samples. The forest stays as
        it was.
    """
    if forest.n_estimators < len(forest.trees_):
        raise ValueError(
            f"n_estimators={forest.n_estimators} is less than the {len(forest.trees_)} trees that warm_start keeps."
        )
    if forest.n_estimators == len(forest.trees_):
        warnings.warn("warm_start without a larger n_estimators grows no trees.", stacklevel=4)
    before = dict(vars(forest))
    features, codes = forest._check_training(X, y)
    same_classes = np.array_equal(forest.classes_, before["classes_"])
    if not same_classes or forest.n_features_in_ != before["n_features_in_"]:
        vars(forest).update(before)
        raise ValueError("y has other classes, or X other features, than the trees that warm_start keeps.")
    draws = draws_of(forest.max_samples, len(codes))
    if forest.oob_score and sample_digest(features, codes, draws) != forest.digest_:
        vars(forest).update(before)
        raise ValueError(
            "oob_score needs the samples that all trees were drawn from, but warm_start keeps trees of other "
            "samples than X and y, or of other max_samples; fit with warm_start=False or oob_score=False."
        )
    return features, codes

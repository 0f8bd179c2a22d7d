"""Whether a forest's trees can be kept when it grows on."""

import warnings

import numpy as np

from ironbark.errors import InputError
from ironbark.tree.growing.bootstrap import bags_of, sample_digest
from ironbark.tree.size_selection import is_chosen


def kept_trees(forest):
    """The trees that the forest's next fit keeps: as they were grown, if an alpha will be chosen.

    Raises
    ------
    InputError
        If only the pruned ones are left.
    """
    if not forest.warm_start or not hasattr(forest, "trees_"):
        return []
    if not is_chosen(forest.ccp_alpha):
        return forest.trees_
    if not hasattr(forest, "_whole_trees"):
        raise InputError(
            f"the trees that warm_start keeps were pruned with ccp_alpha={forest.ccp_alpha_:g}, so no alpha can be "
            "chosen for more of them; set warm_start=True before the first fit, or give a number as ccp_alpha."
        )
    return forest._whole_trees


def check_again(forest, X, y, sample_weight):
    """What the forest's `_check_training` returns; the trees that it keeps must know these classes and features.

    Raises
    ------
    ValueError
        If they do not, or if samples out of the bag are scored and they were drawn from other samples, or with other
        weights. The forest stays as it was.
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
    weights = forest._check_weights(sample_weight, codes)
    draws = bags_of(forest.max_samples, len(codes), weights if forest.bootstrap else None).n_draws
    left_out = "oob_score" if forest.oob_score else "the choice of ccp_alpha"
    needed = forest.oob_score or is_chosen(forest.ccp_alpha)
    if needed and sample_digest(features, codes, weights, draws) != forest.digest_:
        vars(forest).update(before)
        raise ValueError(
            f"{left_out} needs the samples that all trees were drawn from, but warm_start keeps trees of other "
            "samples than X and y, or of other weights or max_samples; fit with warm_start=False, or with "
            "oob_score=False and a number as ccp_alpha."
        )
    return features, codes

"""Weights of samples and classes: checked, and multiplied into one number for each sample."""

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import column_or_1d

MAX_WEIGHT = 2**26  # criteria keep tables as long as the sum of integer weights
MOST = 2**18  # packed labels hold weights below 2**24, and a bootstrap multiplies one by less than 2**6
MAX_REAL = 1e50  # fourth powers must not overflow, nor those of the inverse vanish


def check_weights(sample_weight, class_weight, classes, codes, balance_weights=False):
    """How much each sample counts.

    Parameters
    ----------
    sample_weight : array-like of shape (n_samples,) or None
    class_weight : dict, "balanced" or None
        Weights by class; classes that are not named have weight 1.
    classes : ndarray of shape (n_classes,)
    codes : ndarray of shape (n_samples,), int
        Class index of each sample.
    balance_weights : bool
        Whether "balanced" classes have equal sums of weights, as in scikit-learn's forests, in place of factors that
        depend on their numbers of samples only, as in its trees.

    Returns
    -------
    ndarray of shape (n_samples,), or None
        None where all samples count once. int64 where weights are integers below 2**18 that sum to 2**26 at most: such
        a sample stands for so many copies. Else float64: then it is one sample, whatever its weight.

    Raises
    ------
    ValueError
        For weights that are negative, not finite, all zero, or extreme.
    """
    if sample_weight is None and class_weight is None:
        return None
    weights = np.ones(len(codes))
    if sample_weight is not None:
        weights = np.asarray(column_or_1d(sample_weight, input_name="sample_weight", warn=False), np.float64)
        if len(weights) != len(codes):
            raise ValueError(f"sample_weight has {len(weights)} entries, but y has {len(codes)}.")
        _check_numbers("sample_weight", weights)
    if class_weight is not None:
        by_class = _class_weights(class_weight, classes, codes, weights if balance_weights else None)
        _check_numbers("class_weight", by_class)
        weights = weights * by_class[codes]
    if not weights.any():
        culprit = "sample_weight" if class_weight is None else "the product of sample_weight and class_weight"
        raise ValueError(f"{culprit} is zero for all samples, so there is nothing to fit on.")
    if weights.sum() <= MAX_WEIGHT and weights.max() < MOST and (weights == np.floor(weights)).all():
        return None if (weights == 1).all() else weights.astype(np.int64)
    if not 1 / MAX_REAL <= weights.sum() <= MAX_REAL:
        raise ValueError(
            f"the weights sum to {weights.sum():g}; scale them to a sum between {1 / MAX_REAL:g} and {MAX_REAL:g}."
        )
    return weights


def _class_weights(class_weight, classes, codes, weights):
    """Weight of each class; "balanced" ones of classes without weight are 0."""
    with np.errstate(divide="ignore"):
        found = compute_class_weight(class_weight, classes=classes, y=classes[codes], sample_weight=weights)
    empty = np.bincount(codes, weights, minlength=len(classes)) == 0
    return np.where(empty, 0.0, found) if isinstance(class_weight, str) else found


def _check_numbers(name, weights):
    """Raise ValueError unless all entries are finite and not negative."""
    bad = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(bad):
        raise ValueError(f"{name} must hold finite numbers >= 0, but holds {weights[bad[0]]}.")

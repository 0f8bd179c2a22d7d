"""Weights of samples and classes: checked, and multiplied into one integer for each sample."""

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import column_or_1d

MAX_WEIGHT = 2**26  # criteria keep tables as long as the sum of the weights


def check_weights(sample_weight, class_weight, classes, codes):
    """How often each sample counts.

    Parameters
    ----------
    sample_weight : array-like of shape (n_samples,) or None
    class_weight : dict or None
        Weights by class; classes that are not named have weight 1.
    classes : ndarray of shape (n_classes,)
    codes : ndarray of shape (n_samples,), int
        Class index of each sample.

    Returns
    -------
    ndarray of shape (n_samples,), int64, or None
        None where all samples count once.

    Raises
    ------
    ValueError
        For weights that are not integers, negative, all zero or too large.
    """
    whole = np.ones(len(codes))
    if sample_weight is not None:
        whole = np.asarray(column_or_1d(sample_weight, input_name="sample_weight", warn=False), np.float64)
        if len(whole) != len(codes):
            raise ValueError(f"sample_weight has {len(whole)} entries, but y has {len(codes)}.")
        if not are_counts(whole):
            raise ValueError(
                "ironbark trees count samples exactly, so sample_weight must hold non-negative integers; "
                "scale and round the weights."
            )
    if class_weight is not None:
        whole = whole * check_class_weights(class_weight, classes, codes)[codes]
    if not whole.any():
        culprit = "sample_weight" if class_weight is None else "the product of sample_weight and class_weight"
        raise ValueError(f"{culprit} is zero for all samples, so there is nothing to fit on.")
    if whole.sum() > MAX_WEIGHT or whole.max() >= 2**18:  # a bootstrap multiplies a weight by less than 2**6
        raise ValueError(
            f"the weights sum to {whole.sum():.0f} and their maximum is {whole.max():.0f}; scale the weights "
            f"down to a sum of at most {MAX_WEIGHT} and a maximum below {2**18}."
        )
    return None if (whole == 1).all() else whole.astype(np.int64)


def check_class_weights(class_weight, classes, codes):
    """Weight of each class, ndarray of shape (n_classes,), float64."""
    if not isinstance(class_weight, dict):
        sizes = np.bincount(codes, minlength=len(classes))
        whole = np.maximum(1, np.rint(sizes.max() / sizes)).astype(int)
        near = dict(zip(classes.tolist(), whole.tolist(), strict=True))
        raise ValueError(
            f"class_weight={class_weight!r} gives fractions, and ironbark trees count samples exactly; pass a dict of "
            f"non-negative integers, for balance on these data for instance {near}."
        )
    weights = compute_class_weight(class_weight, classes=classes, y=classes)
    if not are_counts(weights):
        raise ValueError(
            f"ironbark trees count samples exactly, so class_weight must hold non-negative integers, but is "
            f"{class_weight}; scale and round the weights."
        )
    return weights


def are_counts(weights):
    """Whether all entries are non-negative integers."""
    return bool(np.isfinite(weights).all() and (weights >= 0).all() and (weights == np.floor(weights)).all())

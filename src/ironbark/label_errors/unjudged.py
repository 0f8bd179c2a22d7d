"""Warnings of labels that cannot be judged, since no model without them was fitted on their class."""

import warnings

import numpy as np

from ironbark.errors import InputError

MOST = 5  # classes that are named


def warn_of_unjudged(
    classes: np.ndarray,
    codes: np.ndarray,
    is_judged: np.ndarray,
    weights: np.ndarray | None = None,
    groups: np.ndarray | None = None,
):
    """Warn of each class with labels that cannot be judged, or refuse if all are of that kind."""
    found = np.unique(codes[~is_judged])
    sentences = [_sentence(classes, codes, is_judged, weights, groups, code) for code in found[:MOST]]
    if not is_judged.any():
        raise InputError(f"no label can be judged: {sentences[0]}; give other groups, more samples or other weights.")
    if len(found) > MOST:
        sentences.append(f"{len(found) - MOST} more classes have labels that cannot be judged")
    for sentence in sentences:
        warnings.warn(f"{sentence}; they count as right.", stacklevel=5)


def _sentence(classes, codes, is_judged, weights, groups, code):
    """What is the matter with a class."""
    is_one = codes == code
    n, n_unjudged = is_one.sum(), (is_one & ~is_judged).sum()
    if n == 1:
        reason = "has one sample"
    elif weights is not None and not weights[is_one].any():
        reason = "has no sample_weight above zero"
    elif groups is not None and len(np.unique(groups[is_one])) == 1:
        reason = "occurs in one group only"
    else:
        reason = "is missing among the samples, or those with weight, that some models were fitted on"
    which = "its labels" if n == n_unjudged else f"{n_unjudged} of its {n} labels"
    return f"class {classes.tolist()[code]!r} {reason}, so {which} cannot be judged"

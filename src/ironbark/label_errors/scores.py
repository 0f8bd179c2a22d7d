"""Label quality: how well a sample's label agrees with out-of-sample class probabilities.

All scores lie in [0, 1]; the lower, the more suspicious. They take

- ``probabilities``, ndarray of shape (n_samples, n_classes), float64, whose rows sum to 1,
- ``codes``, ndarray of shape (n_samples,), index of each label,
- ``matrix``, ndarray of shape (n_classes, n_classes), transition matrix of the noise; only `joint` uses it.
"""

import numpy as np


def self_confidence(probabilities, codes, matrix=None):
    """Probability of the given label."""
    return probabilities[np.arange(len(codes)), codes]


def normalized_margin(probabilities, codes, matrix=None):
    """Probability of the given label less the largest of the others, moved from [-1, 1] to [0, 1]."""
    return (margins(probabilities, codes) + 1) / 2


def margins(scores, codes):
    """Score of the given label less the largest of the others."""
    others = scores.copy()
    others[np.arange(len(codes)), codes] = -np.inf
    return self_confidence(scores, codes) - others.max(axis=1)


def joint(probabilities, codes, matrix):
    """Probability that the given label is the true class, given the features and the label."""
    return self_confidence(true_class_probabilities(probabilities, codes, matrix), codes)


def true_class_probabilities(probabilities, codes, matrix):
    """P(true class | features, label), proportional to P(class | features) P(label | true class)."""
    # The predictions are taken for those of the true class. Pruned trees and averages over trees leave so little of the
    # noise in them that this ranks better than to correct them for it.
    product = probabilities * matrix[:, codes].T
    return product / product.sum(axis=1, keepdims=True)


def likeliest_others(probabilities, codes, matrix):
    """Index of the most likely true class besides the given label, which stays where nothing is known (NaN)."""
    others = true_class_probabilities(probabilities, codes, matrix)
    others[np.arange(len(codes)), codes] = -1.0
    return np.where(np.isnan(others).any(axis=1), codes, others.argmax(axis=1))


def confident_learning(probabilities, codes, matrix=None):
    """Probability of the given label after subtracting class thresholds.

    The threshold of a class is the mean probability of the class over the samples that carry its label. The differences
    are raised by the largest threshold and divided by their sum.
    """
    n_classes, confidence = probabilities.shape[1], self_confidence(probabilities, codes)
    counts = np.bincount(codes, minlength=n_classes)
    thresholds = np.bincount(codes, confidence, minlength=n_classes) / np.maximum(counts, 1)
    shifted = probabilities - thresholds + thresholds.max()
    return self_confidence(shifted / shifted.sum(axis=1, keepdims=True), codes)


#: Name -> score.
SCORES = {
    "joint": joint,
    "self_confidence": self_confidence,
    "normalized_margin": normalized_margin,
    "confident_learning": confident_learning,
}

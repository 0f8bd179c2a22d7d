"""Label quality: how well a sample's label agrees with out-of-sample class probabilities.

All scores lie in [0, 1]; the lower, the more suspicious. They take ``probabilities``, ndarray of shape (n_samples,
n_classes), float64, whose rows sum to 1, and ``codes``, ndarray of shape (n_samples,) with the index of each label.
"""

import numpy as np

LEAST = 1e-6  # smallest probability that is divided by


def self_confidence(probabilities, codes):
    """Probability of the given label."""
    return probabilities[np.arange(len(codes)), codes]


def normalized_margin(probabilities, codes):
    """Probability of the given label less the largest of the others, moved from [-1, 1] to [0, 1]."""
    others = probabilities.copy()
    others[np.arange(len(codes)), codes] = -np.inf
    return (self_confidence(probabilities, codes) - others.max(axis=1) + 1) / 2


def weighted_entropy(probabilities, codes):
    """log(s + 1) / s, where s is the entropy as a share of its maximum, divided by the probability of the label."""
    logs = np.log(probabilities, out=np.zeros_like(probabilities), where=probabilities > 0)
    entropy = -(probabilities * logs).sum(axis=1) / np.log(probabilities.shape[1])
    ratio = np.maximum(entropy, 0.0) / np.maximum(self_confidence(probabilities, codes), LEAST)
    return np.log1p(ratio) / np.maximum(ratio, LEAST)


def confident_learning(probabilities, codes):
    """Probability of the given label after subtracting class thresholds.

    The threshold of a class is the mean probability of the class over the samples that carry its label. The differences
    are raised by the largest threshold and divided by their sum.

    References
    ----------
    C. Northcutt, L. Jiang, I. Chuang, "Confident Learning: Estimating Uncertainty in Dataset Labels", JAIR 70 (2021).
    """
    thresholds = class_thresholds(probabilities, codes)
    shifted = probabilities - thresholds + thresholds.max()
    return self_confidence(shifted / shifted.sum(axis=1, keepdims=True), codes)


def class_thresholds(probabilities, codes):
    """Mean probability of each class over the samples that carry its label; ndarray of shape (n_classes,)."""
    n_classes = probabilities.shape[1]
    total = np.bincount(codes, self_confidence(probabilities, codes), minlength=n_classes)
    return total / np.maximum(np.bincount(codes, minlength=n_classes), 1)


#: Name -> score.
SCORES = {
    "self_confidence": self_confidence,
    "normalized_margin": normalized_margin,
    "weighted_entropy": weighted_entropy,
    "confident_learning": confident_learning,
}

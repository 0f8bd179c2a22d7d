"""Share of wrong labels, and which classes they are confused with, from out-of-sample probabilities alone."""

import numpy as np

LEAST = 20  # samples, and
SHARE = 0.05  # part of all samples that the error rate is taken over


def noise_rate(probabilities, codes):
    """Lowest error rate of the predictions over the most confident samples.

    Returns
    -------
    float
    """
    order = np.argsort(-probabilities.max(axis=1), kind="stable")
    wrong = probabilities.argmax(axis=1)[order] != codes[order]
    least = min(max(LEAST, int(SHARE * len(codes))), len(codes))
    return float((np.cumsum(wrong) / np.arange(1, len(codes) + 1))[least - 1 :].min())


def noise_matrix(probabilities, codes, rate):
    """Row-stochastic matrix of P(label | true class) under which a share `rate` of the labels is wrong.

    Returns
    -------
    ndarray of shape (n_classes, n_classes), float64
    """
    n_classes = probabilities.shape[1]
    joint = np.zeros((n_classes, n_classes))
    np.add.at(joint, (probabilities.argmax(axis=1), codes), 1.0)
    wrong = joint.sum() - np.trace(joint)
    scale = rate * joint.sum() / wrong if wrong else 0.0
    off = joint * (1 - np.eye(n_classes)) * scale
    kept = joint.sum(axis=1) - off.sum(axis=1)
    joint = off + np.diag(np.maximum(kept, 0.0))
    total = joint.sum(axis=1, keepdims=True)
    return np.where(total > 0, joint / np.where(total > 0, total, 1.0), np.eye(n_classes))


def interval(probabilities, codes, seed, n_draws=200):
    """5 % and 95 % quantiles of `noise_rate` over bootstrap samples."""
    rng = np.random.default_rng(seed)
    draws = (rng.integers(0, len(codes), len(codes)) for _ in range(n_draws))
    return np.quantile([noise_rate(probabilities[rows], codes[rows]) for rows in draws], [0.05, 0.95])

"""Share of wrong labels and transition matrix of the noise, from out-of-sample probabilities alone.

Samples that a classifier is sure of are hardly ever near the border of two classes, so wrong labels among them are
label noise, not overlap. The error rate is taken over the surest samples: first of all classes together, then of each
predicted class, drawn towards the common one.
"""

from dataclasses import dataclass

import numpy as np

from ironbark.noise_matrix import clean_probabilities
from ironbark.noise_matrix.matrix import LARGEST_CONDITION

SHARE, LEAST = 0.2, 20  # part, and number, of the surest samples that an error rate is taken over at least
PRIOR_RATE = 60  # weight of the common error rate in that of a class, in samples
PRIOR_CONFUSION = 50  # weight of uniform noise among the wrong labels of a class, in samples
FLOOR = 1e-6  # smallest error rate in the matrix, so that no label is certain
N_DRAWS = 100
QUANTILES = 0.05, 0.95


@dataclass(frozen=True)
class NoiseEstimate:
    """Estimated label noise.

    Attributes
    ----------
    rate : float
        Share of wrong labels.
    matrix : ndarray of shape (n_classes, n_classes), float64
        Entry [i, j] is the probability that a sample of class i carries the label j.
    interval : ndarray of shape (2,), float64
        `QUANTILES` of the rate over bootstrap samples of the predictions.
    """

    rate: float
    matrix: np.ndarray
    interval: np.ndarray


def estimate_noise(probabilities, codes, seed=None):
    """Estimate label noise.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes), float64
        Of the noisy labels, for each sample by a model that was not fitted on it.
    codes : ndarray of shape (n_samples,), int
        Noisy labels.
    seed : int, optional
        Of the bootstrap samples.

    Returns
    -------
    NoiseEstimate

    Notes
    -----
    Classes that overlap everywhere have no sure samples and look noisy; wrong labels that follow from the features look
    right.
    """
    n, n_classes = probabilities.shape
    predicted, surest = probabilities.argmax(axis=1), np.argsort(-probabilities.max(axis=1), kind="stable")
    wrong = predicted != codes
    by_class = surest[np.argsort(predicted[surest], kind="stable")]
    starts = np.searchsorted(predicted[by_class], np.arange(n_classes + 1))
    confusion = np.zeros((n_classes, n_classes))
    np.add.at(confusion, (predicted, codes), 1.0)

    def rate(weights):
        common = lowest_rates((wrong * weights)[surest], weights[surest], np.array([0, n]), 0.0, 0.0)
        rates = lowest_rates((wrong * weights)[by_class], weights[by_class], starts, PRIOR_RATE, common[0])
        matrix = transition_matrix(rates, confusion)
        if np.linalg.cond(matrix) > LARGEST_CONDITION:
            return matrix, float(rates.mean())
        shares = np.bincount(codes, weights, minlength=n_classes) / weights.sum()
        return matrix, float(clean_probabilities(shares[None], matrix)[0] @ rates)

    matrix, found = rate(np.ones(n))
    rng = np.random.default_rng(seed)
    draws = [rate(np.bincount(rng.integers(0, n, n), minlength=n).astype(float))[1] for _ in range(N_DRAWS)]
    return NoiseEstimate(found, matrix, np.quantile(draws, QUANTILES))


def lowest_rates(wrong, weights, starts, prior, common):
    """Lowest error rate over the surest samples of each part.

    Parameters
    ----------
    wrong : ndarray of shape (n_samples,), float64
        Weight of each sample if its label is wrong, else 0; each part from the surest sample on.
    weights : ndarray of shape (n_samples,), float64
    starts : ndarray of shape (n_parts + 1,), int
        First sample of each part, and the end of the last.
    prior : float
        Weight of `common` in the rate, in samples.
    common : float

    Returns
    -------
    ndarray of shape (n_parts,), float64
        `common` for empty parts.
    """
    errors, seen = np.cumsum(wrong), np.cumsum(weights)
    rates = np.full(len(starts) - 1, common)
    for part, (first, last) in enumerate(zip(starts, starts[1:], strict=False)):
        if first == last:
            continue
        least = min(max(LEAST, int(SHARE * (last - first))), last - first)
        before = (errors[first - 1], seen[first - 1]) if first else (0.0, 0.0)
        rows = slice(first + least - 1, last)
        total = seen[rows] - before[1] + prior
        rates[part] = ((errors[rows] - before[0] + prior * common) / np.where(total > 0, total, np.inf)).min()
    return rates


def transition_matrix(rates, confusion):
    """Matrix of given error rates of the classes, whose wrong labels are distributed like `confusion`.

    Parameters
    ----------
    rates : ndarray of shape (n_classes,)
    confusion : ndarray of shape (n_classes, n_classes)
        Number of samples by predicted class and label.

    Returns
    -------
    ndarray of shape (n_classes, n_classes), float64
        Row-stochastic.
    """
    n_classes = len(rates)
    others = 1.0 - np.eye(n_classes)
    wrong = (confusion + PRIOR_CONFUSION / (n_classes - 1)) * others
    rates = np.maximum(rates, FLOOR)
    return wrong / wrong.sum(axis=1, keepdims=True) * rates[:, None] + np.diag(1.0 - rates)

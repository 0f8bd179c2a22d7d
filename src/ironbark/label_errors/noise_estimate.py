"""Share of wrong labels and transition matrix of the noise, from out-of-sample probabilities alone.

Samples that a classifier is sure of are hardly ever near the border of two classes, so wrong labels among them are
label noise, not overlap. The error rate is taken over the surest samples: first of all classes together, then of each
predicted class, drawn towards the common one.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.isotonic import IsotonicRegression, isotonic_regression

from ironbark.noise_matrix import LARGEST_CONDITION, clean_probabilities

SHARE, LEAST = 0.2, 20  # part, and number, of the surest samples that an error rate is taken over at least
PRIOR_RATE = 60  # weight of the common error rate in that of a class, in samples
PRIOR_CONFUSION = 50  # weight of uniform noise among the wrong labels of a class, in samples
FLOOR = 1e-6  # smallest error rate in the matrix, so that no label is certain
BIAS = 0.035  # standard deviation of the rate's error by overlap and structure, found on the tables for choosing
NORMAL = 1.645  # 95 % quantile


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
        Of the rate; two-sided 90 %, by the chance of drawing the surest samples and by `BIAS`.
    """

    rate: float
    matrix: np.ndarray
    interval: np.ndarray


def estimate_noise(probabilities: np.ndarray, codes: np.ndarray) -> NoiseEstimate:
    """Estimate label noise."""
    n, n_classes = probabilities.shape
    predicted, largest = probabilities.argmax(axis=1), probabilities.max(axis=1)
    surest = np.argsort(-largest, kind="stable")
    wrong = predicted != codes
    by_class = surest[np.argsort(predicted[surest], kind="stable")]
    starts = np.searchsorted(predicted[by_class], np.arange(n_classes + 1))
    confusion = np.zeros((n_classes, n_classes))
    np.add.at(confusion, (predicted, codes), 1.0)

    common = lowest_rate(wrong[surest], largest[surest])
    parts = [by_class[i:j] for i, j in zip(starts, starts[1:], strict=False)]
    rates = [lowest_rate(wrong[part], largest[part], common, PRIOR_RATE) for part in parts]
    matrix = transition_matrix(np.array(rates), confusion)
    if np.linalg.cond(matrix) > LARGEST_CONDITION:
        rate = float(np.mean(rates))
    else:
        shares = np.bincount(codes, minlength=n_classes) / n
        rate = float(clean_probabilities(shares[None], matrix)[0] @ rates)
    error = np.sqrt(BIAS**2 + (rate * (1 - rate) + 0.25 / n) / (SHARE * n))
    return NoiseEstimate(rate, matrix, np.clip([rate - NORMAL * error, rate + NORMAL * error], 0.0, 1.0))


def lowest_rate(wrong: np.ndarray, probabilities: np.ndarray, common: float = 0.0, weight: int = 0) -> float:
    """Lowest error rate over the surest samples; of equally sure ones, all are taken or none."""
    if not len(wrong):
        return common
    rates = (np.cumsum(wrong) + weight * common) / (np.arange(1, len(wrong) + 1) + weight)
    least = min(max(LEAST, int(SHARE * len(wrong))), len(wrong))
    last = np.append(np.diff(probabilities) < 0, True)
    return float(rates[least - 1 :][last[least - 1 :]].min())


def transition_matrix(rates: np.ndarray, confusion: np.ndarray) -> np.ndarray:
    """Matrix of given error rates of the classes, whose wrong labels are distributed like `confusion`."""
    n_classes = len(rates)
    others = 1.0 - np.eye(n_classes)
    wrong = (confusion + PRIOR_CONFUSION / (n_classes - 1)) * others
    rates = np.maximum(rates, FLOOR)
    return wrong / wrong.sum(axis=1, keepdims=True) * rates[:, None] + np.diag(1.0 - rates)


TINY = 1e-9  # that is divided by


def error_probabilities(
    probabilities: np.ndarray, codes: np.ndarray, ranking: np.ndarray, noise_rate: float
) -> np.ndarray:
    """Probability that each label is wrong, by rank."""
    n, n_classes = probabilities.shape
    largest, own = probabilities.max(axis=1), probabilities[np.arange(n), codes]
    agrees = probabilities.argmax(axis=1) == codes
    agreement = IsotonicRegression(out_of_bounds="clip").fit_transform(largest, agrees)
    kept, other = 1 - noise_rate, noise_rate / (n_classes - 1)
    predicted = ((agreement - other) / max(kept - other, TINY)).clip(0, 1)
    rest = (1 - predicted) * own / np.maximum(1 - largest, TINY)
    labelled = np.where(agrees, predicted, rest.clip(0, 1))
    right, wrong = labelled * kept, (1 - labelled) * other
    return isotonic_regression((wrong / np.maximum(right + wrong, TINY))[ranking], increasing=False)


def n_flagged(cut, precision: float, wrong: np.ndarray, noise_rate: float) -> int:
    """Number of samples to call errors."""
    if cut == "count":
        return round(noise_rate * len(wrong))
    if cut != "precision":
        return round(cut * len(wrong))
    enough = np.cumsum(wrong) >= precision * np.arange(1, len(wrong) + 1)
    return int(np.flatnonzero(enough).max(initial=-1)) + 1

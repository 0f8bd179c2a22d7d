"""Share of wrong labels and transition matrix of the noise, from out-of-sample probabilities alone.

Samples that a classifier is sure of are hardly ever near the border of two classes, so wrong labels among them are
label noise, not overlap. The error rate is taken over the surest samples: first of all classes together, then of each
predicted class, drawn towards the common one. Where classes overlap everywhere, errors get rarer towards the surest
samples, and a line through the error rates of bins shows what is left of them there. Wrong labels where classes meet
look like overlap, so the upper bound of the rate is the share of all labels that the predictions contradict. Of
labels that get no more probability than those of other samples, nothing is known: at most, they are as wrong as labels
drawn at random.

Where classes are said to be separate, every contradicted label counts as wrong.
"""

from typing import NamedTuple

import numpy as np
from sklearn.isotonic import IsotonicRegression, isotonic_regression

from ironbark.noise_matrix import LARGEST_CONDITION, clean_probabilities, label_counts

SHARE, LEAST = 0.2, 20  # part, and number, of the surest samples that an error rate is taken over at least
SURE = 0.3  # part of the surest samples of a predicted class whose labels give the matrix
BINS, HALF = 10, 0.5  # bins of the line, and the part of the surest samples that it is drawn through
LEAST_PART = 0.5  # of the upper bound that is kept however steep the line
PRIOR_RATE = 200  # weight of the common error rate in that of a class, in samples,
PRIOR_CALLED = 50  # and where labels are called wrong: it matters more there that rates of classes differ
PRIOR_CONFUSION = 50  # weight of uniform noise among the wrong labels of a class, in samples
FLOOR = 1e-6  # smallest error rate in the matrix, so that no label is certain
BIAS = 0.02  # standard deviation of the rate's error by overlap and structure, found on the tables for choosing
NORMAL = 1.645  # 95 % quantile
TINY = 1e-3  # that is divided by
#: Evidence up to which out-of-bag predictions say nothing. Where they say nothing, it is mostly below: a sample is
#: predicted by samples among which its class is rarer by one.
OUT_OF_BAG = -1.0


class NoiseEstimate(NamedTuple):
    """Share of wrong labels, transition matrix (n_classes, n_classes), interval of the share, and if that says nothing.

    `called` is the matrix to call labels wrong by, with rates of classes that are further apart. The upper end is a
    nominal 95 % bound, from the share of the contradicted labels, the chance of drawing samples and `BIAS`; the lower
    end is 0 if classes may overlap.
    """

    rate: float
    matrix: np.ndarray
    called: np.ndarray
    interval: np.ndarray
    is_unknown: bool = False


def estimate_noise(
    probabilities: np.ndarray, codes: np.ndarray, classes_overlap: bool = True, out_of_bag: bool = False
) -> NoiseEstimate:
    """Estimate label noise."""
    n, n_classes = probabilities.shape
    predicted, largest = probabilities.argmax(axis=1), probabilities.max(axis=1)
    surest = np.argsort(-largest, kind="stable")
    wrong = predicted != codes
    common = lowest_rate(wrong[surest], largest[surest])
    rates, apart, confusion = np.empty(n_classes), np.empty(n_classes), np.zeros((n_classes, n_classes))
    rank, errors = np.empty((2, n))  # by sureness, from 0 to 1 in each predicted class, and wrong, the mean of ties
    for k in range(n_classes):
        part = surest[predicted[surest] == k]
        rank[part] = (np.arange(len(part)) + 0.5) / max(len(part), 1)
        _, places, counts = np.unique(largest[part], return_inverse=True, return_counts=True)
        errors[part] = (np.bincount(places, wrong[part]) / counts)[places]
        if classes_overlap:
            rates[k] = lowest_rate(wrong[part], largest[part], common, PRIOR_RATE)
            apart[k] = lowest_rate(wrong[part], largest[part], common, PRIOR_CALLED)
        else:
            rates[k] = wrong[part].mean() if len(part) else wrong.mean()
        if size := min(max(LEAST, int(SURE * len(part))), len(part)):
            confusion[k] = label_counts(codes[part], largest[part], size, n_classes)

    if not classes_overlap:
        ends = wrong.mean() + np.array([-1, 1]) * _error(wrong.mean(), n)
        matrix = transition_matrix(rates, confusion)
        return NoiseEstimate(float(wrong.mean()), matrix, matrix, np.clip(ends, 0.0, 1.0))
    rate, matrix = float(np.mean(rates)), transition_matrix(rates, confusion)
    shares = np.bincount(codes, minlength=n_classes) / n
    if np.linalg.cond(matrix) <= LARGEST_CONDITION:  # shares of the true classes follow from those of the labels
        rate = float(clean_probabilities(shares[None], matrix)[0] @ rates)
    bound = max(rate, wrong.mean())
    interval = np.array([0.0, min(bound + _error(bound, n), 1.0)])
    part = part_without_overlap(errors[np.lexsort([errors, rank])], rates[predicted].mean())
    chance = float(shares @ shares)  # that two labels drawn at random are the same
    if evidence(probabilities, codes) <= (OUT_OF_BAG if out_of_bag else 0):
        rate = min(part * rate, 1 - chance)
        matrix = transition_matrix(np.full(n_classes, rate), np.zeros((n_classes, n_classes)))
        return NoiseEstimate(rate, matrix, matrix, np.array([0.0, 1.0]), is_unknown=True)
    matrix, called = (transition_matrix(part * found, confusion) for found in (rates, apart))
    return NoiseEstimate(part * rate, matrix, called, interval)


def evidence(probabilities: np.ndarray, codes: np.ndarray) -> float:
    """By how many standard errors samples get more probability of their own class than others get of it.

    The mean over the classes, times the root of their number less one: for labels without a relation to predictions,
    it is 0 on average with a standard deviation of 1.
    """
    n, n_classes = probabilities.shape
    own = np.eye(n_classes)[codes]
    counts, spread = own.sum(axis=0), probabilities.std(axis=0)
    seen = (counts > 0) & (counts < n) & (spread > TINY)
    own, probabilities, counts, spread = own[:, seen], probabilities[:, seen], counts[seen], spread[seen]
    more = ((own - counts / n) * probabilities).sum(axis=0)  # n times the covariance
    return float((more / (spread * np.sqrt(counts * (1 - counts / n)))).sum() * np.sqrt(n_classes - 1) / n_classes)


def _error(rate, n):
    """Half the width of an interval of 90 %."""
    return NORMAL * np.sqrt(BIAS**2 + (rate * (1 - rate) + 0.25 / n) / n)


def part_without_overlap(wrong: np.ndarray, bound: float) -> float:
    """Part of the upper bound that remains at the surest end of a line through error rates of bins."""
    m = min(max(LEAST, int(HALF * len(wrong))), len(wrong))
    bins = [part for part in np.array_split(np.arange(m), BINS) if len(part)]
    if bound <= 0 or len(bins) < 2:
        return 1.0
    intercept = np.polyfit([part.mean() for part in bins], [wrong[part].mean() for part in bins], 1)[1]
    return float(np.clip(intercept / bound, LEAST_PART, 1.0))


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


def error_probabilities(
    probabilities: np.ndarray, codes: np.ndarray, ranking: np.ndarray, matrix: np.ndarray
) -> np.ndarray:
    """Probability that each label is wrong, by rank."""
    # The probability of the predicted class is calibrated by how often labels agree with it, less the chance by which
    # the matrix makes labels of other classes agree.
    n, n_classes = probabilities.shape
    rows = np.arange(n)
    predicted, largest = probabilities.argmax(axis=1), probabilities.max(axis=1)
    kept = np.diag(matrix)
    other = ((matrix.sum(axis=0) - kept) / (n_classes - 1))[predicted]
    gap = np.maximum(kept[predicted] - other, TINY)
    calibration = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    right = calibration.fit(largest, ((predicted == codes) - other) / gap, sample_weight=gap**2).predict(largest)
    true = probabilities * ((1 - right) / np.maximum(1 - largest, TINY))[:, None]
    true[rows, predicted] = right
    joint = true * matrix[:, codes].T
    wrong = 1 - joint[rows, codes] / np.maximum(joint.sum(axis=1), TINY)
    return isotonic_regression(wrong[ranking], increasing=False)


def n_flagged(cut, precision: float, wrong: np.ndarray) -> int:
    """Number of samples to call errors."""
    if cut == "count":  # the largest expected F1 score
        expected = 2 * np.cumsum(wrong) / (np.arange(1, len(wrong) + 1) + wrong.sum())
        return int(expected.argmax()) + 1 if wrong.sum() > 0.5 else 0
    if cut != "precision":
        return round(cut * len(wrong))
    enough = np.cumsum(wrong) >= precision * np.arange(1, len(wrong) + 1)
    return int(np.flatnonzero(enough).max(initial=-1)) + 1

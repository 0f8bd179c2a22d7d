"""Number of the most suspicious samples that are called errors."""

import numpy as np
from sklearn.isotonic import IsotonicRegression, isotonic_regression

LEAST = 1e-9  # that is divided by


def error_probabilities(
    probabilities: np.ndarray, codes: np.ndarray, ranking: np.ndarray, noise_rate: float
) -> np.ndarray:
    """Probability that each label is wrong, by rank."""
    n, n_classes = probabilities.shape
    largest, own = probabilities.max(axis=1), probabilities[np.arange(n), codes]
    agrees = probabilities.argmax(axis=1) == codes
    agreement = IsotonicRegression(out_of_bounds="clip").fit_transform(largest, agrees)
    kept, other = 1 - noise_rate, noise_rate / (n_classes - 1)
    predicted = ((agreement - other) / max(kept - other, LEAST)).clip(0, 1)
    rest = (1 - predicted) * own / np.maximum(1 - largest, LEAST)
    labelled = np.where(agrees, predicted, rest.clip(0, 1))
    right, wrong = labelled * kept, (1 - labelled) * other
    return isotonic_regression((wrong / np.maximum(right + wrong, LEAST))[ranking], increasing=False)


def n_flagged(cut, precision: float, wrong: np.ndarray, noise_rate: float) -> int:
    """Number of samples to call errors."""
    if cut == "count":
        return round(noise_rate * len(wrong))
    if cut != "precision":
        return round(cut * len(wrong))
    enough = np.cumsum(wrong) >= precision * np.arange(1, len(wrong) + 1)
    return int(np.flatnonzero(enough).max(initial=-1)) + 1

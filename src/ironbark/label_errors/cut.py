"""Number of the most suspicious samples that are called errors."""

import numpy as np
from sklearn.isotonic import IsotonicRegression, isotonic_regression

LEAST = 1e-9  # that is divided by


def error_probabilities(probabilities, codes, ranking, noise_rate):
    """Probability that each label is wrong, by rank.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes), float64
        Out-of-sample.
    codes : ndarray of shape (n_samples,), int
        Index of each label.
    ranking : ndarray of shape (n_samples,), int
        From most to least suspicious.
    noise_rate : float

    Returns
    -------
    ndarray of shape (n_samples,), float64
        In the order of `ranking`, not ascending.

    Notes
    -----
    Let A be the share of labels that agree with the prediction, as an isotonic function of its probability, e the noise
    rate and b = e / (K - 1) the part of it that each other class gets. The predicted class is the true one with the
    probability r for which A = r (1 - e) + (1 - r) b; the others share 1 - r in proportion to their probabilities. With
    the probability t of the labelled class, the label is right with t (1 - e) / (t (1 - e) + (1 - t) b), after Bayes.
    The result is made monotone in the rank.
    """
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


def n_flagged(cut, precision, wrong, noise_rate):
    """Number of samples to call errors.

    Parameters
    ----------
    cut : "count", "precision" or float
        The estimated number of errors; as many as keep the expected share of errors among them at `precision`; or a
        share of the samples.
    precision : float
    wrong : ndarray of shape (n_samples,), float64
        Of `error_probabilities`.
    noise_rate : float

    Returns
    -------
    int
    """
    if cut == "count":
        return round(noise_rate * len(wrong))
    if cut != "precision":
        return round(cut * len(wrong))
    enough = np.cumsum(wrong) >= precision * np.arange(1, len(wrong) + 1)
    return int(np.flatnonzero(enough).max(initial=-1)) + 1

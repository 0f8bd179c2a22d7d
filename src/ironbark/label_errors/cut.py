"""How many of the most suspicious samples are called errors."""

import numpy as np
from sklearn.isotonic import isotonic_regression


def error_probabilities(disagreement, ranking, n_errors):
    """Probability that each label is wrong, by rank.

    Parameters
    ----------
    disagreement : ndarray of shape (n_samples,), float64
        1 - probability of the given label.
    ranking : ndarray of shape (n_samples,), int
        From most to least suspicious.
    n_errors : float
        Estimated number of errors.

    Returns
    -------
    ndarray of shape (n_samples,), float64
        In the order of `ranking`, not ascending, with the sum `n_errors`.

    Notes
    -----
    The disagreement is made monotone in the rank, and its logits are moved by one constant to have the right sum.
    """
    odds = isotonic_regression(disagreement[ranking], increasing=False).clip(1e-6, 1 - 1e-6)
    logits = np.log(odds / (1 - odds))
    low, high = -40.0, 40.0
    for _ in range(60):
        shift = (low + high) / 2
        found = 1 / (1 + np.exp(-(logits + shift)))
        low, high = (low, shift) if found.sum() > n_errors else (shift, high)
    return found


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

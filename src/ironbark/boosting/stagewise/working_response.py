"""Working response that a tree of LogitBoost is fitted to."""

import numpy as np

MAX_RESPONSE = 4.0
MIN_WEIGHT = 2 * np.finfo(np.float64).eps


def working_response(codes, p, q):
    """Response and weight of the samples in a Newton step.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,), int
        0 for class -1, 1 for class +1.
    p, q : ndarray of shape (n_samples,), float64
        Probabilities of the classes +1 and -1.

    Returns
    -------
    response, weight : ndarray of shape (n_samples,), float64
        z in [-4, -1] or [1, 4], and w > 0.
    """
    own = np.where(codes == 1, p, q)
    magnitude = 1 / np.maximum(own, 1 / MAX_RESPONSE)  # = min(1 / own, 4), without dividing by zero
    return np.where(codes == 1, magnitude, -magnitude), np.maximum(p * q, MIN_WEIGHT)

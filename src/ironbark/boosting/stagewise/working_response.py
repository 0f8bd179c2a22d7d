"""Working response that a tree of LogitBoost is fitted to."""

import numpy as np

MAX_RESPONSE = 4.0
MIN_WEIGHT = 2 * np.finfo(np.float64).eps


def working_response(codes: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Response and weight of the samples in a Newton step."""
    own = np.where(codes == 1, p, q)
    magnitude = 1 / np.maximum(own, 1 / MAX_RESPONSE)  # = min(1 / own, 4), without dividing by zero
    return np.where(codes == 1, magnitude, -magnitude), np.maximum(p * q, MIN_WEIGHT)

"""Labels and seeds as users have them, brought to the form that noise models work on."""

import numpy as np

from ironbark.errors import InputError
from ironbark.inputs import vector


def coded(y):
    """Classes and codes of a label vector."""
    classes, codes = np.unique(vector(y), return_inverse=True)
    if len(classes) < 2:
        raise InputError(f"y must hold at least 2 classes, but it holds {len(classes)}.")
    return classes, codes.astype(np.int64)


def coded_as(classes: np.ndarray, given) -> np.ndarray:
    """Codes of further labels of the same samples."""
    codes = {label: code for code, label in enumerate(classes.tolist())}
    labels = np.asarray(given).tolist()
    strange = [label for label in labels if label not in codes]
    if strange:
        raise InputError(f"given holds the label {strange[0]!r}, which y does not have; correct one of them.")
    return np.array([codes[label] for label in labels], np.int64)


def check_length(X, y):
    """Raise InputError unless X is None or has as many samples as y has labels."""
    if X is None:
        return
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    if n_samples != len(y):
        raise InputError(f"X has {n_samples} samples but y has {len(y)} labels; pass the same samples in both.")


def as_generator(random_state):
    """A Generator of None (fresh entropy), an integer seed, or a Generator, which is used as it is."""
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"random_state={random_state!r} is not a seed; pass None, an integer >= 0 or a numpy Generator."
        ) from error

"""Choosing parameters on noisy labels by a hold-out part of the training set.

Wilton and Ye (2024), "Hyperparameters": train on 80 % of the noisy training set and validate on the other 20 %, whose
labels are noisy too. Here the 80 % are random, and the parameters with the best accuracy on the rest are taken.
"""

import pickle
import random
import tempfile
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import ParameterGrid

from ironbark.files import explained
from ironbark.pipeline.protocols.costs import cpu_seconds
from ironbark.pipeline.protocols.methods import make

LARGE = 100_000  # training samples from which a model that waits goes into a file: its trees may keep gigabytes


class Fitted(NamedTuple):
    """A fitted model, and how it came about."""

    model: object
    tuned: dict  # the chosen parameters
    seconds: float  # CPU seconds of the fit of this model alone
    validation_accuracy: float = float("nan")  # of the chosen parameters on held-out noisy labels


class Choice(NamedTuple):
    """Choice of a search."""

    params: dict
    validation_accuracy: float
    seconds: float  # CPU seconds that it took


def fitted(method, seed, X, y, **tuned) -> Fitted:
    """Fit a method with these parameters."""
    model = make(method, seed, **tuned)
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - both for classes that draw from these generators
    start = cpu_seconds()
    model.fit(X, y.astype(np.int64))  # a copy; 2 * y - 1 wraps in uint8, the type of stored labels
    return Fitted(model, tuned, cpu_seconds() - start)


def search(method: dict, X: np.ndarray, y: np.ndarray, rng, seed: int, chosen: Choice | None = None) -> Fitted:
    """Fit a method with the parameters that do best on a hold-out part."""
    # The split is not stratified. Ties go to the first combination of the grid, in the order of its values. Without
    # ``refit`` the model is the one that was trained on the larger part; the paper does not say whether it refits.
    if chosen is not None:
        return fitted(method, seed, X, y, **chosen.params)._replace(validation_accuracy=chosen.validation_accuracy)
    tune = method["tune"]
    order = rng.permutation(len(y))
    n_held = max(1, round(tune["test_size"] * len(y)))
    held, kept = np.sort(order[:n_held]), np.sort(order[n_held:])
    X_kept, X_held = rows_of(X, kept), rows_of(X, held)
    best, found, shelf = -1.0, None, None
    for params in ParameterGrid(tune["grid"]):
        candidate = fitted(method, seed, X_kept, y[kept], **params)
        accuracy = float(np.mean(candidate.model.predict(X_held) == y[held]))
        if accuracy > best:
            best, found = accuracy, candidate._replace(model=None if tune["refit"] else candidate.model)
            if found.model is not None and len(kept) >= LARGE:
                with explained(f"into the temporary folder {tempfile.gettempdir()}, which TMPDIR names"):
                    shelf = tempfile.TemporaryFile()  # noqa: SIM115 - gone when the next one takes its place
                    pickle.dump(found.model, shelf, pickle.HIGHEST_PROTOCOL)
                    shelf.seek(0)
                found = found._replace(model=None)
        del candidate  # before the next one needs its memory
    if tune["refit"]:
        return fitted(method, seed, X, y, **found.tuned)._replace(validation_accuracy=best)
    model = pickle.load(shelf) if found.model is None else found.model
    return found._replace(model=model, validation_accuracy=best)


def rows_of(X, rows):
    """Some rows of an array, read-only as all candidates share them, or of encoded features."""
    if not isinstance(X, np.ndarray):
        return X.take(rows)
    found = X[rows]
    found.setflags(write=False)
    return found

"""The form of a golden fit, and what is kept of one."""

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

NODES = ("children_left", "children_right", "feature", "threshold", "counts", "prediction", "gain")
NODES += ("missing_go_to_left", "sizes", "levels")
OUTPUTS = ("predict_proba", "decision_function")


class Case(NamedTuple):
    """A golden fit: `keep` gets the fitted model and the features, and returns arrays by kind of content."""

    data: Callable  # () -> features, labels, further arguments of `fit`
    model: Callable  # () -> unfitted estimator
    keep: Callable

    def __call__(self):
        X, y, options = self.data()
        return self.keep(self.model().fit(X, y, **options), X)


def nodes(tree, names=NODES):
    """Arrays of a grown tree."""
    return [np.asarray(value) for name in names if (value := getattr(tree, name, None)) is not None]


def outputs(model, X):
    """Predicted classes, and probabilities or scores where the model has them."""
    found = {"predictions": [np.asarray(model.predict(X))]}
    return found | {name: [np.asarray(getattr(model, name)(X))] for name in OUTPUTS if hasattr(model, name)}


def summary(kinds):
    """Kind of content -> digest of its arrays, and their size, mean and root mean square."""
    return {kind: [_digest(arrays), *_numbers(arrays)] for kind, arrays in kinds.items()}


def _digest(arrays):
    total = hashlib.blake2b(digest_size=8)
    for array in arrays:
        total.update(f"{array.dtype.str} {array.shape} ".encode())
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()


def _numbers(arrays):
    values = np.concatenate([_floats(array) for array in arrays] or [np.zeros(0)])
    finite = values[np.isfinite(values)]
    if not len(finite):
        return [len(values), 0.0, 0.0]
    return [len(values), *(float(f"{number:.6g}") for number in (finite.mean(), np.sqrt(np.mean(finite**2))))]


def _floats(array):
    if array.dtype.kind in "US":  # labels that are texts count by their place among these
        array = np.unique(array, return_inverse=True)[1]
    return array.astype(np.float64).ravel()

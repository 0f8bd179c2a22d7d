"""Choice of the number of boosting rounds on samples that are held out of the training set, with labels as noisy."""

import contextlib
from numbers import Real

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing

from ironbark.errors import InputError

#: Rounds without a lower loss after which XGBoost and LightGBM stop.
PATIENCE = 50


@contextlib.contextmanager
def replaced(estimator, **values):
    """Give an estimator other values of its parameters for a while."""
    before = {name: getattr(estimator, name) for name in values}
    vars(estimator).update(values)
    try:
        yield
    finally:
        vars(estimator).update(before)


def held_out(codes: np.ndarray, fraction: float, sample_weight: np.ndarray | None, random_state) -> np.ndarray:
    """Samples to fit and samples to score: this share of each class, at least one sample."""
    if not isinstance(fraction, Real) or not 0 < fraction < 1:
        raise InputError(f"validation_fraction={fraction!r} must be None or a finite number > 0 and < 1.")
    rng = random_state if hasattr(random_state, "permutation") else np.random.default_rng(random_state or 0)
    rows = rng.permutation(len(codes) if sample_weight is None else np.flatnonzero(sample_weight))
    rows = rows[np.argsort(codes[rows], kind="stable")]
    counts = np.bincount(codes[rows], minlength=codes.max() + 1)
    scored = np.maximum(np.rint(fraction * counts), 1).astype(int)
    if (scored >= counts).any():
        found = counts[(scored >= counts).argmax()]
        raise InputError(
            f"validation_fraction={fraction} leaves no sample to fit of a class that has {found}; give at least two "
            "samples of each class, a smaller fraction, or None."
        )
    ranks = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_scored = ranks < scored[codes[rows]]
    return np.sort(rows[~is_scored]), np.sort(rows[is_scored])


def parts(model, X, y, codes, sample_weight, class_weights: np.ndarray | None = None) -> tuple:
    """Samples to fit and samples to score of a model with `validation_fraction` and `random_state`."""
    weight = None if sample_weight is None else np.asarray(sample_weight, float)
    fitted, scored = held_out(codes, model.validation_fraction, weight, model.random_state)
    fitted_weight, held_weight = (None if weight is None else weight[rows] for rows in (fitted, scored))
    if class_weights is not None:
        held_weight = class_weights[codes[scored]] * (1.0 if held_weight is None else held_weight)
    if issparse(X):
        X = X.tocsr()  # not all formats can be indexed
    elif not hasattr(X, "shape"):
        X = np.asarray(X)
    return (
        (_safe_indexing(X, fitted), y[fitted], fitted_weight),
        (_safe_indexing(X, scored), y[scored], held_weight),
    )


def refuse_together(user, **others):
    """InputError if anything is given that can't be combined with `validation_fraction`."""
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{user} can't use validation_fraction and {name} together; leave one of them out.")

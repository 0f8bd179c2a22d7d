"""Before a gradient booster is fitted: keywords, weights, and samples held out to choose the number of rounds."""

import contextlib
import difflib
import numbers
import warnings
from collections.abc import Iterable
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
    return (rows_of(X, fitted), y[fitted], fitted_weight), (rows_of(X, scored), y[scored], held_weight)


def rows_of(X, rows):
    """Some samples, of any kind of table that the libraries take."""
    if issparse(X):
        X = X.tocsr()  # not all formats can be indexed
    return _safe_indexing(X if hasattr(X, "shape") else np.asarray(X), rows)


def refuse_together(user, what="validation_fraction", **others):
    """InputError if anything is given that can't be combined with `what`."""
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{user} can't use {what} and {name} together; leave one of them out.")


#: How alike a keyword may be to a listed one and still be another of the core (theirs: 0.85 at most, by difflib).
ALIKE = 0.86


def refuse_misspelt(user: str, given: Iterable[str], listed: Iterable[str]):
    """Refuse keywords that are listed but for a slip; cores pass over what they don't know, LightGBM's in silence."""
    listed = set(listed)
    for name in given:
        near = difflib.get_close_matches(name, listed, n=1, cutoff=ALIKE)
        if near and name not in listed:
            raise InputError(f"{user} has no parameter {name!r}; did you mean {near[0]!r}?")


def check_single_precision(sample_weight):
    """Refuse weights that are all zero, or infinite, in float32, as which the libraries keep them."""
    if sample_weight is None:
        return
    with np.errstate(over="ignore", under="ignore"):
        single = np.asarray(sample_weight, np.float64).astype(np.float32)
    if not single.any() or np.isinf(single).any():
        raise InputError("the sample weights are too small or too large for float32; divide them by their mean.")


def weights_of_two(codes: np.ndarray, n_classes: int, scale=None, balance: bool = False) -> np.ndarray | None:
    """Weights of the two classes, which the libraries' own objectives apply and those of others do not."""
    scale = 1.0 if scale is None else scale
    if not (isinstance(scale, numbers.Real) and 0 < scale < np.inf):
        raise InputError(f"scale_pos_weight={scale!r} must be a positive number.")
    if not balance and scale == 1:
        return None
    if balance and scale != 1:
        raise InputError("is_unbalance and scale_pos_weight can't both be set; leave one of them out.")
    if n_classes > 2:
        warnings.warn(
            f"{'is_unbalance' if balance else 'scale_pos_weight'} has no effect for {n_classes} classes; "
            "give `sample_weight` in `fit`.",
            stacklevel=4,
        )
        return None
    counts = np.bincount(codes, minlength=2)
    weights = counts.max() / counts if balance else (1.0, scale)
    return np.array(weights, np.float32)


@contextlib.contextmanager
def infinity_named():
    """One sentence in place of XGBoost's trace of its stack."""
    try:
        yield
    except ValueError as error:  # as XGBoostError is
        if "`inf`" not in str(error):
            raise
        raise InputError(
            "X or an evaluation set holds infinity, or a number too large for float32; replace it, or say with "
            "`missing=numpy.inf` that it stands for a missing value."
        ) from error

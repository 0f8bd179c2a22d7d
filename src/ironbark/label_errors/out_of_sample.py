"""Class probabilities of each sample by models that were not fitted on it."""

import warnings

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _check_method_params, has_fit_parameter

from ironbark.errors import InputError
from ironbark.noise_matrix import check_probabilities


def has_out_of_bag(estimator):
    """Whether the estimator is a forest that can predict samples by the trees that did not draw them."""
    params = estimator.get_params()
    return "oob_score" in params and bool(params.get("bootstrap"))


def fit_params(estimator, sample_weight):
    """Keyword arguments of the estimator's `fit`.

    Raises
    ------
    InputError
        If there are weights, but the estimator does not take them.
    """
    if sample_weight is None:
        return {}
    if not has_fit_parameter(estimator, "sample_weight"):
        name = type(estimator).__name__
        raise InputError(f"{name} does not take sample_weight; leave it out or choose another estimator.")
    return {"sample_weight": sample_weight}


def out_of_bag(estimator, X, y, params):
    """Fit a forest, and predict each sample by the trees that did not draw it.

    Returns
    -------
    estimator
        Fitted.
    probabilities : ndarray of shape (n_samples, n_classes), float64
        NaN where all trees drew the sample.

    Raises
    ------
    InputError
        If all trees drew all samples, or a probability is not finite.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*out-of-bag|.*OOB")  # callers report it in their own terms
        fitted = estimator.set_params(oob_score=True).fit(X, y, **params)
    found = np.array(fitted.oob_decision_function_, np.float64)
    seen = np.isclose(found.sum(axis=1), 1.0)
    if not seen.any():
        raise InputError("no sample is out of the bag of any tree; give more trees.")
    found[~seen] = np.nan
    return fitted, found


def cross_validated(estimator, X, y, params, folds, n_jobs=None):
    """Predict each fold by the estimator fitted on the others.

    Parameters
    ----------
    estimator : classifier with `predict_proba`, unfitted
    X : array-like of shape (n_samples, n_features)
    y : ndarray of shape (n_samples,)
    params : dict
        Further arguments of `fit`; arrays of one entry for each sample are divided like `X`.
    folds : list of (train, test)
        Indices; each sample is in one test part.
    n_jobs : int, optional
        Processes; the result does not depend on it.

    Returns
    -------
    ndarray of shape (n_samples, n_classes), float64
        Columns in the sorted order of the labels; 0 for a class that the other folds do not hold.

    Raises
    ------
    InputError
        If a probability is not finite.
    """
    classes = np.unique(y)

    def predicted(train, test):
        model = clone(estimator)
        model.fit(_safe_indexing(X, train), y[train], **_check_method_params(X, params, indices=train))
        found = np.zeros((len(test), len(classes)))
        found[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(_safe_indexing(X, test))
        return found

    parts = Parallel(n_jobs=n_jobs)(delayed(predicted)(train, test) for train, test in folds)
    probabilities = np.empty((len(y), len(classes)))
    probabilities[np.concatenate([test for _, test in folds])] = np.concatenate(parts)
    return check_probabilities(probabilities)


def _count(groups):
    """Number of groups, none of which is a missing value."""
    try:
        found = np.unique(np.asarray(groups))
    except TypeError:  # values that cannot be sorted
        found = np.array([np.nan])
    if (found != found).any():  # noqa: PLR0124 - NaN and NaT
        raise InputError("groups holds missing values, or text beside numbers; give each sample a group of one type.")
    return len(found)


def fold_indices(codes, groups, n_folds, seed):
    """Training and test indices of folds in which the classes are spread evenly and no group is divided.

    Raises
    ------
    InputError
        If there are more folds than groups, or than samples in the largest class, or a group is missing.
    """
    if groups is None:
        most = np.bincount(codes).max()
        if most < n_folds:
            raise InputError(f"cv={n_folds} needs {n_folds} samples of some class, but none has over {most}; lower cv.")
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    else:
        n_groups = _count(groups)
        if n_groups < n_folds:
            raise InputError(f"cv={n_folds} needs at least {n_folds} groups, but groups holds {n_groups}; lower cv.")
        splitter = StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")  # such labels are reported by callers
        return list(splitter.split(np.zeros(len(codes)), codes, groups))

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
    """Keyword arguments of the estimator's `fit`."""
    if sample_weight is None:
        return {}
    if not has_fit_parameter(estimator, "sample_weight"):
        name = type(estimator).__name__
        raise InputError(f"{name} does not take sample_weight; leave it out or choose another estimator.")
    return {"sample_weight": sample_weight}


def out_of_bag(estimator, X, y, params):
    """Fit a forest, and predict each sample by the trees that did not draw it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*out-of-bag|.*OOB")  # callers report it in their own terms
        fitted = estimator.set_params(oob_score=True).fit(X, y, **params)
    found = np.array(fitted.oob_decision_function_, np.float64)
    seen = np.isclose(found.sum(axis=1), 1.0)
    if not seen.any():
        raise InputError("no sample is out of the bag of any tree; give more trees.")
    found[~seen] = np.nan
    return fitted, found


def cross_validated(estimator, X, y: np.ndarray, params: dict, folds, n_jobs: int | None = None) -> np.ndarray:
    """Predict each fold by the estimator fitted on the others."""
    classes = np.unique(y)
    parts = Parallel(n_jobs=n_jobs)(
        delayed(_predicted)(estimator, X, y, params, classes, train, test) for train, test in folds
    )
    probabilities = np.empty((len(y), len(classes)))
    probabilities[np.concatenate([test for _, test in folds])] = np.concatenate(parts)
    return check_probabilities(probabilities)


def _predicted(estimator, X, y, params, classes, train, test):
    """Probabilities of a fold by a model of the others; at module level, so that processes of any kind can load it."""
    found, weights = np.zeros((len(test), len(classes))), params.get("sample_weight")
    known = np.unique(y[train] if weights is None else y[train][weights[train] > 0])
    if len(known) < 2:  # which most classifiers refuse; such folds are not judged
        return found
    model = clone(estimator)
    model.fit(_safe_indexing(X, train), y[train], **_check_method_params(X, params, indices=train))
    found[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(_safe_indexing(X, test))
    return found


def judged(codes: np.ndarray, weights: np.ndarray | None, folds=None) -> np.ndarray:
    """Whether the models that predict a sample were fitted on others of its class with positive weight, and on more."""
    counts = np.ones(len(codes)) if weights is None else (weights > 0).astype(float)
    if folds is None:
        return np.bincount(codes, counts)[codes] > counts
    found, n_classes = np.zeros(len(codes), bool), codes.max() + 1
    for train, test in folds:
        known = np.bincount(codes[train], counts[train], minlength=n_classes) > 0
        found[test] = known[codes[test]] & (known.sum() > 1)
    return found


def fold_indices(codes, groups, n_folds, seed):
    """Training and test indices of folds in which the classes are spread evenly and no group is divided.

    There are as many folds as groups, if these are fewer, and none is empty.
    """
    if groups is None:
        most = np.bincount(codes).max()
        if most < n_folds:
            raise InputError(f"cv={n_folds} needs {n_folds} samples of some class, but none has over {most}; lower cv.")
        splitter = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    else:
        n_groups = len(np.unique(groups))
        if n_groups < 2:
            raise InputError("groups holds one group only, so no label can be judged by others; leave the groups out.")
        splitter = StratifiedGroupKFold(min(n_folds, n_groups), shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class")  # such labels are reported by callers
        folds = splitter.split(np.zeros(len(codes)), codes, groups)
        return [(train, test) for train, test in folds if len(test)]

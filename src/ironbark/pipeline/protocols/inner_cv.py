"""Choosing parameters on noisy labels by cross-validation within the training set.

Yang, Gao and Li (2019): the stopping size of trees is chosen by an inner 5-fold cross-validation. Where the
values of the grid are nested stopping rules, all models are pruned copies of one, so each fold needs one fit.
"""

import inspect

import numpy as np
from sklearn.model_selection import ParameterGrid, StratifiedKFold

from ironbark.pipeline.protocols.holdout import fitted, rows_of
from ironbark.pipeline.protocols.methods import make


def search(method: dict, X, y, rng, seed):
    """Fit a method to all samples with the parameters that do best in an inner cross-validation."""
    # Folds are stratified by the noisy labels. The accuracy is that of all samples, each predicted by the model that
    # was trained without its fold. Ties go to the first combination of the grid, in the order of its values.
    combinations = list(ParameterGrid(method["tune"]["grid"]))
    hits = correct(method, X, y, rng, seed)
    best = int(np.argmax(hits))  # the first of several
    found = fitted(method, seed, X, y, **combinations[best])
    return found._replace(validation_accuracy=float(hits[best]) / len(y))


def correct(method, X, y, rng, seed):
    """Samples that the held-out folds got right with each combination of the grid, ndarray of int64."""
    n_folds = method["tune"]["cv"]
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=int(rng.integers(2**31)))
    hits = np.zeros(len(ParameterGrid(method["tune"]["grid"])), np.int64)
    for kept, held in folds.split(np.zeros(len(y)), y):
        X_held = np.asarray(rows_of(X, held))  # decoded once for all predictions
        models = along_grid(method, rows_of(X, kept), y[kept], seed)
        hits += [int(np.sum(model.predict(X_held) == y[held])) for model in models]
    return hits


def along_grid(method, X, y, seed):
    """Fitted models of all combinations of the grid, in its order: pruned from one where that gives the same."""
    grid = method["tune"]["grid"]
    name = prunable(method, grid)
    if name is None:
        return (fitted(method, seed, X, y, **params).model for params in ParameterGrid(grid))
    values = [params[name] for params in ParameterGrid(grid)]
    whole = make(method, seed, **{name: LAXEST[name](values)}).fit(X, y.astype(np.int64))
    return whole.prune_path(**{name: values})


#: Parameter that pruning can tighten -> the value among several from which all others can be reached.
LAXEST = {
    "min_samples_split": min,
    "ccp_alpha": min,
    "max_depth": lambda depths: None if None in depths else max(depths),
}


def prunable(method, grid):
    """The only parameter of a grid, if the estimator can prune along it; else None."""
    estimator = make(method, 0)
    if len(grid) != 1 or not hasattr(estimator, "prune_path"):
        return None
    [name] = grid
    if name not in LAXEST or name not in inspect.signature(estimator.prune_path).parameters:
        return None
    # cutting by price or by number of leaves comes after stopping rules, so those can't be tightened any more
    params = estimator.get_params()
    cut_afterwards = params.get("max_leaf_nodes") is not None or params.get("ccp_alpha", 0) != 0
    return None if cut_afterwards and name != "ccp_alpha" else name

"""Small trees, grown one after the other on the same features."""

from dataclasses import replace

import numpy as np
from sklearn.utils import check_random_state

from ironbark.tree.regression import RegressionGrower, RegressionTree

KINDS = ("classification", "regression")


class Grower:
    """Grows the trees of a booster.

    Parameters
    ----------
    kind : str
        A name in `KINDS`. A classification tree here is a regression tree on -1 and +1 whose leaves are rounded to a
        class: the variance is twice the Gini index, so the splits are those of a classification tree.
    X : ndarray of shape (n_samples, n_features), float32 or float64
        Finite.
    max_leaf_nodes, min_samples_split : int
        Checked by the caller.
    random_state : int, RandomState instance or None
        Each tree draws from it the order in which features are looked at.
    """

    def __init__(self, kind, X, max_leaf_nodes, min_samples_split, random_state):
        self.votes = kind == "classification"
        self.trees = RegressionGrower(X, max_leaf_nodes, min_samples_split)
        self.n_features = X.shape[1]
        self.rng = check_random_state(random_state)

    def grow(self, target, weight):
        """A tree and its output for the samples, see `output`.

        Parameters
        ----------
        target : ndarray of shape (n_samples,), float64
            Numbers, or -1 and +1 for a classification tree.
        weight : ndarray of shape (n_samples,), float64
            Not negative, and some positive.
        """
        if self.votes:
            weight = weight / weight.max()  # sums of equal ones are exact then, and ties are ties
        arrays = np.ascontiguousarray(target), np.ascontiguousarray(weight)
        tree, values = self.trees.grow(*arrays, self.rng.permutation(self.n_features))
        if not self.votes:
            return tree, values
        return replace(tree, means=_vote(tree.means)), _vote(values)


def output(tree, X: np.ndarray) -> np.ndarray:
    """Output of a tree: the mean of a leaf, or the class (-1 or +1) of larger weight there, -1 in a tie."""
    if isinstance(tree, RegressionTree):
        return tree.predict(X)
    values = tree.tree_.predict(X)
    return np.where(values[:, 1] > values[:, 0], 1.0, -1.0)


def _vote(means):
    return np.where(means > 0, 1.0, -1.0)

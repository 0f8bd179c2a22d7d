"""Small trees of scikit-learn, grown one after the other on the same features."""

import numpy as np
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils import check_random_state

KINDS = ("classification", "regression")


class Grower:
    """Grows the trees of a booster, skipping what scikit-learn checks again for each of them.

    Parameters
    ----------
    kind : str
        A name in `KINDS`. A classification tree here is a regression tree on -1 and +1 whose leaves are rounded to a
        class: the variance is twice the Gini index, so the splits are the same, and scikit-learn grows it in less time.
    X : ndarray of shape (n_samples, n_features), float32
        C-contiguous and finite.
    max_leaf_nodes, min_samples_split : int
        Checked by the caller.
    random_state : int, RandomState instance or None
        Each tree draws one seed from it.
    """

    def __init__(self, kind, X, max_leaf_nodes, min_samples_split, random_state):
        self.votes, self.X = kind == "classification", X
        self.columns = np.asfortranarray(X)  # trees are grown feature by feature
        self.params = {"max_leaf_nodes": max_leaf_nodes, "min_samples_split": min_samples_split}
        self.rng = check_random_state(random_state)

    def grow(self, target, weight):
        """A tree and its output for the samples, see `output`.

        Parameters
        ----------
        target : ndarray of shape (n_samples,), float64
            Numbers, or -1 and +1 for a classification tree.
        weight : ndarray of shape (n_samples,), float64
        """
        tree = DecisionTreeRegressor(**self.params, random_state=self.rng.randint(np.iinfo(np.int32).max))
        if self.votes:
            weight = weight / weight.max()  # sums of equal ones are exact then, and ties are ties
        tree.fit(self.columns, target, sample_weight=weight, check_input=False)
        if self.votes:
            leaves = tree.tree_.value
            leaves[...] = np.where(leaves > 0, 1.0, -1.0)
        return tree, output(tree, self.X)


def output(tree, X):
    """What a tree says of samples: the mean of a leaf, or the class (-1 or +1) that weighs more there, -1 in a tie.

    Parameters
    ----------
    tree : DecisionTreeRegressor or DecisionTreeClassifier
    X : ndarray of shape (n_samples, n_features), float32

    Returns
    -------
    ndarray of shape (n_samples,), float64
    """
    values = tree.tree_.predict(X)
    if values.shape[1] == 1:
        return values[:, 0]
    return np.where(values[:, 1] > values[:, 0], 1.0, -1.0)

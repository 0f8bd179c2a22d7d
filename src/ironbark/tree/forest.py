"""A random forest of trees with label-noise-robust splitting criteria."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from numbers import Integral

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import hstack
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from ironbark.tree.base import TreeClassifierBase


class RobustRandomForestClassifier(TreeClassifierBase):
    """Random forest classifier with robust splitting criteria.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion, lam, q, s, max_depth, min_samples_split, min_samples_leaf
        As in `RobustDecisionTreeClassifier`.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        As in `RobustDecisionTreeClassifier`.
    constant_features : {"skip", "count"}, default="skip"
        As in `RobustDecisionTreeClassifier`.
    min_impurity_decrease : float, default=0.0
        As in `RobustDecisionTreeClassifier`.
    bootstrap : bool, default=True
        Grow each tree on a sample of the training set drawn with replacement. The forests of Wilton and Ye (2024) were
        grown without, those of Yang, Gao and Li (2019) with it.
    n_jobs : int, default=None
        Threads that grow trees; None for one, -1 for all cores. The forest does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Bootstrap samples, drawn features and ties.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    trees_ : list of ironbark.tree.structure.Tree

    Notes
    -----
    A sample's class probabilities are the mean of the class proportions of its leaves, whatever the criterion; a tie
    goes to the first class. `fit` takes an `ironbark.EncodedFeatures` in place of an array.

    References
    ----------
    .. [1] J. Wilton, N. Ye, "Robust Loss Functions for Training Decision Trees with Noisy Labels", AAAI 2024.
    .. [2] B.-B. Yang, W. Gao, M. Li, "On the Robust Splitting Criterion of Random Forest", ICDM 2019.

    Examples
    --------
    >>> from ironbark import RobustRandomForestClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> len(RobustRandomForestClassifier(10, random_state=0).fit(X, y).trees_)
    10
    """

    _parameter_constraints = {
        **TreeClassifierBase._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "bootstrap": ["boolean"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        criterion="gini",
        lam=0.5,
        q=0.7,
        s=1.0,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_features="sqrt",
        constant_features="skip",
        min_impurity_decrease=0.0,
        bootstrap=True,
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.lam = lam
        self.q = q
        self.s = s
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.constant_features = constant_features
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Grow the trees.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or EncodedFeatures
        y : array-like of shape (n_samples,)
            At most 255 classes of any label type.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative integers: how often each sample counts. With `bootstrap` they multiply the draws.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For input that scikit-learn's classifiers refuse, and for a criterion that does not take this many classes.
        """
        features, codes = self._check_training(X, y)
        weights = self._check_weights(sample_weight, len(codes))
        seeds = check_random_state(self.random_state).randint(np.iinfo(np.int32).max, size=self.n_estimators)
        shared = self._criterion(len(codes)) if weights is None else None  # as many draws as samples
        grow = partial(self._grow, features, codes, weights, shared)
        first = grow(seeds[0])  # compiles, before threads ask for the same kernels
        with ThreadPoolExecutor(effective_n_jobs(self.n_jobs)) as pool:
            self.trees_ = [first, *pool.map(grow, seeds[1:])]
        return self

    def _grow(self, features, y, weights, criterion, seed):
        """One tree; nothing in it depends on the other trees."""
        if self.bootstrap:
            drawn = bootstrap_weights(len(y), seed)
            weights = drawn if weights is None else drawn * weights
            if not weights.any():  # only samples of weight 0 were drawn
                weights = drawn
        return self._grow_tree(features, y, weights, seed, criterion)

    def predict_proba(self, X):
        """Mean over the trees of the class proportions of each sample's leaf.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        X = self._check_samples(X)
        total = np.zeros((len(X), self.n_classes_))
        for tree in self.trees_:
            total += tree.proportions[tree.apply(X)]
        return total / len(self.trees_)

    def predict(self, X):
        """The class of the largest probability; the first one among several."""
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def apply(self, X):
        """Leaf of each sample in each tree, as a row of that tree; ndarray of shape (n_samples, n_estimators)."""
        X = self._check_samples(X)
        return np.column_stack([tree.apply(X) for tree in self.trees_])

    def decision_path(self, X):
        """Nodes that each sample passes through, in all trees.

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, number of nodes of all trees), int64
            1 where the sample passes through the node.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,), int64
            Columns ``n_nodes_ptr[i]:n_nodes_ptr[i + 1]`` are the nodes of tree i.
        """
        X = self._check_samples(X)
        paths = [tree.decision_path(X) for tree in self.trees_]
        return hstack(paths, format="csr"), np.cumsum([0, *(path.shape[1] for path in paths)])

    @property
    def feature_importances_(self):
        """Mean over the trees of the features' shares in the weighted gain; ndarray of shape (n_features,)."""
        check_is_fitted(self)
        return np.mean([tree.importances() for tree in self.trees_], axis=0)

    def get_n_leaves(self):
        """Mean number of leaves of the trees."""
        return float(np.mean([tree.n_leaves for tree in self.trees_]))

    def get_depth(self):
        """Mean depth of the trees."""
        return float(np.mean([tree.max_depth for tree in self.trees_]))


def bootstrap_weights(n, seed):
    """How often each of n samples is drawn in n draws with replacement; ndarray of shape (n,), int64."""
    return np.bincount(np.random.default_rng(seed).integers(0, n, n), minlength=n)

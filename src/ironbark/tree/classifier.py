"""A decision tree with label-noise-robust splitting criteria."""

from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t
from ironbark.inputs import undone
from ironbark.tree.base import TreeClassifierBase
from ironbark.tree.cross_validation import path_of_one_tree
from ironbark.tree.growth import mean_weight
from ironbark.tree.pruning import cost_complexity_path
from ironbark.tree.size_selection import best_alpha, candidates, grown_on, is_chosen


@dataclass(eq=False, repr=False)
class RobustDecisionTreeClassifier(TreeClassifierBase):
    """Decision tree classifier with robust splitting criteria.

    Grows exact CART trees: every threshold between two distinct values is tried. A split without gain is always
    refused, so criteria that see no gain in noise stop early by themselves.

    Parameters
    ----------
    criterion : str or callable, default="gini"
        One of "gini", "entropy", "misclassification", "sqrt_gini", "negative_exponential" (parameter `lam`),
        "generalized_cross_entropy" (`q`), "twoing", "twoing_rdts" (see `compat`), "credal" (`s`), "pairwise_gain"
        (two classes only). Or a function
        ``f(left, right, params) -> gain`` per sample, of the class counts of the two children (int64 arrays) and of
        `criterion_params` (a float64 array), or its import path; a split needs a gain above 1e-12. It is compiled
        unless it is already, and must be symmetric in its two children. Where weights are no integers, or
        `min_weight_fraction_leaf` or `compat` is set, it gets class weights as float64 arrays.
    lam : float, default=0.5
        lambda >= 0 of the negative exponential loss; 0 stands for "sqrt_gini", from 1 on it is "misclassification".
    q : float, default=0.7
        q >= 0 of generalized cross entropy; 0 is "entropy", from 1 on it is "misclassification" (for q > 1,
        impurities are q times those of Wilton and Ye (2024), who divide them by q).
    s : float, default=1.0
        Equivalent sample size of the imprecise Dirichlet model of "credal", in units of the weights.
    criterion_params : array-like of float, default=None
        What a criterion of your own takes as its third argument.
    max_depth : int, default=None
        Largest depth; the root has depth 0. None for no limit.
    min_samples_split : int, default=2
        A node with fewer samples is a leaf.
    min_samples_leaf : int, default=1
        A split that leaves fewer samples on a side is not considered.
    max_features : int, float, "sqrt", "log2" or None, default=None
        Number of features to draw at random for each node. Roots and logarithms are rounded up, a float is a share of
        all features, None means all.
    constant_features : {"skip", "count"}, default="skip"
        Whether a feature that is constant in the node uses up one of `max_features`. With "skip" it does not, as in
        the code of Wilton and Ye (2024), whose paper does not say: trees are smaller, and unpruned forests on 0/1
        columns with wrong labels less accurate (Mushrooms, 20 %: by 4 points). With "count" it does, as in
        scikit-learn, except that one feature that varies is looked at in any case.
    min_impurity_decrease : float, default=0.0
        A split needs a larger gain, in the units of the criterion's definition (impurities: weighted by n / n_train).
    random_state : int, RandomState instance or None, default=None
        Order in which features are visited, which decides ties between splits, and ties between classes in a leaf.
    class_weight : dict or "balanced", default=None
        Weights by class, 1 for classes that are not named, or "balanced" for ``n / (n_classes * n_k)`` of a class of
        n_k samples. They multiply `sample_weight`, and what is said there holds for the product.
    max_leaf_nodes : int, default=None
        Most leaves, None for no limit; nodes of the largest gain, weighted by their share of samples, are split first.
    ccp_alpha : float, "auto" or sequence of float, default="auto"
        Price of a leaf in minimal cost-complexity pruning, in the units of the criterion's impurity (Gini impurity for
        "twoing", "credal" and "pairwise_gain"). 0 for no pruning. See `cost_complexity_pruning_path`. "auto" chooses
        among 0 and 1/4, 1/2, 1, 2, ... 128 over the number of samples, and a sequence among its values, by the Brier
        score of five-fold cross-validation on the training labels, which may be noisy: the smallest price within one
        standard error of the lowest score, of those at most two below the best accuracy. It takes five more trees.
    min_weight_fraction_leaf : float, default=0.0
        A split that leaves a smaller share of the weight of all samples on a side is not considered. More than 0 makes
        the tree grow in the slower way, see Notes.
    compat : {"rdts"}, default=None
        "rdts" grows trees as the code that came with Wilton and Ye (2024), in three things that their paper does not
        say: "twoing" is "twoing_rdts", whose search ends at the first gain that reaches the weighted misclassification
        of the node; behind the first threshold of a feature children need one sample more than `min_samples_leaf`; and
        values and thresholds are float32, so a midpoint may be rounded up to the value above it.

    categorical_features : "from_dtype", array-like of int, str or bool, or None, default="from_dtype"
        Features whose values have no order: positions, names of columns or a truth value for each feature;
        "from_dtype" for the columns of text of a data frame; None for none. Text that is not chosen counts by its rank.
        Splits part levels into any two sets, see Notes. `compat` has none.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    tree_ : ironbark.tree.structure.Tree
    ccp_alpha_ : float
        The price that was chosen or given.
    categories_ : dict of int to list
        Levels by their rank, for each column of text, or of `categorical_features`, by its position, if there are any;
        of a categorical feature's many levels, None stands behind the 1,023 most frequent for all others.
    is_categorical_ : ndarray of shape (n_features,), bool
        Which features are categorical; only if some are.
    ccp_path_ : dict
        Arrays "ccp_alpha", "brier_score" (low is good), "standard_error" (of what a score is above the lowest one),
        "accuracy" and "accuracy_error" (of what it is below the best one), one entry for each price to choose from.
        Only where there was a choice.

    Notes
    -----
    `fit` takes an `ironbark.EncodedFeatures` (see `ironbark.encode`) in place of an array: fits that share X then share
    its encoding too. Random numbers depend on the seed and on the path to a node only, so a tree with a larger
    `min_samples_split` or a smaller `max_depth` is a pruned copy of the tree without; `prune_path` makes such copies.

    A node orders the levels of a categorical feature by the share of a class among its samples, and tries all
    thresholds in this order; with three and more classes, in the orders of each class and in that of the first
    principal component of the shares. For two classes and concave impurities the best of all partitions is among
    them [3]_; with more classes all partitions of up to four levels are tried. Levels of less weight in the node than
    five samples of mean weight, or than a quarter of the number of levels, go together, since with wrong labels splits
    of rare levels fit noise; one that the node lacks goes with them, or to the child of more weight. Levels beyond
    the 1,023 most frequent ones are one level; more than 65,000 are refused.

    X may be a sparse matrix, whose values are all encoded, or a data frame of pandas or polars. A text that `fit`
    did not see counts as missing; categories that are numbers count by their values unless they are chosen. X may
    hold NaN for missing values. Each threshold is tried with them on either side, and so is the split between them
    and all other values; `predict` sends them where training did, or to the child of more samples if the node had
    no missing values of the feature. Trees on weights that are no integers, and with `min_weight_fraction_leaf` or
    `compat`, grow about three times as fast as scikit-learn's, others about seven times.

    References
    ----------
    .. [1] J. Wilton, N. Ye, "Robust Loss Functions for Training Decision Trees with Noisy Labels", AAAI 2024.
    .. [2] B.-B. Yang, W. Gao, M. Li, "On the Robust Splitting Criterion of Random Forest", ICDM 2019.
    .. [3] L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone, "Classification and Regression Trees", 1984, 4.5.

    Examples
    --------
    >>> from ironbark import RobustDecisionTreeClassifier
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> RobustDecisionTreeClassifier("misclassification", ccp_alpha=0.0, random_state=0).fit(X, y).get_n_leaves()
    4
    """

    criterion: t.Criterion = "gini"

    @undone
    def fit(self, X: t.Features, y: t.ArrayLike, sample_weight: t.ArrayLike | None = None) -> t.Self:
        """Grow the tree.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features), or EncodedFeatures
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            At most 255 classes of any label type; or class probabilities, whose columns' names, or numbers from 0, are
            the classes if not all 0. A sample counts by probability, in stopping rules once for each possible class.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative numbers. Integers (below 2**18, with a sum of at most 2**26) say how often each sample counts,
            also for `min_samples_split` and `min_samples_leaf`. With any other weight a sample is one sample for these
            rules, as in scikit-learn.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For input that scikit-learn's classifiers refuse, and for a criterion that does not take this many classes.
        """
        self._validate_params()
        return self._fit(*self._check_training(X, y, sample_weight))

    def _fit(self, features, codes, weights, samples=None):
        """`fit` for what `_check_training` has checked."""
        seed = check_random_state(self.random_state).randint(np.iinfo(np.int32).max)
        alphas = candidates(self.ccp_alpha, grown_on(codes, weights, samples))
        self._record_choice(alphas[0])
        grow = partial(self._grow_tree, unit=mean_weight(weights, samples))
        if is_chosen(self.ccp_alpha):
            path = path_of_one_tree(grow, seed, features, codes, alphas, weights, samples, dtype=self._dtype)
            self._record_choice(best_alpha(path), path)
        self.tree_ = self._pruned(grow(features, codes, weights, seed))
        return self

    def predict(self, X: t.Features) -> t.Labels:
        """Majority class of the leaf of each sample; a tie was drawn once, when the leaf was grown."""
        return self._predict(*self._check_samples(X))

    def _predict(self, X, missing):
        """`predict` for samples that `_check_samples` has checked."""
        return self.classes_[self.tree_.prediction[self.tree_.apply(X, missing)]]

    def predict_proba(self, X: t.Features) -> t.Floats:
        """Class proportions of the leaf of each sample, ndarray of shape (n_samples, n_classes)."""
        samples = self._check_samples(X)
        return self.tree_.proportions[self.tree_.apply(*samples)]

    def apply(self, X: t.Features) -> t.Integers:
        """Row in `tree_` of the leaf of each sample."""
        samples = self._check_samples(X)
        return self.tree_.apply(*samples)

    def decision_path(self, X: t.Features) -> t.csr_matrix:
        """Nodes that each sample passes through, from the root to its leaf.

        Returns
        -------
        csr_matrix of shape (n_samples, n_nodes), int64
            1 where the sample passes through the node, whose number is its row in `tree_`.
        """
        samples = self._check_samples(X)
        return self.tree_.decision_path(*samples)

    def cost_complexity_pruning_path(
        self, X: t.Features, y: t.ArrayLike, sample_weight: t.ArrayLike | None = None
    ) -> Bunch:
        """Grow a tree without pruning, and collapse its weakest links one after the other.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features), or EncodedFeatures
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        Bunch
            `ccp_alphas`, ndarray of shape (n_subtrees,), ascending from 0.0 for the whole tree: of each weakest link.
            Of equal ones, `ccp_alpha` gives the last. `impurities`: the weighted impurity of each subtree's leaves.
        """
        whole = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        ccp_alphas, impurities = cost_complexity_path(whole.tree_)
        return Bunch(ccp_alphas=ccp_alphas, impurities=impurities)

    def to_sklearn(self) -> "t.DecisionTreeClassifier":
        """A fitted `sklearn.tree.DecisionTreeClassifier` that holds the same tree.

        It serves what takes scikit-learn's class only: `sklearn.tree.export_text` and `plot_tree`, explainers,
        converters. It is there to predict, not to be fitted again.

        Returns
        -------
        DecisionTreeClassifier
            With the same class proportions for data that float32 holds exactly. Other data are rounded to float32 by
            scikit-learn, which may move samples across a threshold, and it takes missing values only where `criterion`
            is "gini" or "entropy". Its importances for "twoing", "credal" and "pairwise_gain" are of the Gini impurity.
            `predict` gives the first class of a tied leaf, not the one drawn when the leaf was grown.
        """
        check_is_fitted(self)
        from ironbark.tree.sklearn_export import tree_classifier, with_names

        return with_names(tree_classifier(self, self.tree_, self.classes_.copy()), self)

    def to_text(self, max_depth: int = 4) -> str:
        """The tree as text, nodes down to a depth, by the names of features, levels and classes.

        Each line has the condition of a node, its majority class, and that class's share of the node's weight.
        """
        check_is_fitted(self)
        from ironbark.tree.sklearn_export import as_text

        return as_text(self, max_depth)

    @property
    def feature_importances_(self) -> t.Floats:
        """Share of each feature in the weighted gain of the splits; ndarray of shape (n_features,)."""
        check_is_fitted(self)
        return self.tree_.importances()

    @property
    def max_features_(self) -> int:
        """Number of features that are drawn for each node."""
        check_is_fitted(self)
        return self._n_candidates(self.n_features_in_)

    def get_depth(self) -> int:
        """Number of splits on the longest path."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

"""A random forest of trees with label-noise-robust splitting criteria."""

from dataclasses import KW_ONLY, dataclass
from functools import partial
from numbers import Integral

import numpy as np
from sklearn.metrics import accuracy_score
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, RealNotInt
from sklearn.utils.validation import check_is_fitted

from ironbark import annotations as t
from ironbark.errors import InputError
from ironbark.inputs import undone
from ironbark.soft_labels import is_soft
from ironbark.tree.base import TreeClassifierBase
from ironbark.tree.cross_validation import cross_validated_path
from ironbark.tree.ensemble import TreeEnsemble
from ironbark.tree.growing.bootstrap import bags_of, out_of_bag_score, record_bags, sample_digest
from ironbark.tree.growth import mean_weight
from ironbark.tree.held_out_votes import in_threads, out_of_bag_proportions, packed
from ironbark.tree.pruning import cut, node_alphas
from ironbark.tree.size_selection import best_alpha, candidates, ccp_path, grown_on, is_chosen


@dataclass(eq=False, repr=False)
class RobustRandomForestClassifier(TreeEnsemble, TreeClassifierBase):
    """Random forest classifier with robust splitting criteria.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    criterion, lam, q, s, criterion_params, max_depth, min_samples_split, min_samples_leaf
        As in `RobustDecisionTreeClassifier`.
    max_features : int, float, "sqrt", "log2" or None, default="sqrt"
        As in `RobustDecisionTreeClassifier`.
    constant_features : {"skip", "count"}, default="skip"
        As in `RobustDecisionTreeClassifier`.
    min_impurity_decrease : float, default=0.0
        As in `RobustDecisionTreeClassifier`.
    bootstrap : bool, default=True
        Grow each tree on a sample of the training set drawn with replacement. Wilton and Ye (2024) do not mention it,
        and their code has none by default; Yang, Gao and Li (2019) speak of bagging, but give no details.
    max_samples : int, float or None, default=None
        Draws for each tree, as in scikit-learn 1.9: a number; a share of the number of samples or, if there are
        weights, of their sum; None for as many draws as there are samples. Numbers and shares may exceed the samples.
    oob_score : bool or callable, default=False
        Whether to score the forest on the samples out of the bag: each one by the trees that did not draw it. True
        for accuracy, or a function of labels and predictions, both without weights. Needs `bootstrap`.
    n_jobs : int, default=None
        Threads that grow trees; None for one, -1 for all cores. The forest does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Bootstrap samples, drawn features and ties.
    warm_start : bool, default=False
        Whether `fit` keeps the trees that it has and only grows those that are missing to `n_estimators`. With an int
        as `random_state` and the same data the forest is the one that grows at once. Classes and features must be the
        same in any case, and for `oob_score` the samples as well (their number, labels, weights and up to 100 of
        them are compared).
    class_weight : dict or "balanced", default=None
        As in `RobustDecisionTreeClassifier`, but "balanced" classes have equal sums of `sample_weight`.
    max_leaf_nodes, min_weight_fraction_leaf, compat, categorical_features
        As in `RobustDecisionTreeClassifier`.
    ccp_alpha : float, "auto" or sequence of float, default="auto"
        As in `RobustDecisionTreeClassifier`, one price for all trees; each is pruned by itself. "auto" and a sequence
        choose the lowest Brier score out of the bag on the training labels, which may be noisy; if it leaves nothing
        but roots, the smallest price within one standard error of it. The trees are grown once. Without `bootstrap` the
        choice takes as many trees again, each grown without a fifth of the samples.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    trees_ : list of ironbark.tree.structure.Tree
    estimators_ : list of RobustDecisionTreeClassifier
        The same trees as estimators, made when asked for.
    seeds_ : ndarray of shape (n_estimators,)
        Seed of each tree and of its bootstrap sample.
    estimators_samples_ : list of ndarray
        Samples that each tree was grown on, ascending, as often as they were drawn; made when asked for.
    n_samples_ : int
        Samples of the training set.
    n_draws_ : int
        Size of each bootstrap sample; only with `bootstrap`.
    sample_weight_ : ndarray of shape (n_samples,)
        Chance of each sample to be drawn, up to a factor; only with `bootstrap` and different weights.
    categories_ : dict of int to list
    is_categorical_ : ndarray of shape (n_features,), bool
        As of `RobustDecisionTreeClassifier`.
    ccp_alpha_ : float
        The price that was chosen or given.
    ccp_path_ : dict
        As of `RobustDecisionTreeClassifier`.
    digest_ : str
        Of the samples, their weights and how many are drawn; empty if a warm start went on with others.
    oob_score_ : float
        Score of the samples that at least one tree did not draw; only with `oob_score`.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Mean class proportions over the trees that did not draw the sample, NaN where all did; only with `oob_score`.

    Notes
    -----
    A sample's class probabilities are the mean of the class proportions of its leaves, whatever the criterion; a tie
    goes to the first class. `fit` takes X in all forms that `RobustDecisionTreeClassifier` takes.

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
        "max_samples": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, None, closed="neither"),
            None,
        ],
        "oob_score": ["boolean", callable],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
    }
    _balance_weights = True

    n_estimators: int = 100
    _: KW_ONLY
    max_features: t.MaxFeatures = "sqrt"
    bootstrap: bool = True
    max_samples: int | float | None = None
    oob_score: bool | t.Callable[..., float] = False
    n_jobs: int | None = None
    warm_start: bool = False

    @undone
    def fit(self, X: t.Features, y: t.ArrayLike, sample_weight: t.ArrayLike | None = None) -> t.Self:
        """Grow the trees.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features), or EncodedFeatures
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            At most 255 classes of any label type; or class probabilities, whose columns' names, or numbers from 0, are
            the classes if not all 0. Each draw of a bootstrap sample then draws a sample and one of its classes.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative numbers. With `bootstrap` they are the chances to be drawn, up to a factor, as in scikit-learn
            1.9: trees grow on the numbers of draws, which stopping rules count, and a sample of weight 0 is out of all
            bags. Without `bootstrap` as in `RobustDecisionTreeClassifier`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            For input that scikit-learn's classifiers refuse, and for a criterion that does not take this many classes.
        """
        self._validate_params()
        if not self.bootstrap and (self.oob_score or self.max_samples is not None):
            name = "oob_score" if self.oob_score else "max_samples"
            raise ValueError(f"{name} needs bootstrap=True: without it every tree sees every sample.")
        if self.oob_score and is_soft(y):
            raise InputError("oob_score needs one label for each sample; set it to False, or give labels as y.")
        before, kept = dict(vars(self)), self._kept_trees()
        features, codes, weights, samples = self._check_training(X, y, sample_weight)
        bags = bags_of(self.max_samples, len(codes), weights if self.bootstrap else None, samples)
        digest = sample_digest(features, codes, weights, bags.n_draws)
        if kept and (refusal := self._refusal(before, digest)):
            raise ValueError(refusal)
        seeds = check_random_state(self.random_state).randint(np.iinfo(np.int32).max, size=self.n_estimators)
        seeds = seeds[len(kept) :]
        counted = self.bootstrap or weights is None
        shared = self._criterion(bags.n_draws) if counted else None
        alphas = candidates(self.ccp_alpha, bags.n_draws if counted else grown_on(codes, weights, samples))
        grow = partial(self._grow_tree, unit=mean_weight(weights, samples))
        new = in_threads(partial(self._grow, grow, features, codes, weights, bags, shared), seeds, self.n_jobs)
        self.seeds_ = np.concatenate([self.seeds_, seeds]) if kept else seeds
        self.digest_ = digest if not kept or digest == self.digest_ else ""
        record_bags(self, bags)
        self._keep(grow, kept, new, alphas, features, codes, weights, bags)
        for name in ("oob_score_", "oob_decision_function_"):
            vars(self).pop(name, None)  # of an earlier fit
        if self.oob_score:
            self._score_outside(features, codes, bags)
        return self

    def _score_outside(self, features, codes, bags):
        """Score each sample by the trees that did not draw it."""
        outside, options = packed(bags.outside, self.seeds_), {"dtype": self._dtype, "n_jobs": self.n_jobs}
        proportions = out_of_bag_proportions(self.trees_, outside, features, **options)
        score = self.oob_score if callable(self.oob_score) else accuracy_score
        self.oob_score_ = out_of_bag_score(score, proportions, codes, self.classes_)
        self.oob_decision_function_ = proportions

    def _keep(self, grow, kept, new, alphas, features, codes, weights, bags):
        """Set `trees_`, pruned with the alpha given or chosen; a warm start with another alpha needs them whole."""
        vars(self).pop("_whole_trees", None)
        self._record_choice(alphas[0])
        whole, training = [*kept, *new], (features, codes, alphas, weights)
        if self.warm_start and (is_chosen(self.ccp_alpha) or self.ccp_alpha > 0):
            self._whole_trees = whole
        if not is_chosen(self.ccp_alpha):
            self.trees_ = [*map(self._pruned, whole)]
            return
        options = {"dtype": self._dtype, "n_jobs": self.n_jobs}
        prices = [node_alphas(tree) for tree in whole]
        if self.bootstrap:
            path = ccp_path(whole, prices, bags.outside, self.seeds_, *training, bags.samples, **options)
        else:
            path = cross_validated_path(grow, self.seeds_, *training, bags.samples, **options)
        self._prune(whole, prices, best_alpha(path, prices), path)

    def _prune(self, whole, prices, alpha, path):
        """Set `trees_`, pruned with an alpha that was chosen; `prices` are the `node_alphas` of the whole trees."""
        self._record_choice(alpha, path)
        pairs = zip(whole, prices, strict=True)
        self.trees_ = [cut(tree, price <= alpha) if alpha > 0 else tree for tree, price in pairs]

    def _grow(self, grow, features, y, weights, bags, criterion, seed):
        """One tree; nothing in it depends on the other trees."""
        return grow(features, y, bags.counts(seed) if self.bootstrap else weights, seed, criterion)

    def to_sklearn(self) -> "t.RandomForestClassifier":
        """A fitted `sklearn.ensemble.RandomForestClassifier` that holds the same trees.

        Returns
        -------
        RandomForestClassifier
            As with `RobustDecisionTreeClassifier.to_sklearn`, with the same probabilities up to rounding for data that
            float32 holds exactly.
        """
        check_is_fitted(self)
        from ironbark.tree.sklearn_export import forest_classifier, with_names

        return with_names(forest_classifier(self), self)

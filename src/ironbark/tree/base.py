"""What tree and forest estimators share: parameters, checks of features, classes and weights, growing a tree."""

import functools
import math
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_consistent_length
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import assert_all_finite, check_is_fitted, validate_data

from ironbark import annotations as t
from ironbark.criteria import build, custom, is_custom, resolve
from ironbark.encoding.features import EncodedFeatures, dense, encode_checked
from ironbark.errors import InputError
from ironbark.frames import of_arrow, ordered_places
from ironbark.inputs import Features, distinct, labels, places_of, refuse_negative
from ironbark.inputs import weights as checked_weights
from ironbark.soft_labels import expanded, is_soft
from ironbark.tree.growing.nodes import Settings
from ironbark.tree.growth import grow_tree, needs_floats
from ironbark.tree.pruning import best_first, cost_complexity_prune, pruned

MAX_CLASSES = 255
MAX_WEIGHT = 2**26  # criteria keep tables as long as the sum of integer weights
MOST = 2**18  # packed labels hold weights below 2**24, and a bootstrap multiplies one by less than 2**6
MAX_REAL = 1e50  # fourth powers must not overflow, nor those of the inverse vanish


@dataclass(eq=False, repr=False, kw_only=True)
class TreeClassifierBase(Features, ClassifierMixin, BaseEstimator):
    """Parameters and input checks of the estimators that grow trees."""

    criterion: t.Criterion = "gini"
    lam: float = 0.5
    q: float = 0.7
    s: float = 1.0
    criterion_params: t.ArrayLike | None = None
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    max_features: t.MaxFeatures = None
    constant_features: t.ConstantFeatures = "skip"
    min_impurity_decrease: float = 0.0
    random_state: t.RandomState = None
    class_weight: t.ClassWeight = None
    max_leaf_nodes: int | None = None
    ccp_alpha: t.Price = "auto"
    min_weight_fraction_leaf: float = 0.0
    compat: t.Compat = None
    categorical_features: t.ArrayLike | None = "from_dtype"

    _parameter_constraints = {
        "criterion": [str, callable],
        "criterion_params": ["array-like", None],
        "lam": [Interval(Real, 0, None, closed="left")],
        "q": [Interval(Real, 0, None, closed="left")],
        "s": [Interval(Real, 0, None, closed="left")],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_split": [Interval(Integral, 2, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "max_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0.0, 1.0, closed="right"),
            StrOptions({"sqrt", "log2"}),
            None,
        ],
        "constant_features": [StrOptions({"skip", "count"})],
        "min_impurity_decrease": [Interval(Real, 0.0, None, closed="left")],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "max_leaf_nodes": [Interval(Integral, 2, None, closed="left"), None],
        "ccp_alpha": [Interval(Real, 0.0, None, closed="left"), StrOptions({"auto"}), "array-like"],
        "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
        "compat": [StrOptions({"rdts"}), None],
    }
    _balance_weights = False  # whether "balanced" classes depend on `sample_weight`; they do in scikit-learn's forests

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        return tags

    @classmethod
    @functools.cache
    def _get_param_names(cls):
        """Names of the parameters, as scikit-learn finds them; it looks several times in each fit."""
        return super()._get_param_names()

    def _check_training(self, X, y, sample_weight=None):
        """Encoded features, class indices, `check_weights`, and None or, of soft labels, the sample of each row."""
        # Sets `classes_`, `n_classes_` and `n_features_in_`.
        resolve(self.criterion)
        soft, samples = is_soft(y), None
        y = y if soft else labels(y)
        features = self._encoded(X)
        check_consistent_length(features, y)
        if soft:
            samples, y, sample_weight = expanded(y, sample_weight)
            features = features.take(samples)
        self.classes_, codes = distinct(y)
        self.n_classes_ = len(self.classes_)
        if self.n_classes_ > MAX_CLASSES:
            raise ValueError(f"y has {self.n_classes_} classes; ironbark trees take at most {MAX_CLASSES}.")
        balance = self._balance_weights or samples is not None
        weights = check_weights(sample_weight, self.class_weight, self.classes_, codes, balance)
        return features, codes, weights, samples

    def _encoded(self, X):
        """Encoded features, of which text, or what is chosen, is categorical; sets what is known of the columns."""
        X, by_dtype = of_arrow(X), isinstance(self.categorical_features, str) and self.compat is None
        chosen = () if isinstance(self.categorical_features, str) else places_of(self.categorical_features, X)
        if chosen and self.compat is not None:
            raise InputError(f"compat={self.compat!r} knows no categorical features; set categorical_features=None.")
        for name in ("feature_names_in_", "categories_", "is_categorical_"):
            vars(self).pop(name, None)  # of an earlier fit
        if isinstance(X, EncodedFeatures):
            features = X if by_dtype else X.with_categories(chosen)
            self.n_features_in_ = X.shape[1]
        else:
            rules = {"accept_sparse": "csc", "dtype": "numeric", "ensure_all_finite": "allow-nan"}
            ordered = ordered_places(X)
            X = self._numbers(X, reset=True, chosen=chosen, native=by_dtype)
            features = encode_checked(validate_data(self, X, **rules))
            chosen = set(getattr(self, "categories_", ())) - ordered if by_dtype else chosen
            features = features.with_categories(chosen)
        if features.categorical.any():
            self.is_categorical_ = features.categorical
        return features

    def _check_samples(self, X):
        """X as a C-ordered float array, and whether it may hold NaN."""
        check_is_fitted(self)
        dtype = [np.float64, np.float32] if self.compat is None else np.float32
        rules = {"accept_sparse": "csr", "dtype": dtype, "order": "C", "ensure_all_finite": False}
        X = dense(validate_data(self, self._numbers(X, reset=False), reset=False, **rules))
        with np.errstate(over="ignore", invalid="ignore"):
            suspicious = not np.isfinite(X.sum())
        if suspicious:
            assert_all_finite(X, allow_nan=True, estimator_name=type(self).__name__, input_name="X")
        return X, suspicious

    def _settings(self, n_features, seed):
        return Settings(
            2**31 if self.max_depth is None else int(self.max_depth),
            int(self.min_samples_split),
            int(self.min_samples_leaf),
            float(self.min_impurity_decrease),
            self._n_candidates(n_features),
            self.constant_features == "count",
            np.uint64(seed),
        )

    def _n_candidates(self, n_features):
        """Number of features drawn per node; roots and logarithms are rounded up, as in Wilton and Ye's code."""
        rules = {None: n_features, "sqrt": math.ceil(math.sqrt(n_features)), "log2": math.ceil(math.log2(n_features))}
        if self.max_features is None or isinstance(self.max_features, str):
            return max(1, rules[self.max_features])
        if isinstance(self.max_features, Integral):
            return min(int(self.max_features), n_features)
        return max(1, int(self.max_features * n_features))

    def _criterion(self, n_root):
        name = "twoing_rdts" if self.compat == "rdts" and self.criterion == "twoing" else self.criterion
        return build(name, n_root, max(2, self.n_classes_), self._criterion_parameters())

    def _criterion_parameters(self):
        """Value of the criterion's parameter by name; empty if it has none."""
        parameter = "criterion_params" if is_custom(self.criterion) else resolve(self.criterion).parameter
        return {} if parameter is None else {parameter: getattr(self, parameter)}

    def _grow_tree(self, features, codes, weights, seed, criterion=None, unit=1.0):
        """One tree of `grow_tree` before cost-complexity pruning; a `criterion` may have been built before."""
        share = self.min_weight_fraction_leaf
        floats = needs_floats(weights, compat=self.compat, share=share)
        if criterion is None:
            n_root = 1 if floats else len(codes) if weights is None else int(weights.sum())
            criterion = self._criterion(n_root)
        if floats and is_custom(self.criterion):
            custom.check_floats(criterion)
        settings = self._settings(features.shape[1], seed)
        tree = grow_tree(criterion, features, codes, self.n_classes_, settings, weights, self.compat, share, unit)
        vars(tree).update(criterion=self.criterion, parameters=self._criterion_parameters())  # nobody else has it yet
        return tree if self.max_leaf_nodes is None else best_first(tree, self.max_leaf_nodes)

    def _record_choice(self, alpha, path=None):
        """Set what is known of `ccp_alpha` after `fit`; nothing of an earlier fit is left."""
        vars(self).pop("ccp_path_", None)
        self.ccp_alpha_ = float(alpha)
        if path is not None:
            self.ccp_path_ = path

    def _pruned(self, tree):
        """A grown tree pruned with the alpha that was chosen or given."""
        return cost_complexity_prune(tree, self.ccp_alpha_) if self.ccp_alpha_ > 0 else tree

    @property
    def n_outputs_(self) -> int:
        """Number of labels of a sample, as scikit-learn has it."""
        check_is_fitted(self)
        return 1

    def predict_log_proba(self, X: t.Features) -> t.Floats:
        """Logarithms of `predict_proba`; -inf for a probability of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @property
    def _dtype(self):
        """Type of the values that thresholds are compared with."""
        return np.float64 if self.compat is None else np.float32

    def prune_path(
        self,
        *,
        min_samples_split: t.Iterable[int] | None = None,
        max_depth: t.Iterable[int | None] | None = None,
        ccp_alpha: t.Iterable[float] | None = None,
    ) -> t.Iterator[t.Self]:
        """Fitted copies with other values of one parameter, without growing trees again.

        Each is what `fit` on the same data would give with that value and the same seed, node by node: random numbers
        depend on the path to a node only, so stricter stopping rules cut the same trees off earlier. A `ccp_alpha` that
        `fit` chose is kept, not chosen again.

        Parameters
        ----------
        min_samples_split : sequence of int, optional
            None of them smaller than the estimator's own.
        max_depth : sequence of int or None, optional
            None of them larger than the estimator's own.
        ccp_alpha : sequence of float, optional
            None of them smaller than the estimator's own.

        Yields
        ------
        estimator
            Of the same class, in the order of the values; it shares nothing mutable with this one. What a forest knows
            of samples out of the bag is left out.

        Raises
        ------
        ValueError
            Unless exactly one parameter is given; for values that would need larger trees; and for stopping rules
            after pruning with `ccp_alpha` > 0 or under `max_leaf_nodes`.
        """
        check_is_fitted(self)
        given = {"min_samples_split": min_samples_split, "max_depth": max_depth, "ccp_alpha": ccp_alpha}
        given = {name: values for name, values in given.items() if values is not None}
        if len(given) != 1:
            raise ValueError(
                f"prune_path takes the values of exactly one parameter, but got {sorted(given) or 'none'}."
            )
        [(name, values)] = given.items()
        return (pruned(self, {name: value}) for value in values)


def check_weights(sample_weight, class_weight, classes, codes, balance_weights=False):
    """How much each sample of these class indices counts; ndarray of shape (n_samples,), or None where all count once.

    The type is int64 where weights are integers below 2**18 that sum to 2**26 at most: such a sample stands for so many
    copies. Else it is float64: then it is one sample, whatever its weight. With `balance_weights`, "balanced" classes
    have equal sums of weights, as in scikit-learn's forests; its trees have factors by numbers of samples only.
    """
    if sample_weight is None and class_weight is None:
        return None
    weights = np.ones(len(codes)) if sample_weight is None else checked_weights(sample_weight, len(codes))
    if class_weight is not None:
        by_class = _class_weights(class_weight, classes, codes, weights if balance_weights else None)
        refuse_negative("class_weight", by_class)
        weights = weights * by_class[codes]
    if not weights.any():
        raise ValueError("the product of sample_weight and class_weight is zero for all samples; give some a weight.")
    if weights.sum() <= MAX_WEIGHT and weights.max() < MOST and (weights == np.floor(weights)).all():
        return None if (weights == 1).all() else weights.astype(np.int64)
    if not 1 / MAX_REAL <= weights.sum() <= MAX_REAL:
        raise ValueError(
            f"the weights sum to {weights.sum():g}; scale them to a sum between {1 / MAX_REAL:g} and {MAX_REAL:g}."
        )
    return weights


def _class_weights(class_weight, classes, codes, weights):
    """Weight of each class; "balanced" ones of classes without weight are 0."""
    with np.errstate(divide="ignore"):
        found = compute_class_weight(class_weight, classes=classes, y=classes[codes], sample_weight=weights)
    empty = np.bincount(codes, weights, minlength=len(classes)) == 0
    return np.where(empty, 0.0, found) if isinstance(class_weight, str) else found

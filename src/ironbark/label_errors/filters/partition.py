"""Filters by votes: of models fitted on a part of the samples each, and of models that must all agree."""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import _check_method_params

from ironbark.errors import InputError
from ironbark.label_errors.filters.base import LabelFilter, warn_of_rare
from ironbark.label_errors.out_of_sample import fit_params, fold_indices


@dataclass(eq=False, repr=False)
class PartitionFilter(LabelFilter):
    """Remove samples whose label most models contradict, until rounds remove next to none.

    In each round the samples that are left are divided into parts with equal shares of the classes. A model is fitted
    on each part and predicts all samples that are left.

    Parameters
    ----------
    estimator : classifier, default=None
        None for scikit-learn's decision tree with at least 2 samples in a leaf.
    n_partitions : int, default=9
    stop : float, default=0.01
        A round that removes less than this share of all samples counts as idle.
    patience : int, default=3
        Idle rounds in a row after which the filter stops.
    random_state : int or None, default=None
        Of the parts and of the default tree.

    Attributes
    ----------
    n_rounds_ : int

    Notes
    -----
    ``label_quality_`` is the share of models that agree with the label, in the last round that had the sample; a sample
    is an error if fewer than half agree. With fewer samples left than parts, the filter stops. Further attributes:
    `ironbark.label_errors.filters.base.LabelFilter`.

    References
    ----------
    T. M. Khoshgoftaar, P. Rebours, "Improving Software Quality Prediction by Noise Filtering Techniques", Journal of
    Computer Science and Technology 22 (2007): iterative partitioning filter with majority voting.
    """

    _parameter_constraints = LabelFilter._parameter_constraints | {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_partitions": [Interval(Integral, 2, None, closed="left")],
        "stop": [Interval(Real, 0, 1, closed="both")],
        "patience": [Interval(Integral, 1, None, closed="left")],
    }

    estimator: BaseEstimator | None = None
    _: KW_ONLY
    n_partitions: int = 9
    stop: float = 0.01
    patience: int = 3
    random_state: int | None = None

    def _judge(self, X, codes, weights):
        rng, n = np.random.default_rng(self.random_state), len(codes)
        if n < self.n_partitions:
            raise InputError(f"n_partitions={self.n_partitions} needs as many samples, but there are {n}; lower it.")
        warn_of_rare(codes if weights is None else codes[weights > 0], 2 * self.n_partitions)
        default = DecisionTreeClassifier(min_samples_leaf=2, random_state=self.random_state)
        base = default if self.estimator is None else self.estimator
        params = fit_params(base, weights)
        votes, left = np.zeros((n, codes.max() + 1)), np.arange(n)  # numbers of models that predict each class
        removed, idle, self.n_rounds_ = np.zeros(n, bool), 0, 0
        while idle < self.patience and len(left) >= self.n_partitions:
            mixed, rest = left[rng.permutation(len(left))], _safe_indexing(X, left)
            by_class = mixed[np.argsort(codes[mixed], kind="stable")]
            votes[left] = 0
            for part in (by_class[i :: self.n_partitions] for i in range(self.n_partitions)):
                seen = np.unique(codes[part if weights is None else part[weights[part] > 0]])
                if len(seen) < 2:  # nothing to learn: a vote for the class, or without any for the given labels
                    votes[left, seen[0] if len(seen) else codes[left]] += 1
                    continue
                given = _check_method_params(X, params, indices=part)
                votes[left, clone(base).fit(_safe_indexing(X, part), codes[part], **given).predict(rest)] += 1
            noisy = left[votes[left, codes[left]] < self.n_partitions / 2]
            removed[noisy] = True
            left = np.flatnonzero(~removed)
            idle = idle + 1 if len(noisy) < self.stop * n or not len(noisy) else 0
            self.n_rounds_ += 1
        return votes[np.arange(n), codes] / self.n_partitions, removed, votes


@dataclass(eq=False, repr=False)
class HighAgreementFilter(LabelFilter):
    """Call a label an error if a large share of the trees of a cross-validated forest contradict it.

    Parameters
    ----------
    n_estimators : int, default=100
        Trees of each forest; 500 in the paper.
    agreement : float, default=0.7
        Least share of the trees that predict another class for an error.
    cv : int, default=10
        Folds.
    random_state : int or None, default=None
        Of folds and forests.

    Notes
    -----
    ``label_quality_`` is the share of trees that predict the label. Further attributes:
    `ironbark.label_errors.filters.base.LabelFilter`.

    References
    ----------
    B. Sluban, D. Gamberger, N. Lavrač, "Ensemble-based noise detection: noise ranking and visual performance
    evaluation", Data Mining and Knowledge Discovery 28 (2014): the filters HARF-70 to HARF-90.
    """

    _parameter_constraints = LabelFilter._parameter_constraints | {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "agreement": [Interval(Real, 0, 1, closed="right")],
        "cv": [Interval(Integral, 2, None, closed="left")],
    }

    n_estimators: int = 100
    _: KW_ONLY
    agreement: float = 0.7
    cv: int = 10
    random_state: int | None = None

    def _judge(self, X, codes, weights):
        votes, n = np.zeros((len(codes), codes.max() + 1)), len(codes)
        for train, test in fold_indices(codes, None, self.cv, self.random_state):
            forest = RandomForestClassifier(self.n_estimators, random_state=self.random_state)
            params = fit_params(forest, None if weights is None else weights[train])
            forest.fit(_safe_indexing(X, train), codes[train], **params)
            features = _safe_indexing(X, test)
            for tree in forest.estimators_:
                votes[test, forest.classes_[tree.predict(features).astype(np.intp)]] += 1
        agreeing, least = votes[np.arange(n), codes], round(self.agreement * self.n_estimators, 9)
        return agreeing / self.n_estimators, self.n_estimators - agreeing >= least, votes

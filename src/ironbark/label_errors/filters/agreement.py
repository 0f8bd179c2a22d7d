"""High-agreement random forest filter: the trees of forests that were fitted without a sample vote on its label."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.utils import _safe_indexing
from sklearn.utils._param_validation import Interval

from ironbark.label_errors.filters.base import LabelFilter, subset
from ironbark.label_errors.out_of_sample import fit_params, fold_indices


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

    def __init__(
        self, n_estimators: int = 100, *, agreement: float = 0.7, cv: int = 10, random_state: int | None = None
    ):
        self.n_estimators = n_estimators
        self.agreement = agreement
        self.cv = cv
        self.random_state = random_state

    def _judge(self, X, codes, weights):
        votes, n = np.zeros((len(codes), codes.max() + 1)), len(codes)
        for train, test in fold_indices(codes, None, self.cv, self.random_state):
            forest = RandomForestClassifier(self.n_estimators, random_state=self.random_state)
            forest.fit(_safe_indexing(X, train), codes[train], **fit_params(forest, subset(weights, train)))
            features = _safe_indexing(X, test)
            features = features if issparse(features) else np.asarray(features)  # trees know no names of features
            for tree in forest.estimators_:
                votes[test, forest.classes_[tree.predict(features).astype(np.intp)]] += 1
        agreeing, least = votes[np.arange(n), codes], round(self.agreement * self.n_estimators, 9)
        return agreeing / self.n_estimators, self.n_estimators - agreeing >= least, votes

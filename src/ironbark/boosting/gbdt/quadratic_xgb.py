"""XGBoost with a quadratic loss of the margin, for two classes."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from sklearn.utils._param_validation import Interval

from ironbark import annotations as t
from ironbark.boosting.binary import ALL_ROUNDS, BinaryBooster, ProbabilityMixin
from ironbark.boosting.docstrings import documented
from ironbark.boosting.gbdt.base import required
from ironbark.boosting.gbdt.fitting import check_single_precision


@documented
@dataclass(eq=False, repr=False)
class QuadraticXGBClassifier(ProbabilityMixin, BinaryBooster):
    """XGBoost that minimises ``(1 - y F)^2``, which also grows for samples that are too right.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of rounds; all are run.
    max_depth : int, default=3
    learning_rate : float in (0, 2), default=0.1
    reg_lambda : float, default=1.0
        Penalty of squared leaf values.
    gamma : float, default=0.0
        Decrease of the loss that a split needs.
    min_child_weight : float, default=8.0
        Second derivatives that a child needs; that of each sample is 2, so the default asks for four samples.
    random_state : int, RandomState instance or None, default=None
        No effect without subsampling, which is not offered; kept for the common interface.

    Attributes
    ----------
    $classes
    booster_ : xgboost.XGBRegressor
        Fitted to -1 and +1.
    stop_reason_ : str
        "all rounds run".
    feature_importances_ : ndarray of shape (n_features,)
        Shares of the features in XGBoost's total gain.
    n_features_in_ : int

    Notes
    -----
    As y is -1 or +1, the loss is ``(y - F)^2`` with the derivatives ``2 (F - y)`` and 2 by F. XGBoost's own squared
    error is half of that, so it is used with half of `reg_lambda`, `gamma` and `min_child_weight`. F starts at 0, has
    the accuracy of float32 and estimates p - q; `predict_proba` gives ``(1 + F) / 2`` for the second class, cut to
    [0, 1]. One thread. A sample of weight 2 is one taken twice, so the scale of the weights counts. XGBoost's own
    defaults, a depth of 6, a rate of 0.3 and a `min_child_weight` of 1, suit losses whose second derivatives fall as
    the fit improves; here they overfit.

    References
    ----------
    Chen and Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016, Equations 5 to 7.

    $example
    """

    n_estimators: int = 100
    max_depth: int = 3
    learning_rate: float = 0.1
    reg_lambda: float = 1.0
    gamma: float = 0.0
    min_child_weight: float = 8.0
    random_state: t.RandomState = None

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_depth": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, 2, closed="neither")],
        **dict.fromkeys(("reg_lambda", "gamma", "min_child_weight"), [Interval(Real, 0, None, closed="left")]),
        "random_state": ["random_state"],
    }

    def _boost(self, X, codes, sample_weight):
        check_single_precision(sample_weight)
        self.booster_ = required("xgboost", "QuadraticXGBClassifier").XGBRegressor(
            objective="reg:squarederror",
            base_score=0.0,
            n_jobs=1,
            **{name: getattr(self, name) for name in ("n_estimators", "max_depth", "learning_rate")},
            **{name: getattr(self, name) / 2 for name in ("reg_lambda", "gamma", "min_child_weight")},
        )
        self.booster_.fit(X, 2.0 * codes - 1, sample_weight=sample_weight)
        self.stop_reason_ = ALL_ROUNDS

    def _stages(self, X):
        for rounds in range(1, self.booster_.n_estimators + 1):
            yield self.booster_.predict(X, iteration_range=(0, rounds)).astype(np.float64)

    def _score(self, X):
        return self.booster_.predict(X).astype(np.float64)

    def _decreases(self):
        gains = self.booster_.get_booster().get_score(importance_type="total_gain")
        return np.array([gains.get(f"f{k}", 0.0) for k in range(self._n_columns)])

    def _share(self, score):
        return np.clip((1 + score) / 2, 0, 1)

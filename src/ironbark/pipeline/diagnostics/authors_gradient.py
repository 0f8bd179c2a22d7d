"""Robust-XGB with the wrong multiclass gradient of the released code, for a diagnosis only.

The robust focal loss u^r L, with L = (1 - p^q) / q, has the derivative -u^r (r p L + u p^q) with respect to the score
of the label. The released multiclass class for XGBoost has r p^q in place of r p (p^q - 1) in its first
derivative by p, which is also a part of the second one. Its gradient for the label is u^r p^q (r - q u) / q. It has the
wrong sign, for all classes, wherever r > q u. If r >= q, that is everywhere. With r = 0 or q = 0 the class is right.
"""

from ironbark import annotations as t
from ironbark.boosting.gbdt.base import Objective
from ironbark.boosting.gbdt.fitting import replaced
from ironbark.boosting.gbdt.losses.definitions import RobustFocal, odds, of_margin
from ironbark.boosting.gbdt.losses.elementary import expm1_and_exp
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss
from ironbark.boosting.gbdt.robust_xgb import RobustXGBClassifier, XGBClassifier
from ironbark.errors import InputError
from ironbark.inputs import training

NAME = "AuthorsGradientXGBClassifier"


class AuthorsRobustFocal(RobustFocal):
    """`RobustFocal` with these derivatives under softmax; values, and derivatives for two classes, are right."""

    @staticmethod
    def of_label(loss, m, rest, n_others):
        r, q = loss.first, loss.second
        value, slope, curvature = of_margin(loss, m)
        if r == 0.0 or q == 0.0:
            return value, slope, curvature
        p, u, log_p, log_u = odds(m)
        wrong = expm1_and_exp(r * log_u)[1] * expm1_and_exp(q * log_p)[1] * (r - q * u) / q
        return value, wrong, curvature + (u - p) * (wrong - slope)


class AuthorsLoss(BoostingLoss):
    """`BoostingLoss` with the derivatives of the released code, under softmax."""

    def __init__(self, r, q):
        super().__init__("robust_focal", "softmax", r=r, q=q)
        self._loss = AuthorsRobustFocal(float(r), float(q))


class AuthorsGradientXGBClassifier(RobustXGBClassifier):
    """`RobustXGBClassifier` with the derivatives of `AuthorsLoss`.

    It shows what the error in the released code does, and is no classifier to use: with r > 0 and q > 0, boosting
    climbs the loss. It needs three classes, `loss="robust_focal"` and `multi="softmax"`.

    References
    ----------
    Luo et al. (2023), Robust-GBDT: GBDT with Nonconvex Loss for Tabular Classification in the Presence of Label Noise
    and Class Imbalance, arXiv:2310.05067v2, and the code released with it.
    """

    def __init__(
        self, r: float = 0.5, q: float = 0.3, *, n_estimators: int | None = None, max_depth: int | None = None,
        learning_rate: float | None = None, reg_alpha: float | None = None, reg_lambda: float | None = None,
        tree_method: str | None = None, n_jobs: int | None = 1, **kwargs: t.Any,
    ) -> None:  # fmt: skip
        super().__init__(
            r, q, n_estimators=n_estimators, max_depth=max_depth, learning_rate=learning_rate, reg_alpha=reg_alpha,
            reg_lambda=reg_lambda, tree_method=tree_method, n_jobs=n_jobs, **{"multi": "softmax", **kwargs},
        )  # fmt: skip

    def fit(self, X: t.Any, y: t.ArrayLike, *, sample_weight: t.ArrayLike | None = None) -> t.Self:
        """Fit the booster."""
        labels, codes, sample_weight = training(X, y, sample_weight, NAME)
        other = self.loss != "robust_focal" or self.multi != "softmax" or self.validation_fraction is not None
        if len(labels) < 3 or other:
            raise InputError(
                f"{NAME} has the error of the released code, which needs three classes, loss='robust_focal', "
                "multi='softmax' and no validation_fraction; use RobustXGBClassifier for anything else."
            )
        X = self._read(X, reset=True)
        objective = Objective(AuthorsLoss(self.r, self.q), len(labels), "constant")
        self._labels = None  # the parent's fit compares `classes_` with the codes
        with replaced(self, objective=objective):
            XGBClassifier.fit(self, X, codes, sample_weight=sample_weight)
        self._labels = labels
        return self

"""The multiclass derivatives of the code that was released with the Robust-GBDT paper, for a diagnosis.

The robust focal loss u^r L, with L = (1 - p^q) / q, has the derivative -u^r (r p L + u p^q) with respect to the score
of the label. The released class for several classes in XGBoost has r p^q in place of r p (p^q - 1) in its first
derivative by p, which is also a part of the second one. Its gradient for the label is u^r p^q (r - q u) / q. It has the
wrong sign, for all classes, wherever r > q u. If r >= q, that is everywhere. With r = 0 or q = 0 the class is right.
"""

from ironbark.boosting.gbdt.losses.definitions import RobustFocal, odds, of_margin
from ironbark.boosting.gbdt.losses.elementary import expm1_and_exp
from ironbark.boosting.gbdt.losses.evaluation import BoostingLoss


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
    """`BoostingLoss` with the derivatives of the released code, under softmax.

    Parameters
    ----------
    r, q : float
        Of the robust focal loss.
    """

    def __init__(self, r, q):
        super().__init__("robust_focal", "softmax", r=r, q=q)
        self._loss = AuthorsRobustFocal(float(r), float(q))

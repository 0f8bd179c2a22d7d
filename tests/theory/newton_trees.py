"""Trees that XGBoost grows from the derivatives of a loss, whatever the loss is.

`ironbark.RobustXGBClassifier` refuses losses without curvature at its start; here they are asked for.
"""

import numpy as np
from scipy.special import expit

from ironbark.boosting.gbdt.base import required


class Dented:
    """Log loss of two classes whose slope has a bump at a margin: it falls everywhere, but is concave next to it."""

    def __init__(self, centre, height=0.3, width=0.15):
        self.centre, self.height, self.width = centre, height, width

    def _bump(self, margin):
        return self.height * np.exp(-0.5 * ((margin - self.centre) / self.width) ** 2)

    def slope(self, margin):
        """First derivative by the margin."""
        return -expit(-margin) - self._bump(margin)

    def curvature(self, margin):
        """Second derivative by the margin."""
        bump = self._bump(margin) * (margin - self.centre) / self.width**2
        return expit(margin) * expit(-margin) + bump

    def derivatives(self, y, scores, dtype=np.float64):
        """Of each sample by its score, as in `ironbark.boosting.gbdt.losses.kernels.BoostingLoss`."""
        sign = 2 * np.asarray(y) - 1
        margin = sign * scores
        return (sign * self.slope(margin)).astype(dtype), self.curvature(margin).astype(dtype)


def leaves_of_rounds(loss, X, y, *, rounds=1, n_classes=2, start=0.0, max_depth=2, min_child_weight=1.0):
    """Samples of each leaf that XGBoost grows without penalties, by round; of more classes, leaves of each tree."""
    xgboost = required("xgboost", "a check of the theorems on Robust-GBDT")
    columns = n_classes if n_classes > 2 else 1
    data = xgboost.DMatrix(X, y, base_margin=np.full((len(y), columns), start).squeeze())
    options = {"max_depth": max_depth, "min_child_weight": min_child_weight, "lambda": 0.0, "nthread": 1}
    options |= {"base_score": 0.0, "disable_default_eval_metric": True, "tree_method": "exact"}
    if columns > 1:
        options |= {"num_class": n_classes, "objective": "multi:softprob"}
    booster = xgboost.train(options, data, rounds, obj=lambda scores, data: loss.derivatives(y, scores))
    leaves = booster.predict(data, pred_leaf=True).astype(int).reshape(len(y), rounds, columns)
    if columns > 1:
        return [[len(np.unique(leaves[:, k, c])) for c in range(columns)] for k in range(rounds)]
    return [np.unique(leaves[:, k, 0], return_counts=True)[1].tolist() for k in range(rounds)]

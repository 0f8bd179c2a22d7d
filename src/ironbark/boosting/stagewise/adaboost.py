"""AdaBoost for two classes."""

import numpy as np

from ironbark.boosting.docstrings import documented
from ironbark.boosting.stagewise.base import MIN_EDGE, ShrunkenBooster, Step

LEAST = np.finfo(np.float64).eps  # share of a sample in the weights, as in scikit-learn: none drops out of a tree


@documented
class AdaBoostClassifier(ShrunkenBooster):
    """AdaBoost.M1: trees that vote, each on weights that grow where the last one is wrong.

    Parameters
    ----------
    n_estimators : int, default=100
        Largest number of rounds.
    $trees
    learning_rate : float, default=1.0
        Factor of each step.
    $random_state_and_record

    Attributes
    ----------
    $classes
    estimators_ : list of RegressionTree
        They predict -1 or +1.
    $steps
    estimator_errors_ : ndarray of shape (n_rounds,)
        Weighted training error of each tree.
    stop_reason_ : str
        "perfect tree" (one without error, which is kept with a factor of 1/2), "no edge" (a tree no better than
        chance, which is not kept), or "all rounds run".
    $weights_and_importances

    Notes
    -----
    Weights start equal. Each round fits a tree h, has the weighted error e, adds ``a h`` to F with
    ``a = learning_rate / 2 ln((1 - e) / e)``, and multiplies the weights by ``exp(-a y h)``, up to a factor that makes
    them sum to 1; none sinks below 2.2e-16 of the sum. F estimates half the log-odds. scikit-learn's AdaBoost has the
    same trees but where splits or votes tie, and twice the F.

    References
    ----------
    Freund and Schapire, "A Decision-Theoretic Generalization of On-Line Learning and an Application to Boosting",
    Journal of Computer and System Sciences 55, 1997, Figure 2 (AdaBoost.M1: Figure 3).

    $example
    """

    def _start(self, signs, prior):
        return _Rounds(signs, prior, self.learning_rate)

    def _finish(self, state):
        self.estimator_errors_ = np.array(state.errors)


class _Rounds:
    """Weights of the samples, whose sum is 1 but for the least ones."""

    def __init__(self, signs, prior, learning_rate):
        self.signs, self.prior, self.learning_rate = signs, prior, learning_rate
        self.weight, self.errors = prior, []

    def problem(self):
        shares = np.maximum(self.weight / self.weight.sum(), LEAST)
        self.weight = np.where(self.prior > 0, shares, 0.0)
        return self.signs, self.weight

    def advance(self, output):
        wrong = output != self.signs
        error = np.average(wrong, weights=self.weight)
        if 1 - 2 * error <= MIN_EDGE:
            return Step(None, reason="no edge")
        self.errors.append(error)
        if error == 0:
            return Step(0.5, reason="perfect tree")
        size = self.learning_rate / 2 * np.log((1 - error) / error)
        self.weight = np.where(wrong, self.weight, self.weight * np.exp(-2 * size))  # can't overflow
        return Step(size)

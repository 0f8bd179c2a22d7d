"""BrownBoost for two classes."""

import math
from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.special import erf
from sklearn.utils._param_validation import Interval

from ironbark import annotations as t
from ironbark.boosting.binary import ProbabilityMixin
from ironbark.boosting.docstrings import documented
from ironbark.boosting.gbdt.losses.elementary import expm1_and_exp
from ironbark.boosting.stagewise.base import StagewiseBooster
from ironbark.boosting.stagewise.potential_step import PotentialRounds
from ironbark.jit import kernel

MOST = 700  # exp(-700) is a normal number of float64
BLOCK = 64  # samples


@documented
@dataclass(eq=False, repr=False)
class BrownBoostClassifier(ProbabilityMixin, StagewiseBooster):
    """Boosting that gives up on samples it gets wrong as its time runs out.

    Parameters
    ----------
    c : float, default=10.0
        Total time, at most 700: the first weight is exp(-c). The larger, the longer hard samples keep their weight; the
        potential that is kept is the final training error ``1 - erf(sqrt(c))`` aimed at: 7.7e-6 for 10, 0.1 for 1.353.
    n_estimators : int, default=1000
        Largest number of rounds.
    $trees
    $random_state_and_record

    Attributes
    ----------
    $classes
    estimators_ : list of RegressionTree
        They predict -1 or +1.
    $steps
    remaining_ : ndarray of shape (n_rounds + 1,)
        Time that was left before the first and after each round.
    stop_reason_ : str
        "end of time", "no edge" (a tree no better than chance), "no positive step" (of the clock), or "all rounds run".
    $weights_and_importances

    Notes
    -----
    Margins m = y F start at 0 and the remaining time s at c. Each round fits a tree h with the weights
    ``exp(-(m + s)^2 / c)``, of which a millionth is spread evenly, and adds a h to F and takes t off s such that the
    mean of ``1 - erf((m + s) / sqrt(c))`` stays what it is and the new weights do not correlate with y h. Both numbers
    are found by nested bracketing (`potential_step`), without the Newton steps of other implementations, which may
    diverge. The last round takes the time that is left. `predict_proba` gives the second class the final potential,
    ``(1 + erf(F / sqrt(c))) / 2``, which is not calibrated.

    References
    ----------
    Freund, "An Adaptive Version of the Boost by Majority Algorithm", Machine Learning 43, 2001, Figure 2.

    $example
    """

    c: float = 10.0
    n_estimators: int = 1000
    max_leaf_nodes: int = 11
    min_samples_split: int = 10
    random_state: t.RandomState = None
    record_weights: bool = False

    _parameter_constraints = {**StagewiseBooster._parameter_constraints, "c": [Interval(Real, 0, MOST, closed="right")]}

    def _start(self, signs, prior):
        return _Rounds(signs, prior, float(self.c))

    def _finish(self, state):
        self.remaining_, self._c = np.array(state.times), state.c

    def _share(self, score):
        return (1 + erf(score / np.sqrt(self._c))) / 2


class _Rounds(PotentialRounds):
    """Here `time` is what is left of it."""

    def __init__(self, signs, prior, c):
        super().__init__(signs, prior, c, np.sqrt(c))
        self.c = c

    def weights(self):
        return weight(self.margin, self.time, self.c)

    def potential(self, agrees, size, time, most=np.inf):
        return _mean_potential(self.margin, agrees, self.prior, size, self.time - time, self.c, most)

    def correlation(self, agrees, size, time):
        return _correlation(self.margin, agrees, self.prior, size, self.time - time, self.c)

    def left(self):
        return self.time

    def move(self, agrees, step):
        self.margin = self.margin + step.size * agrees
        self.time = 0.0 if step.last else self.time - step.time
        return 1.0


def weight(margin, left, c):
    """Weight of samples by their margin when that much time is left."""
    return np.exp(-((margin + left) ** 2) / c)


@kernel
def _correlation(margin, agrees, prior, size, left, c):
    """Sum of prior times `weight` times y h after a move of that size; the loops over a block overlap."""
    total, work = 0.0, np.empty(BLOCK)
    for first in range(0, margin.shape[0], BLOCK):
        m, a, p = margin[first : first + BLOCK], agrees[first : first + BLOCK], prior[first : first + BLOCK]
        for i in range(m.shape[0]):
            reach = m[i] + size * a[i] + left
            work[i] = p[i] * a[i] * expm1_and_exp(-reach * reach / c)[1]
        for i in range(m.shape[0]):
            total += work[i]
    return total


@kernel
def _mean_potential(margin, agrees, prior, size, left, c, most):
    """Sum of prior times potential (twice the probability of a negative end) after a move, or a part above `most`."""
    total, width = 0.0, math.sqrt(c)
    for i in range(margin.shape[0]):
        total += prior[i] * math.erfc((margin[i] + size * agrees[i] + left) / width)
        if total > most:
            break
    return total

"""RobustBoost for two classes."""

from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.special import erfc, erfinv
from sklearn.utils._param_validation import Interval

from ironbark import annotations as t
from ironbark.boosting.docstrings import documented
from ironbark.boosting.stagewise.base import StagewiseBooster
from ironbark.boosting.stagewise.potential_step import PotentialRounds

LEAST = 1e-6  # of a width whose square is added to 1


@documented
@dataclass(eq=False, repr=False)
class RobustBoostClassifier(StagewiseBooster):
    """Boosting towards a share of training errors that is allowed, with weight zero for samples that are too wrong.

    Parameters
    ----------
    error_goal : float in [1e-9, 1), default=0.1
        Share of training samples whose margin may stay below `max_margin`. A tree with fewer errors ends the fit.
    max_margin : float >= 0, default=0.0
        Margin aimed at.
    margin_sigma : float in [1e-6, 1e6], default=0.1
        Width of the potential at the end.
    n_estimators : int, default=100
        Largest number of rounds.
    $trees
    $random_state_and_record

    Attributes
    ----------
    $classes
    estimators_ : list of RegressionTree
        They predict -1 or +1.
    $steps
    times_ : ndarray of shape (n_rounds + 1,)
        Time before the first and after each round, from 0 to at most 1.
    stop_reason_ : str
        "end of time" (the goal is reached), "no edge" (no better than chance), "no positive step", or "all rounds run".
    $weights_and_importances

    Notes
    -----
    With the width s = `margin_sigma`, the margin theta = `max_margin` and the goal e, at time t

    - ``sigma(t)^2 = (s^2 + 1) exp(2 (1 - t)) - 1`` and ``mu(t) = (theta - 2 rho) exp(1 - t) + 2 rho``, where
      ``rho = (sigma(0) erfinv(1 - e) + exp(1) theta) / (2 (exp(1) - 1))``;
    - a sample of margin m has the potential ``min(1, 1 - erf(z))``, z = (m - mu(t)) / sigma(t), and the weight
      ``exp(-z^2)`` if z > 0, else 0.

    Each round fits a tree h with these weights, of which a millionth is spread evenly, lets time d pass, which shrinks
    all margins by exp(-d), and moves them along y h such that the mean potential stays e and the new weights do not
    correlate with y h (`potential_step`). The last round takes the time that is left.

    References
    ----------
    Freund, "A more robust boosting algorithm", arXiv:0905.2138, 2009.

    $example
    """

    error_goal: float = 0.1
    max_margin: float = 0.0
    margin_sigma: float = 0.1
    n_estimators: int = 100
    max_leaf_nodes: int = 11
    min_samples_split: int = 10
    random_state: t.RandomState = None
    record_weights: bool = False

    _parameter_constraints = {
        **StagewiseBooster._parameter_constraints,
        "error_goal": [Interval(Real, 1e-9, 1, closed="left")],
        "max_margin": [Interval(Real, 0, None, closed="left")],
        "margin_sigma": [Interval(Real, LEAST, 1e6, closed="both")],
    }

    def _start(self, signs, prior):
        return _Rounds(signs, prior, Potential(self.error_goal, self.max_margin, self.margin_sigma))

    def _finish(self, state):
        self.times_ = np.array(state.times)


class Potential:
    """Potential and weight of a margin at a time, see the notes of `RobustBoostClassifier`."""

    def __init__(self, error_goal=0.1, max_margin=0.0, margin_sigma=0.1):
        self.max_margin, self.width = max_margin, margin_sigma**2 + 1
        self.rho = (self.sigma(0) * erfinv(1 - error_goal) + np.e * max_margin) / (2 * (np.e - 1))

    def sigma(self, time):
        """Width at a time."""
        return np.sqrt(self.width * np.exp(2 * (1 - time)) - 1)

    def mu(self, time):
        """Margin at a time up to which samples are given up."""
        return (self.max_margin - 2 * self.rho) * np.exp(1 - time) + 2 * self.rho

    def weight(self, margin, time):
        """Weight of samples."""
        z = (margin - self.mu(time)) / self.sigma(time)
        return np.where(z > 0, np.exp(-(z**2)), 0.0)

    def potential(self, margin, time):
        """Potential of samples, in [0, 1]."""
        return erfc(np.maximum((margin - self.mu(time)) / self.sigma(time), 0))


class _Rounds(PotentialRounds):
    def __init__(self, signs, prior, law):
        super().__init__(signs, prior, 0.0, 1.0)
        self.law = law

    def weights(self):
        return self.law.weight(self.margin, self.time)

    def _moved(self, agrees, size, time):
        return np.exp(-time) * self.margin + size * agrees, self.time + time

    def potential(self, agrees, size, time, most=np.inf):
        return np.dot(self.prior, self.law.potential(*self._moved(agrees, size, time)))

    def correlation(self, agrees, size, time):
        return np.dot(self.prior * self.law.weight(*self._moved(agrees, size, time)), agrees)

    def left(self):
        return 1 - self.time

    def move(self, agrees, step):
        self.margin, time = self._moved(agrees, step.size, step.time)
        self.time = 1.0 if step.last else time
        return float(np.exp(-step.time))

"""Rounds of boosters that keep a potential constant while time passes: nested root searches in one variable."""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from ironbark.boosting.stagewise.base import MIN_EDGE, Step, floored

MIN_TIME = 1e-10  # smallest step in time, as a share of what is left
TOLERANCE = 1e-9  # relative change of the potential that is still a root
COARSE, FINE = 1e-7, 1e-13  # relative errors of the size: at the best one the potential is flat
GROWTH, MOST_GROWTHS, FURTHER = 1.5, 150, 15
DOUBLINGS = 80


class PotentialStep(NamedTuple):
    """How far the margins move along y h, and how much time passes; `last` if none is left."""

    size: float
    time: float
    last: bool


class Bracketed:
    """Searches for steps, starting where the last one ended; all loops are bounded."""

    def __init__(self, width):
        # The search for a size starts at an eighth of the scale of the margins at most: there may be more roots.
        self.most, self.size, self.share = width / 8, width / 8, 1 / 16

    def step(self, potential, correlation, left):
        """The step that keeps the mean potential and leaves no correlation of the new weights with the tree, or None.

        Both are functions of size and time; the correlation is proportional to minus the derivative of the potential by
        the size. None if no time can pass. The last step takes all time that is `left` and keeps the potential with the
        smallest size, or, if time alone lowers it, makes it as low as it gets at first. Where the potential is above
        `most`, ``potential(size, time, most)`` may give any number above `most`.
        """
        start = potential(0.0, 0.0)

        def excess(time):
            return potential(self._best(correlation, time, COARSE), time) / start - 1

        end = self._end(potential, correlation, start, left)
        if end is not None:
            return PotentialStep(end, left, True)
        low, high = self._bracket(excess, left)
        if low is None:
            return None
        time = brentq(excess, low, high, xtol=FINE * left, rtol=FINE)
        size = self._best(correlation, time, FINE)
        if abs(potential(size, time) / start - 1) > TOLERANCE:  # the best size jumps here: keep the potential at least
            size = self._smallest(potential, start, time, size)
        self.share = time / left
        return PotentialStep(size, time, False)

    def _bracket(self, excess, left):
        """Times around a change of the sign of the excess from - to +, of which none is below zero at first."""
        time = max(self.share / 4, MIN_TIME) * left
        while excess(time) >= 0:
            time /= 8
            if time < MIN_TIME * left:
                return None, None
        for _ in range(DOUBLINGS):
            high = min(2 * time, left)
            if excess(high) > 0:
                return time, high
            time = high
        return None, None

    def _best(self, correlation, time, error):
        """The first size at which a positive correlation is used up; zero if there is none, the last if it stays."""
        # All weights may be zero at first, so a correlation of zero does not end the search.
        low, below = 0.0, correlation(0.0, time)
        high = 0.8 * min(self.size, self.most)
        if below < 0:
            return 0.0
        for _ in range(MOST_GROWTHS):
            value = correlation(high, time)
            if value <= 0 < below:
                self.size = brentq(correlation, low, high, args=(time,), xtol=error * high, rtol=error)
                return self.size
            if value < 0:
                return 0.0
            low, below, high = high, value, GROWTH * high
        return low if below > 0 else 0.0

    def _end(self, potential, correlation, start, left):
        """Size of a last step, None if none keeps the potential so long."""
        best = self._best(correlation, left, FINE)
        if potential(best, left, start) <= start:
            return self._smallest(potential, start, left, best)
        low, high = best, max(best, self.most)
        for _ in range(FURTHER):  # behind the first minimum there may be a lower one
            if potential(high, left, start) <= start:
                return self._crossing(potential, start, left, low, high)
            low, high = high, GROWTH * high
        return None

    def _smallest(self, potential, start, time, best):
        """The smallest size up to the best one at which the potential is what it was; the best if there is none."""
        if potential(0.0, time) <= start or potential(best, time) >= start:
            return best
        return self._crossing(potential, start, time, 0.0, best)

    @staticmethod
    def _crossing(potential, start, time, low, high):
        """Size at which the potential falls to what it was."""
        return brentq(lambda size: potential(size, time) / start - 1, low, high, xtol=FINE * high, rtol=FINE)


class PotentialRounds:
    """Margins of the samples, and times before the first and after each round.

    A booster has ``weights()``, ``potential(agrees, size, time, most)`` and ``correlation(agrees, size, time)`` of a
    step, agrees being y h, ``left()``, the time that is left, and ``move(agrees, step)``, which returns the decay.
    """

    def __init__(self, signs, prior, start, width):
        self.signs, self.prior = signs, prior
        self.margin, self.time, self.times = np.zeros(len(signs)), start, [start]
        self.search = Bracketed(width)

    def problem(self):
        """Target and weights of the next tree."""
        return self.signs, floored(self.weights(), self.prior)

    def advance(self, output):
        """Step that follows from the output of a tree."""
        agrees, weight = self.signs * output, self.prior * self.weights()
        total = weight.sum()
        if total <= 0 or np.dot(weight, agrees) / total <= MIN_EDGE:
            return Step(None, reason="no edge")
        step = self.search.step(partial(self.potential, agrees), partial(self.correlation, agrees), self.left())
        if step is None:
            return Step(None, reason="no positive step")
        decay = self.move(agrees, step)
        self.times.append(self.time)
        return Step(step.size, decay, "end of time" if step.last else "")

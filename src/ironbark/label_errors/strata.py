"""Wrong labels of strata, from samples without replacement: a confidence sequence of their number.

Each stratum has the prior-posterior-ratio martingale of Waudby-Smith and Ramdas (2020); see `LabelReview`.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, gammaln

STRENGTH = 4.0  # of the working prior of a stratum, in rows
LEAST_RATE = 0.01  # of errors, expected in a stratum
LEVEL = 0.9


@dataclass
class Stratum:
    """Rows in the order in which they are asked for, and the working prior of their error rate."""

    rows: np.ndarray
    expected: float
    answers: tuple = (0, 0, 0)  # asked for, wrong, unsure; up to the first row of all strata without an answer

    @property
    def prior(self):
        rate = min(max(self.expected, LEAST_RATE), 1 - LEAST_RATE)
        return STRENGTH * rate, STRENGTH * (1 - rate)

    def posterior(self, unsure_are_wrong=0.5):
        """Parameters of the beta distribution of the error rate of the rows without an answer."""
        n, wrong, unsure = self.answers
        wrong = wrong + unsure_are_wrong * unsure
        a, b = self.prior
        return a + wrong, b + n - wrong


def evidence(size: int, n: int, wrong: int, a: float, b: float) -> np.ndarray:
    """Log of the martingale against each number of errors in a stratum, 0 to `size`, after n rows without replacement.

    It is the beta-binomial probability of the wrong ones among n, over that of the hypergeometric distribution.
    """
    errors = np.arange(size + 1)
    with np.errstate(invalid="ignore"):
        likelihood = _choose(errors, wrong) + _choose(size - errors, n - wrong) - _choose(size, n)
    marginal = _choose(n, wrong) + betaln(wrong + a, n - wrong + b) - betaln(a, b)
    return marginal - np.where((errors < wrong) | (size - errors < n - wrong), -np.inf, likelihood)


def _choose(n, k):
    """Log of the binomial coefficient."""
    return gammaln(np.maximum(n, k) + 1) - gammaln(k + 1) - gammaln(np.maximum(n - k, 0) + 1)


def bounds(strata: list[Stratum], unsure_are_wrong: int):
    """Numbers of errors of all strata that the product of their martingales does not refute at level 1 - LEVEL.

    The evidence of a stratum is convex in its number of errors, so the least evidence of all strata against a total is
    that of the steps of least slope.
    """
    start, least, slopes = 0, 0.0, []
    for stratum in strata:
        n, wrong, unsure = stratum.answers
        wrong += unsure_are_wrong * unsure
        logs = evidence(len(stratum.rows), n, wrong, *stratum.prior)
        known = np.flatnonzero(np.isfinite(logs))
        start, least = start + int(known[0]), least + logs[known[0]]
        slopes.append(np.diff(logs[known]))
    logs = least + np.concatenate([[0.0], np.cumsum(np.sort(np.concatenate(slopes)))])
    kept = np.flatnonzero(logs < np.log(1 / (1 - LEVEL)))
    return start + int(kept[0]), start + int(kept[-1])

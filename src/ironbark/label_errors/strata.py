"""Strata of suspicion, and a confidence sequence of their wrong labels from samples without replacement.

Each stratum has the prior-posterior-ratio martingale of Waudby-Smith and Ramdas (2020); see `LabelReview`.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

STRENGTH = 4.0  # of the working prior of a stratum, in rows
LEAST_RATE = 0.01  # of errors, expected in a stratum
LEVEL = 0.9
EDGES = (1, 3, 8)  # ends of the strata, in multiples of the expected number of errors
SMALLEST = 20  # rows of a stratum, unless it is the last
LEAST_SHARE = 0.1  # of the rows that are asked for, in each stratum


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

    def posterior(self):
        """Parameters of the beta distribution of the error rate of the rows without a sure answer."""
        (n, wrong, unsure), (a, b) = self.answers, self.prior
        return a + wrong, b + n - wrong - unsure


def divided(ranking: np.ndarray, wrong: np.ndarray, seed: int) -> dict:
    """Rows of strata by suspicion, in a random order, and how likely their labels are wrong; `wrong` is by rank."""
    rng, unit = np.random.default_rng(seed), max(SMALLEST, round(wrong.sum()))
    ends = [end for end in (unit * edge for edge in EDGES) if end + SMALLEST <= len(wrong)]
    parts = [rng.permutation(part) for part in np.split(np.arange(len(wrong)), ends)]
    return {"strata": [ranking[part].tolist() for part in parts], "wrong": [wrong[part].tolist() for part in parts]}


def is_design(found) -> bool:
    """Whether something has the form of what `divided` returns."""
    if not isinstance(found, dict) or found.keys() != {"strata", "wrong"}:
        return False
    if not all(isinstance(each, list) and all(isinstance(part, list) for part in each) for each in found.values()):
        return False
    if not [*map(len, found["strata"])] == [*map(len, found["wrong"])] != [] or not all(found["strata"]):
        return False
    rates = [rate for part in found["wrong"] for rate in part]
    whole = all(type(row) is int for part in found["strata"] for row in part)
    return whole and all(isinstance(rate, (int, float)) and 0 <= rate <= 1 for rate in rates)


def in_order(strata: list[Stratum]):
    """All rows in the order in which they are asked for, whatever the answers, and the strata that they are of."""
    sizes = np.array([len(stratum.rows) for stratum in strata])
    rates = np.array([stratum.prior[0] / STRENGTH for stratum in strata])
    shares = sizes * np.sqrt(rates * (1 - rates))  # Neyman's allocation
    shares = np.maximum(shares / shares.sum(), LEAST_SHARE)
    numbers = np.repeat(np.arange(len(sizes)), sizes)
    due = [(np.arange(size) + 0.5) / share for size, share in zip(sizes, shares, strict=True)]
    order = np.lexsort([numbers, np.concatenate(due)])
    return np.concatenate([stratum.rows for stratum in strata])[order], numbers[order]


def evidence(size: int, n: int, wrong: int, a: float, b: float) -> np.ndarray:
    """Log of the martingale against each number of errors in a stratum, 0 to `size`, after n rows not put back."""
    # It is the beta-binomial probability of the wrong ones among n, over that of the hypergeometric distribution.
    likelihood = stats.hypergeom.logpmf(wrong, size, np.arange(size + 1), n)
    return stats.betabinom.logpmf(wrong, n, a, b) - likelihood


def bounds(strata: list[Stratum], unsure_are_wrong: int):
    """Numbers of errors of all strata that the product of their martingales does not refute at level 1 - LEVEL."""
    # The evidence of a stratum is convex in its number of errors, so the least evidence of all strata against a total
    # is that of the steps of least slope.
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

"""Bootstrap samples of a forest's trees, and scores of the samples that are out of their bags."""

import warnings
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral

import numpy as np

from ironbark.errors import InputError
from ironbark.files import digest

MAX_DRAWS = 2**24 - 1  # growers hold how often a sample is drawn in 24 bits


@dataclass
class Bags:
    """Bootstrap samples of a forest's trees, each drawn with replacement from the seed of its tree."""

    n_samples: int
    n_draws: int  # of each bootstrap sample
    weights: np.ndarray | None = None  # chance of each sample, up to a factor; None for equal chances
    samples: np.ndarray | None = None  # of soft labels: the sample of each row; what is drawn are rows
    _outside: dict = field(default_factory=dict)  # seed -> packed bits of `outside`, once its counts are known

    @cached_property
    def _ends(self):
        """Samples of positive weight, and the cumulated weights up to and including each."""
        rows = np.flatnonzero(self.weights)
        return rows, np.cumsum(self.weights[rows], dtype=np.float64)

    def counts(self, seed):
        """How often each sample is drawn; ndarray of shape (n_samples,), int64."""
        rng = np.random.default_rng(seed)
        if self.weights is None:
            drawn = rng.integers(0, self.n_samples, self.n_draws)
        else:
            rows, ends = self._ends
            points = rng.random(self.n_draws)
            points.sort()  # searching sorted numbers is three times as fast
            drawn = rows[np.searchsorted(ends[:-1], points * ends[-1], side="right")]
        counts = np.bincount(drawn, minlength=self.n_samples)
        of_samples = counts if self.samples is None else np.bincount(self.samples, counts)[self.samples]
        self._outside[seed] = np.packbits(of_samples == 0)
        return counts

    def outside(self, seed):
        """Whether each sample is out of the bag, with all of its rows; ndarray of shape (n_samples,), bool."""
        if seed not in self._outside:
            self.counts(seed)
        return np.unpackbits(self._outside[seed], count=self.n_samples).astype(bool)


def bags_of(max_samples, n, weights=None, samples=None):
    """The `Bags` of a forest on n samples, by the rules of scikit-learn 1.9; not all weights are 0."""
    draws = (n if samples is None else int(samples[-1]) + 1) if max_samples is None else max_samples
    if not isinstance(draws, Integral):
        draws = _share(max_samples, n, weights)
    if draws > (MAX_DRAWS if weights is not None else max(n, MAX_DRAWS)):
        raise InputError(
            f"max_samples={max_samples} means {draws} draws for each tree of a forest on {n} samples, but at most "
            f"{MAX_DRAWS} can be counted; give a smaller number."
        )
    equal = weights is None or (weights == weights[0]).all()
    return Bags(n, int(draws), None if equal else weights.astype(np.float64), samples)


def fitted_bags(forest):
    """The `Bags` that a fitted forest's trees were grown on."""
    return Bags(forest.n_samples_, forest.n_draws_, getattr(forest, "sample_weight_", None))


def record_bags(forest, bags):
    """Set what `fitted_bags` reads; nothing of soft labels, and but the number of samples without bootstrap samples."""
    found = {"n_samples_": bags.n_samples, "n_draws_": bags.n_draws, "sample_weight_": bags.weights}
    for name, value in found.items():
        vars(forest).pop(name, None)  # of an earlier fit
        if value is not None and bags.samples is None and (forest.bootstrap or name == "n_samples_"):
            setattr(forest, name, value)


def _share(share, n, weights):
    """Draws of a share of n samples, or of the sum of their weights."""
    total = n if weights is None else weights.sum()
    draws = max(int(total * share), 1)
    if weights is not None and draws < max(10, n ** (1 / 3)):
        warnings.warn(
            f"max_samples={share} is a share of the sum of the weights, {total:g}, so each tree draws {draws} of {n} "
            "samples; scale the weights to a mean of 1, or give a number of draws as max_samples.",
            stacklevel=5,
        )
    return draws


def out_of_bag_score(score, proportions, codes, classes):
    """Score of the samples that at least one tree did not draw, by `out_of_bag_proportions`; NaN if there are none."""
    voted = np.flatnonzero(~np.isnan(proportions[:, 0]))
    if len(voted) < len(codes):
        missing = len(codes) - len(voted)
        warnings.warn(
            f"{missing} samples have no out-of-bag votes, since every tree drew them; grow more trees.", stacklevel=5
        )
    if not len(voted):
        return float("nan")
    return score(classes[codes[voted]], classes[proportions[voted].argmax(axis=1)])


def sample_digest(features, codes, weights, draws):
    """Text that tells training sets apart: by draws, all labels and weights, and the values of up to 100 samples."""
    some = np.linspace(0, len(codes) - 1, min(len(codes), 100)).astype(int)
    arrays = [np.append(codes, draws).astype(np.int64), features.take(some).decode()]
    arrays += [] if weights is None else [weights.astype(np.float64)]
    return digest(*(array.tobytes() for array in arrays))

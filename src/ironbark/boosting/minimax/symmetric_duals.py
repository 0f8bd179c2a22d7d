"""Duals of RMBoost that are equal for samples that no rule separates."""

import numpy as np


class SymmetricDuals:
    """Averages r = q - p over samples on which all rules agree, or all disagree.

    The result satisfies the same constraints and has no larger sum of abs(r), so it is as good as the solver's.

    Parameters
    ----------
    q : ndarray of shape (n_samples,), float64
        Signed weights of the samples.
    """

    def __init__(self, q):
        self.q = q
        self.group = np.zeros(len(q), np.int64)
        self.sign = None

    def add(self, rule):
        """Split the groups by a rule with values -1 and +1; its negative would split them alike."""
        if self.sign is None:
            self.sign = np.asarray(rule, np.float64)
        aligned = self.sign * rule > 0
        self.group = np.unique(2 * self.group + aligned, return_inverse=True)[1]

    def average(self, p):
        """Signed weights in place of those of the solver."""
        r = self.sign * (self.q - p)
        mean = np.bincount(self.group, r) / np.bincount(self.group)
        return self.q - self.sign * mean[self.group]

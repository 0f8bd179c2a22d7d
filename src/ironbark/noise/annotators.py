"""Noise of annotators who vote, some of whom dissent."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption, frequencies


def annotators(
    X, y: np.ndarray, n_classes: int, rate, rng, *, votes: int = 3, skill=0.7, dissenters: int = 0
) -> Corruption:
    """Replace each label by the majority of annotators' votes; ties are drawn."""
    skills = np.full(max(votes - dissenters, 0), skill) if np.ndim(skill) == 0 else np.array(skill, np.float64)
    if len(skills) + dissenters != votes:
        raise InputError(
            f"noise 'annotators' has {votes} votes, {dissenters} of dissenters and {len(skills)} of others; "
            "give as many votes as there are annotators."
        )
    shifts = rng.integers(1, n_classes, dissenters)
    counts = np.zeros((len(y), n_classes))
    rows = np.arange(len(y))
    for right in skills:
        wrong = rng.random(len(y)) >= right
        counts[rows, (y + wrong * rng.integers(1, n_classes, len(y))) % n_classes] += 1
    for shift in shifts:
        counts[rows, (y + shift) % n_classes] += 1
    labels = (counts + rng.random(counts.shape)).argmax(axis=1)  # a number below 1 decides between equal counts only
    return Corruption(labels, frequencies(y, labels, n_classes))

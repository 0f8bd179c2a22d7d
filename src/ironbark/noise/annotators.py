"""Noise of annotators who vote, some of whom dissent."""

from math import factorial

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption


def annotators(
    X, y: np.ndarray, n_classes: int, rate, rng, *, votes: int = 3, skill=0.7, dissenters: int = 0
) -> Corruption:
    """Replace each label by the majority of annotators' votes; ties are drawn.

    `votes` counts those of dissenters. `skill` is the probability that the vote of an annotator who does not dissent
    is the true class, of all or of each of them; other votes are spread evenly over the other classes. Each of the
    `dissenters` takes one class for another throughout: all classes shifted by a number from 1 to K - 1, drawn once.

    The matrix is exact. Without dissenters it is that of uniform noise, since annotators are right independently of
    each other; for two classes and an odd number of votes its rate is that of Sheng et al., Section 3.1.

    Sheng, Provost and Ipeirotis, "Get Another Label? Improving Data Quality and Data Mining Using Multiple, Noisy
    Labelers", KDD 2008. Dissenting workers after Chong, Hong and Manning, "Detecting Label Errors by using Pre-Trained
    Language Models", EMNLP 2022, who have real workers.
    """
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
    return Corruption(labels, transition_matrix(n_classes, skills, shifts))


def transition_matrix(n_classes: int, skills: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """Probabilities of the majority.

    All classes are alike up to their order, so row i is row 0 turned by i. Of the votes for a sample of class 0, the
    number of right ones has a Poisson binomial distribution, and the r wrong ones a multinomial one over the other
    classes, to which the fixed votes of the dissenters are added. With v votes for the winner, the other classes have
    at most v: the coefficient of z^r t^e in a product of polynomials, one for each class, is the weight of all ways in
    which e of them have v votes as well. Then the winner is drawn with probability 1 / (e + 1).
    """
    right = np.ones(1)
    for skill in skills:
        right = np.convolve(right, [1 - skill, skill])
    fixed = np.bincount(shifts, minlength=n_classes)
    alike = [int(held) if label else -1 for label, held in enumerate(fixed)]  # wrong classes of equal fixed votes
    wins = {kind: _wins(alike.index(kind), right, fixed) for kind in alike}
    row = np.array([wins[kind] for kind in alike])
    return np.array([np.roll(row, true) for true in range(n_classes)])


def _wins(label, right, fixed):
    """Probability that a label wins if 0 is the true class."""
    most, total = len(right) - 1, 0.0
    for n_right, probability in enumerate(right):
        n_wrong = most - n_right
        spread = factorial(n_wrong) / (len(fixed) - 1) ** n_wrong
        for winning in range(most + fixed.sum() + 1):
            ways = np.zeros((n_wrong + 1, len(fixed) + 1))  # wrong votes used, classes with as many as the winner
            ways[0, 0] = 1.0
            for k, held in enumerate(fixed):
                free = 0 if k == 0 else n_wrong
                ways = _with_class(ways, held + (n_right if k == 0 else 0), free, winning, k == label)
            total += probability * spread * (ways[n_wrong] / (1 + np.arange(ways.shape[1]))).sum()
    return total


def _with_class(ways, held, free, winning, wins):
    """Ways after one more class, which holds some votes and gets up to `free` of the wrong ones."""
    after = np.zeros_like(ways)
    for more in range(free + 1):
        reached = held + more
        if reached > winning or (wins and reached < winning):
            continue
        ties = int(reached == winning and not wins)
        after[more:, ties:] += ways[: len(ways) - more, : ways.shape[1] - ties] / factorial(more)
    return after

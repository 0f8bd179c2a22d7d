"""Noise that looks at the label only: by a transition matrix, by the sizes of the classes, or by votes.

docs/noise.md defines them. With ``exact`` (false by default) the number of labels that change is rounded, not drawn.
"""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.base import Corruption, draw, flip, frequencies, occurring, others, reaching


def clean(X, y, n_classes, rate, rng):
    """No noise at all."""
    return Corruption(y.copy(), np.eye(n_classes))


def uniform(X, y, n_classes, rate, rng, *, exact: bool = False):
    """Replace a label, with probability `rate`, by one of the other K - 1 classes, all equally likely."""
    transition = np.full((n_classes, n_classes), rate / (n_classes - 1))
    np.fill_diagonal(transition, 1 - rate)
    if not exact:
        return Corruption(draw(transition, y, rng), transition)
    labels = y.copy()
    rows = rng.permutation(np.arange(len(y)))[: round(rate * len(y))]
    labels[rows] = (y[rows] + rng.integers(1, n_classes, len(rows))) % n_classes
    return Corruption(labels, transition)


def class_conditional(X, y, n_classes, rate, rng):
    """Flip class 0 with probability ``rate[0]`` and class 1, the positive one, with probability ``rate[1]``."""
    up, down = rate
    transition = np.array([[1 - up, up], [down, 1 - down]])
    return Corruption(draw(transition, y, rng), transition)


def class_conditional_by_size(X, y: np.ndarray, n_classes: int, rate, rng):
    """Flip the smaller class with probability ``rate[0]`` and the larger one with probability ``rate[1]``."""
    counts = np.bincount(y, minlength=2)
    return class_conditional(X, y, n_classes, rate if counts[0] < counts[1] else rate[::-1], rng)


def pair_flip(X, y, n_classes, rate, rng, *, last: str = "wrap"):
    """Turn round(rate * n_i) samples of each class i into the next class; `last` says what the last one does."""
    n_flipping = n_classes if last == "wrap" else n_classes - 1
    labels, transition = y.copy(), np.eye(n_classes)
    for true in range(n_flipping):
        following = (true + 1) % n_classes
        transition[true, true], transition[true, following] = 1 - rate, rate
        rows = np.flatnonzero(y == true)
        labels[rng.permutation(rows)[: round(rate * len(rows))]] = following
    return Corruption(labels, transition)


def matrix(X, y: np.ndarray, n_classes: int, rate, rng, *, matrix=None, exact: bool = False) -> Corruption:
    """Draw each label from the row of its true class in a matrix that is given."""
    transition = np.array(matrix, np.float64)
    if len(transition) != n_classes:
        k = len(transition)
        raise InputError(
            f"noise 'matrix' has a {k} x {k} matrix, but there are {n_classes} classes; give one for them."
        )
    transition /= transition.sum(axis=1, keepdims=True)
    return Corruption((_apportioned if exact else draw)(transition, y, rng), transition)


def random_matrix(X, y, n_classes, rate, rng, *, spread=0.5, exact=False) -> Corruption:
    """Draw a matrix whose diagonal has the mean 1 - rate, then labels from its rows."""
    u = rng.random(n_classes)
    deviation = u - u.mean()
    changed = rate + spread * min(rate, 1 - rate) * deviation / np.abs(deviation).max()
    transition = np.zeros((n_classes, n_classes))
    for true in range(n_classes):
        shares = rng.dirichlet(np.ones(n_classes - 1))
        transition[true, np.arange(n_classes) != true] = changed[true] * shares
    np.fill_diagonal(transition, np.maximum(1 - transition.sum(axis=1), 0.0))  # sums are rounded
    return matrix(X, y, n_classes, None, rng, matrix=transition, exact=exact)


def _apportioned(transition, y, rng):
    """Labels whose counts follow the rows, rounded by the largest remainder."""
    labels = y.copy()
    for true in np.unique(y):
        rows = np.flatnonzero(y == true)
        quotas = transition[true] * len(rows)
        counts = np.floor(quotas).astype(np.int64)
        largest = np.argsort(-(quotas - counts), kind="stable")
        counts[largest[: len(rows) - counts.sum()]] += 1
        labels[rng.permutation(rows)] = np.repeat(np.arange(len(counts)), counts)
    return labels


def balanced(X, y: np.ndarray, n_classes: int, rate, rng) -> Corruption:
    """Swap labels between k samples of the minority class and k of the majority class, k = round(rate * n_minority)."""
    counts = np.bincount(y, minlength=2)
    minority = 1 if counts[1] <= counts[0] else 0
    k = round(rate * counts[minority])
    labels = y.copy()
    labels[rng.permutation(np.flatnonzero(y == minority))[:k]] = 1 - minority
    labels[rng.permutation(np.flatnonzero(y == 1 - minority))[:k]] = minority
    return Corruption(labels, frequencies(y, labels, n_classes))


def rare_class(X, y: np.ndarray, n_classes: int, rate, rng, *, exact: bool = False):
    """Change a fraction `rate` of the labels of the rarest class to others, in proportion to how frequent these are."""
    counts, present = np.bincount(y, minlength=n_classes), occurring("rare_class", y)
    rarest = present[counts[present] == counts[present].min()][-1]
    inside = y == rarest
    probabilities = np.zeros(len(y))
    probabilities[inside] = reaching("rare_class", np.ones(inside.sum()), rate, exact)
    return flip(y, probabilities, others(y, n_classes, counts), n_classes, rng, exact)


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

"""Noise that is likely where a forest is unsure: polynomial margin diminishing noise of Zhang et al. (2021)."""

import numpy as np

from ironbark.errors import InputError
from ironbark.noise.selection import flip, reaching
from ironbark.tree.forest import RobustRandomForestClassifier

#: Type -> probability of a change by the margin, before it is scaled.
TYPES = {
    1: lambda margin: (1 - margin**2) / 2,
    2: lambda margin: 1 - margin**3,
    3: lambda margin: 1 - (margin + margin**2 + margin**3) / 3,
}


def margin(X, y: np.ndarray, n_classes: int, rate, rng, *, type=1, trees: int = 100, exact: bool = False):
    """Change labels near the class boundary to the likeliest other class.

    Parameters
    ----------
    rate : float in [0, (K - 1) / K)
        Mean of the probabilities.
    type : {1, 2, 3}
        Type I, II or III of the paper.
    trees : int
        Size of the forest.
    exact : bool
        False: each label changes independently. True: round(rate * n) labels change.

    Raises
    ------
    InputError
        If only one class occurs in y.

    Notes
    -----
    With eta(x) the class proportions of a random forest that was fitted to the clean labels, out of the bag, y the true
    class, s the likeliest other class and ``m = max(0, eta_y - eta_s)``, the probability of a change from y to s is
    ``c tau(m)``, capped at 1, where c gives the rate and

        type I    tau = (1 - m^2) / 2
        type II   tau = 1 - m^3
        type III  tau = 1 - (m + m^2 + m^3) / 3

    The paper takes eta from a neural network and draws the clean labels from it, so that y is nearly always its class;
    here clean labels stay as they are. The proportions are smoothed by one tree for each class, ``(T eta + 1) /
    (T + K)``, so that every margin is below 1 and all rates can be reached. The forest is this library's: it takes
    missing values and rank codes, and its trees do not depend on the number of threads.

    References
    ----------
    Zhang, Zheng, Wu, Goswami and Chen, "Learning with Feature-Dependent Label Noise: A Progressive Approach", ICLR
    2021, Section 4; exponents as in the authors' code for three and more classes.
    """
    rows, eta = np.arange(len(y)), _out_of_bag(X, y, n_classes, trees, rng)
    own = eta[rows, y]
    eta[rows, y] = -1.0
    second = eta.argmax(axis=1)
    tau = TYPES[type](np.maximum(0.0, own - eta[rows, second]))
    return flip(y, reaching("margin", tau, rate, exact), second, n_classes, rng, exact)


def _out_of_bag(X, y, n_classes, trees, rng):
    """Smoothed class proportions of shape (n_samples, n_classes); those of a class that does not occur are lowest."""
    if len(np.unique(y)) < 2:
        raise InputError("noise 'margin' needs samples of at least 2 classes to fit its forest, but y holds only one.")
    seed = int(rng.integers(2**31 - 1))
    forest = RobustRandomForestClassifier(trees, bootstrap=True, oob_score=True, ccp_alpha=0.0, random_state=seed)
    forest.fit(X, y)
    proportions = np.zeros((len(y), n_classes))
    proportions[:, forest.classes_] = np.nan_to_num(forest.oob_decision_function_, nan=1 / len(forest.classes_))
    smoothed = (trees * proportions + 1) / (trees + n_classes)
    smoothed[:, np.setdiff1d(np.arange(n_classes), forest.classes_)] = 0.0
    return smoothed

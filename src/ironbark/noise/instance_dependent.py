"""Noise that depends on all features of a sample: near the boundary of classes, adversarial, or part-dependent.

docs/noise.md defines the models. With ``exact`` (false by default) round(rate * n) labels change; else each by itself.
"""

import warnings

import numpy as np
from scipy.special import softmax
from scipy.stats import entropy, rankdata, truncnorm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NearestNeighbors

from ironbark.boosting.stagewise.logitboost import LogitBoostClassifier
from ironbark.errors import InputError
from ironbark.noise.base import Corruption, finite, flip, frequencies, occurring, reaching, standardised
from ironbark.tree.forest import RobustRandomForestClassifier

#: Type of the paper -> probability of a change by the margin, before it is scaled.
TYPES = {
    1: lambda margin: (1 - margin**2) / 2,
    2: lambda margin: 1 - margin**3,
    3: lambda margin: 1 - (margin + margin**2 + margin**3) / 3,
}

FLOOR = 0.01  # of the entropy in `boundary_consistent`, so that all samples can be drawn


def margin(X, y: np.ndarray, n_classes: int, rate, rng, *, type=1, trees: int = 100, exact: bool = False):
    """Change labels near the class boundary to the likeliest other class.

    With eta(x) the class proportions of a random forest that was fitted to the clean labels, out of the bag, y the true
    class, s the likeliest other class and ``m = max(0, eta_y - eta_s)``, the probability of a change from y to s is
    ``c tau(m)``, capped at 1, where c gives the rate and tau is the paper's type, see `TYPES`.

    The paper takes eta from a neural network and draws the clean labels from it, so that y is nearly always its class;
    here clean labels stay as they are. The proportions are smoothed by one tree for each class, ``(T eta + 1) /
    (T + K)``, so that every margin is below 1 and all rates can be reached. The forest is this library's: it takes
    missing values and rank codes, and its trees do not depend on the number of threads.

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
    occurring("margin", y)
    seed = int(rng.integers(2**31 - 1))
    forest = RobustRandomForestClassifier(trees, bootstrap=True, oob_score=True, ccp_alpha=0.0, random_state=seed)
    forest.fit(X, y)
    proportions = np.zeros((len(y), n_classes))
    proportions[:, forest.classes_] = np.nan_to_num(forest.oob_decision_function_, nan=1 / len(forest.classes_))
    smoothed = (trees * proportions + 1) / (trees + n_classes)
    smoothed[:, np.setdiff1d(np.arange(n_classes), forest.classes_)] = 0.0
    return smoothed


def borderline(X, y: np.ndarray, n_classes: int, rate, rng, *, sharpness=3.0, exact: bool = False):
    """Give labels near another class the label of the nearest sample of another class."""
    own, other, nearest = _distances(standardised("borderline", X), y)
    ratio = np.divide(own, other, out=np.full(len(y), np.inf), where=other > 0)
    ratio[(own == 0) & (other == 0)] = 1.0
    weights = (rankdata(ratio) / len(y)) ** sharpness
    return flip(y, reaching("borderline", weights, rate, exact), nearest, n_classes, rng, exact)


def _distances(X, y):
    """Distances to the nearest sample of the own and of another class, and the latter's class; ties by class."""
    classes = occurring("borderline", y)
    own, other, nearest = np.full(len(y), np.inf), np.full(len(y), np.inf), np.zeros(len(y), np.int64)
    for k in classes:
        inside, outside = np.flatnonzero(y == k), np.flatnonzero(y != k)
        index = NearestNeighbors(n_neighbors=1).fit(X[inside])
        if len(inside) > 1:
            own[inside] = index.kneighbors()[0][:, 0]  # without arguments a sample is no neighbour of itself
        distances = index.kneighbors(X[outside])[0][:, 0]
        closer = distances < other[outside]
        other[outside[closer]], nearest[outside[closer]] = distances[closer], k
    return own, other, nearest


def adversarial(X, y: np.ndarray, n_classes: int, rate, rng, *, rounds: int = 100, only=None) -> Corruption:
    """Flip the round(rate * n) samples with the largest margin y F(x) of LogitBoost fitted to the clean labels."""
    occurring("adversarial", y)
    try:
        booster = LogitBoostClassifier(n_estimators=rounds, random_state=0).fit(X, y)
    except (TypeError, ValueError) as error:
        raise InputError(f"noise 'adversarial' cannot fit its booster to X: {error}") from error
    margin = (2 * y - 1) * booster.decision_function(X)
    rows = np.arange(len(y)) if only is None else np.flatnonzero(y == only)
    surest = rows[np.argsort(-margin[rows], kind="stable")[: round(rate * len(rows))]]
    labels = y.copy()
    labels[surest] = 1 - labels[surest]
    return Corruption(labels, frequencies(y, labels, n_classes))


def boundary_consistent(X, y: np.ndarray, n_classes: int, rate, rng) -> Corruption:
    """Change round(rate * n) labels, rather those of whose class a linear discriminant analysis is unsure."""
    present = occurring("boundary_consistent", y)
    codes = np.searchsorted(present, y)
    X = finite("boundary_consistent", X)
    standardised("boundary_consistent", X)  # refuses X of which no feature varies
    if len(y) <= len(present):
        raise InputError("noise 'boundary_consistent' needs a class with several samples; give more samples.")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Variables are collinear")
        proportions = LinearDiscriminantAnalysis().fit(X, codes).predict_proba(X)
    weights = entropy(proportions, axis=1) + FLOOR
    rows = rng.choice(len(y), round(rate * len(y)), replace=False, p=weights / weights.sum())
    labels, others = y.copy(), rng.integers(1, len(present), len(rows))
    labels[rows] = present[(codes[rows] + others) % len(present)]
    return Corruption(labels, frequencies(y, labels, n_classes))


def part_dependent(X, y: np.ndarray, n_classes: int, rate, rng, *, scale=0.1, exact: bool = False):
    """Change each label with its own probability, to a class that random projections of the sample favour."""
    X = standardised("part_dependent", X)
    targets = np.empty((len(y), n_classes))
    for true in range(n_classes):  # each class has its draws, whether it occurs or not
        projected = X[y == true] @ rng.standard_normal((X.shape[1], n_classes))
        projected[:, true] = -np.inf
        targets[y == true] = softmax(projected, axis=1)
    rates = np.zeros(len(y))
    if rate > 0:
        ends = -rate / scale, (1 - rate) / scale
        rates = truncnorm.rvs(*ends, rate, scale, size=len(y), random_state=rng)
    if exact:
        rates = reaching("part_dependent", rates, rate, exact)
    return flip(y, rates, targets, n_classes, rng, exact)

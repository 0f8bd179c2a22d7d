"""Statements about single splits: definitions, identities of two classes, expected noise, splits without gain."""

import itertools
from functools import partial

import numpy as np
from scipy.special import xlogy

from ironbark.pipeline.theory import impurities
from ironbark.pipeline.theory.impurities import misclassification, sqrt_gini
from ironbark.pipeline.theory.splits import by_definition, counts, gain, stump
from ironbark.pipeline.theory.statements.statement import Statement, contradictions, largest

CLASSES = (2, 3, 5)
PHI = {
    "gini": impurities.gini,
    "entropy": impurities.entropy,
    "misclassification": misclassification,
    "sqrt_gini": sqrt_gini,
}
STRICT = ("gini", "entropy", "sqrt_gini", "generalized_cross_entropy", "twoing")


def _sides(rng, repeats=40, classes=CLASSES):
    return [counts(rng, k) for _ in range(repeats) for k in classes]


@largest
def definitions(rng):
    """Gains of the kernels against the impurities in plain numpy."""
    for left, right in _sides(rng):
        for name, phi in PHI.items():
            yield abs(gain(left, right, name) - max(by_definition(phi, left, right), 0))
        q, lam = rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9)
        for name, option, phi in (
            ("generalized_cross_entropy", {"q": q}, partial(impurities.generalized_cross_entropy, q=q)),
            ("negative_exponential", {"lam": lam}, partial(impurities.negative_exponential, lam=lam)),
        ):
            yield abs(gain(left, right, name, **option) - max(by_definition(phi, left, right), 0))


@largest
def below_sqrt_gini(rng):
    """1 - max p never exceeds the root branch at lambda = 1."""
    for k in (2, 3, 5, 10):
        for p in rng.dirichlet(np.ones(k), (25, 200)):
            yield np.max(misclassification(p) - sqrt_gini(p))


@largest
def negative_exponential_of_two(rng):
    """At K = 2 the root branch is lambda sqrt(p (1 - p))."""

    def phi(p, lam):
        return np.minimum(np.minimum(p[..., 0], p[..., 1]), lam * np.sqrt(p[..., 0] * p[..., 1]))

    for (left, right), lam in itertools.product(_sides(rng, classes=(2,)), (0.25, 0.5, 0.75)):
        expected = max(by_definition(partial(phi, lam=lam), left, right), 0)
        yield abs(gain(left, right, "negative_exponential", lam=lam) - expected)


@largest
def generalized_cross_entropy_limits(rng):
    """Distance from entropy over 3 q, and GCE(q >= 1) q from 1 - max p."""
    for k in (2, 5, 10):
        p = rng.dirichlet(np.ones(k), 300)
        for q in (1e-4, 1e-3, 1e-2):
            distance = np.abs(impurities.generalized_cross_entropy(p, q) - impurities.entropy(p))
            yield distance.max() - 3 * q
        for q in (0.3, 0.7) if k == 2 else ():  # with more classes it is below, e.g. at (1/2, 1/2, 0)
            peak = (1 - float(k) ** -q) / q
            scaled = impurities.generalized_cross_entropy(p, q) / peak
            yield (misclassification(p) * k / (k - 1) - scaled).max()
    for left, right in _sides(rng, 20):
        yield abs(gain(left, right, "generalized_cross_entropy", q=1.0) - gain(left, right, "misclassification"))


@largest
def identities_of_two(rng):
    """Pairwise gain, Gini decrease and twoing from the difference of the shares, relative to 1 + the value."""
    for left, right in _sides(rng, 80, (2,)):
        n_left, n_right = left.sum(), right.sum()
        n, d = n_left + n_right, left[1] / n_left - right[1] / n_right
        pairwise = 0.5 * n_left * n_right * abs(d)
        yield abs(gain(left, right, "pairwise_gain") - pairwise) / (1 + pairwise)
        gini = 2 * n_left * n_right / n**2 * d**2
        yield abs(gain(left, right, "gini") - gini)
        yield abs(gain(left, right, "twoing") - gini / 2)


@largest
def _scaled(rng, classes, expected, powers):
    """Gains on expected noisy counts against scaled gains on the clean counts, relative to 1 + the gain."""
    for left, right in (10 * sides for sides in _sides(rng, 40, classes)):
        noisy, factor = (expected(left), expected(right)), FACTOR[expected](len(left))
        for name, power in powers.items():
            clean = gain(left, right, name)
            yield abs(gain(*noisy, name) - factor**power * clean) / (1 + clean)


def _proportional(side):
    """Expected counts where 10 % of class 0 and 30 % of class 1 flip."""
    flow = np.array([[9, 1], [3, 7]])
    return side @ flow // 10


def _uniform(side):
    """Expected counts where each label becomes each other class with probability 0.1."""
    k = len(side)
    return ((10 - (k - 1)) * side + (side.sum() - side)) // 10


FACTOR = {_proportional: lambda k: 0.6, _uniform: lambda k: 1 - 0.1 * k}


def proportional_noise(rng):
    """Theorem 1 of PG, and the same for Gini and twoing with the square."""
    return _scaled(rng, (2,), _proportional, {"pairwise_gain": 1, "gini": 2, "twoing": 2})


def uniform_noise(rng):
    """Uniform noise scales Gini and twoing by a^2 and misclassification by a."""
    return _scaled(rng, CLASSES, _uniform, {"gini": 2, "twoing": 2, "misclassification": 1})


@contradictions
def conservative_without_gain(rng):
    """Refused exactly where the sides share a majority class."""
    for left, right in _sides(rng, 100):
        shared = ((left == left.max()) & (right == right.max())).any()
        yield (stump(left, right, "misclassification").node_count == 1) != shared


@contradictions
def strict_without_gain(rng):
    """Refused exactly where both sides have the same shares."""
    for left, right in _sides(rng, 40):
        for sides in ((left, right), (left, 3 * left)):
            equal = (sides[0] * sides[1].sum() == sides[1] * sides[0].sum()).all()
            names = (*STRICT, "pairwise_gain") if len(left) == 2 else STRICT
            for name in names:
                yield (stump(*sides, name).node_count == 1) != (equal or (sides[0] + sides[1] > 0).sum() == 1)


@contradictions
def negative_exponential_without_gain(rng):
    """K = 2: refused exactly where shares are equal or the sides share a majority and minority shares are small."""
    for (left, right), lam in itertools.product(_sides(rng, 60, (2,)), (0.25, 0.5, 0.75)):
        zone = lam**2 / (1 + lam**2)
        minority = [side.min() / side.sum() for side in (left, right)]
        if any(abs(m - zone) < 1e-9 for m in minority):
            continue
        shared = ((left == left.max()) & (right == right.max())).any()
        refused = left[0] * right.sum() == right[0] * left.sum() or (shared and max(minority) <= zone)
        yield (stump(left, right, "negative_exponential", lam=lam).node_count == 1) != refused


@largest
def credal_limit(rng):
    """Credal with s near 0 is information gain; the maximum-entropy counts of equal classes give ln K."""
    for left, right in _sides(rng, 30):
        yield abs(gain(left, right, "credal", s=1e-9) - by_definition(impurities.entropy, left, right))
    for k in CLASSES:
        q = (np.full(k, 7) + 1 / k) / (7 * k + 1)
        yield abs(-xlogy(q, q).sum() - np.log(k))


EXACT = 1e-9
STATEMENTS = (
    Statement(
        "I0",
        "The kernels compute the impurities of ANE, Theorems 1 and 8",
        "gain of random splits, K = 2, 3, 5, against plain numpy",
        definitions,
        EXACT,
    ),
    Statement(
        "I1a",
        "1 - max p <= sqrt((K-1)/K (1 - sum p^2)), so NE(1) is conservative",
        "random class shares, K = 2 to 10; largest excess",
        below_sqrt_gini,
        EXACT,
    ),
    Statement(
        "I3",
        "For two classes NE is min{min(p, 1-p), lambda sqrt(p (1-p))}",
        "gain of random splits against that formula",
        negative_exponential_of_two,
        EXACT,
    ),
    Statement(
        "I4",
        "GCE is within 3 q of entropy for small q, conservative from q = 1 on, and for two classes above "
        "it when both peak at 1",
        "random class shares, K = 2 to 10, and gains at q = 1; largest excess",
        generalized_cross_entropy_limits,
        EXACT,
    ),
    Statement(
        "I5a",
        "For two classes pairwise gain is n_L n_R |D| / 2, the Gini decrease 2 n_L n_R D^2 / n^2, twoing half of it",
        "gain of random splits, D the difference of the shares",
        identities_of_two,
        EXACT,
    ),
    Statement(
        "I6",
        "PG, Theorem 1: noise of 10 % and 30 % scales pairwise gain by 0.6; Gini and twoing by its square",
        "gain on expected noisy counts against scaled gain on clean ones",
        proportional_noise,
        EXACT,
    ),
    Statement(
        "I7",
        "Uniform noise scales Gini and twoing by a^2 and conservative gain by a, a = 1 - K eta / (K-1)",
        "the same, K = 2, 3, 5",
        uniform_noise,
        EXACT,
    ),
    Statement(
        "I8",
        "ANE, Theorem 5 (a): conservative gain is 0 if and only if the children share a majority class",
        "random splits, refused or not; contradictions",
        conservative_without_gain,
    ),
    Statement(
        "I9a",
        "ANE, Theorem 5 (b): MSE, CE, GCE, sqrt-Gini, twoing and pairwise gain are 0 if and only if the "
        "children have equal shares",
        "random splits and proportional ones; contradictions",
        strict_without_gain,
    ),
    Statement(
        "I10",
        "NE gains nothing, K = 2, if and only if shares are equal or a common majority leaves minorities "
        "of lambda^2 / (1 + lambda^2) at most",
        "random splits, lambda 0.25, 0.5, 0.75; contradictions",
        negative_exponential_without_gain,
    ),
    Statement(
        "I13a",
        "Credal tends to information gain for s to 0, and equal counts give ln K",
        "gain of random splits at s = 1e-9",
        credal_limit,
        1e-6,
    ),
)

"""Noise that depends on features: reference boosters, distances, margins, projections; draws with given chances."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.distance import cdist
from scipy.stats import binomtest, entropy, truncnorm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from ironbark import RobustRandomForestClassifier
from ironbark.boosting.stagewise.logitboost import LogitBoostClassifier
from ironbark.errors import InputError
from ironbark.noise import apply, corrupt
from ironbark.noise.base import chosen, draw, reaching
from ironbark.noise.instance_dependent import _distances


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(120, 3)), 1)
    return X, (X[:, 0] + 0.5 * rng.normal(size=120) > 0).astype(int)


@pytest.mark.parametrize(("rate", "only"), [(0.0, None), (0.1, None), (0.25, 0), (0.25, 1), (0.5, None)])
def test_adversarial_flips_the_largest_margins(problem, rate, only):
    X, y = problem
    result = apply("adversarial", X, y, 2, rate, None, rounds=5, only=only)
    flipped, may = result.labels != y, np.flatnonzero(y >= 0 if only is None else y == only)
    assert flipped.sum() == round(rate * len(may))
    for true in (0, 1):
        assert result.transition[true, 1 - true] == pytest.approx(flipped[y == true].mean(), abs=1e-15)
    score = LogitBoostClassifier(n_estimators=5, random_state=0).fit(X, y).decision_function(X)
    margin = [score[i] if y[i] == 1 else -score[i] for i in range(120)]
    order = sorted(may, key=lambda i: (-margin[i], i))
    assert set(np.flatnonzero(flipped)) == set(order[: flipped.sum()])


def test_adversarial_labels_are_frozen(problem):
    """Of the 100 values here many are tied: another order of splits, and results with other labels, would show."""
    X, y = problem
    flipped = apply("adversarial", X, y, 2, 0.1, None).labels != y
    assert np.flatnonzero(flipped).tolist() == [23, 28, 33, 36, 42, 53, 69, 77, 83, 101, 104, 115]


@pytest.mark.parametrize("d", [2, 20])
def test_borderline_distances_against_those_of_all_pairs(d):
    rng = np.random.default_rng(d)
    X, y = rng.normal(size=(150, d)), rng.choice([0, 1, 3], 150)
    y[0] = 2  # the only one of its class
    X[5] = X[6]
    own, other, nearest = _distances(X, y)
    distances, alike = cdist(X, X), y[:, None] == y
    others = np.where(alike, np.inf, distances)
    np.fill_diagonal(distances, np.inf)
    np.testing.assert_allclose(own, np.where(alike, distances, np.inf).min(axis=1), atol=1e-12)
    np.testing.assert_allclose(other, others.min(axis=1), atol=1e-12)
    order = np.argsort(y)  # of classes as near as each other the first
    assert nearest.tolist() == y[order][others[:, order].argmin(axis=1)].tolist()


@pytest.mark.parametrize(
    ("values", "labels", "ranks"),
    [
        # ratios 1/4, 1/3, 2/1 and 4/1, 4/5
        ([0, 1, 3, 4, 8], [0, 0, 0, 1, 1], [1, 2, 4, 5, 3]),
        # copies in the own class alone are the safest samples, those with a copy in the other class the least safe
        ([0, 0, 5, 5, 9, 9], [0, 0, 0, 1, 1, 1], [2.5, 2.5, 5.5, 5.5, 2.5, 2.5]),
        # copies in both classes have the ratio 1; the others are 5/0, 4/5 and 4/9
        ([0, 0, 0, 5, 9], [0, 0, 1, 1, 1], [3.5, 3.5, 5, 2, 1]),
    ],
)
def test_borderline_probabilities_by_hand(values, labels, ranks):
    X, y, ranks = np.array(values, float)[:, None], np.array(labels), np.array(ranks)
    result = apply("borderline", X, y, 2, 1 / len(y), np.random.default_rng(0), sharpness=1.0)
    for true in (0, 1):
        assert result.transition[true, 1 - true] == pytest.approx(ranks[y == true].mean() / ranks.sum())


def overlapping(n=400, n_classes=3):
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    return rng.normal(size=(n, 2)) + 1.5 * np.array([[0, 0], [1, 0], [0, 1]])[y], y


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_margin_matrix_against_a_loop_over_samples(kind):
    X, y = overlapping()
    result = apply("margin", X, y, 3, 0.1, np.random.default_rng(5), type=kind, trees=50)
    seed = int(np.random.default_rng(5).integers(2**31 - 1))
    forest = RobustRandomForestClassifier(50, oob_score=True, ccp_alpha=0.0, random_state=seed).fit(X, y)
    taus, seconds = [], []
    for proportions, true in zip(forest.oob_decision_function_, y, strict=True):
        smoothed = [(50 * p + 1) / 53 for p in proportions]
        second = max((j for j in range(3) if j != true), key=lambda j: (smoothed[j], -j))
        m = max(0, smoothed[true] - smoothed[second])
        taus.append([(1 - m**2) / 2, 1 - m**3, 1 - (m + m**2 + m**3) / 3][kind - 1])
        seconds.append(second)
    probabilities = np.array(taus) * 0.1 * len(y) / sum(taus)
    assert probabilities.max() < 1
    for true in range(3):
        for label in {0, 1, 2} - {true}:
            going = (y == true) & (np.array(seconds) == label)
            assert result.transition[true, label] == pytest.approx(probabilities[going].sum() / (y == true).sum())


def test_margin_of_perfectly_separated_classes_reach_the_rate_without_labels_of_an_absent_class():
    X, y = np.repeat([[0.0], [1.0]], 100, axis=0), np.repeat([1, 2], 100)
    result = apply("margin", X, y, 3, 0.3, np.random.default_rng(0), exact=True)
    assert (result.labels != y).sum() == 60 and set(result.labels) == {1, 2}


def naive_targets(X, y, n_classes, rng):
    """Softmax over the other classes, one sample at a time."""
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    weights = [rng.standard_normal((X.shape[1], n_classes)) for _ in range(n_classes)]
    targets = np.zeros((len(y), n_classes))
    for i, true in enumerate(y):
        scores = [np.exp(X[i] @ weights[true][:, j]) * (j != true) for j in range(n_classes)]
        targets[i] = scores / np.sum(scores)
    return targets


def test_part_dependent_matrix_against_a_loop_over_samples():
    rng = np.random.default_rng(0)
    y, X = rng.integers(0, 3, 90), rng.normal(size=(90, 4)) * [1, 10, 0.1, 3]
    result = apply("part_dependent", np.column_stack([X, np.ones(90)]), y, 3, 0.4, np.random.default_rng(5))
    twin = np.random.default_rng(5)
    targets = naive_targets(X, y, 3, twin)
    rates = truncnorm(-4, 6, loc=0.4, scale=0.1).rvs(90, random_state=twin)
    for true in range(3):
        expected = (rates[:, None] * targets)[y == true].mean(axis=0)
        expected[true] = 1 - expected.sum()
        np.testing.assert_allclose(result.transition[true], expected, atol=1e-12)


def clouds(n, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    return rng.normal(y[:, None], 1.0, (n, 2)), y


@pytest.mark.parametrize("n", [100, 300, 1000])
def test_rounded_counts_are_those_of_the_benchmark_which_cuts_off(n):
    X, y = clouds(n, 3)
    for rate in (0.05, 0.1, 0.2, 0.3, 0.4):
        noisy = corrupt("boundary_consistent", X, y, rate=rate, random_state=n)
        assert (noisy != y).sum() == round(rate * n) == int(rate * n)
        apart = corrupt("boundary_consistent", X + 1e4 * y[:, None], y, rate=rate, random_state=n)  # all are sure
        assert (apart != y).sum() == round(rate * n)


def test_each_other_class_is_as_likely():
    X, y = clouds(6000, 4)
    noisy = corrupt("boundary_consistent", X, y, rate=0.4, random_state=0)
    steps = (noisy - y)[noisy != y] % 4
    assert np.abs(np.bincount(steps, minlength=4)[1:] / len(steps) - 1 / 3).max() < 4 * np.sqrt(2 / 9 / len(steps))


def naive(X, y, rate, rng):
    """Rows of the definition: one after another, by the entropy of a linear discriminant analysis, none twice."""
    proportions = LinearDiscriminantAnalysis().fit(X, y).predict_proba(X)
    weights, rows = entropy(proportions, axis=1) + 0.01, []
    for _ in range(int(rate * len(y))):
        weights[rows] = 0.0
        rows.append(np.searchsorted(np.cumsum(weights), rng.random() * weights.sum(), side="right"))
    return rows


def test_samples_are_drawn_as_the_definition_says():
    X, y = clouds(20, 2)
    rng, draws, (ours, theirs) = np.random.default_rng(1), 150, np.zeros((2, 20))
    for seed in range(draws):
        ours += corrupt("boundary_consistent", X, y, rate=0.3, random_state=seed) != y
        theirs[naive(X, y, 0.3, rng)] += 1
    assert theirs.max() > 3 * theirs.min()  # the classes overlap, but not everywhere
    assert np.abs(ours - theirs).max() / draws < 4.5 * np.sqrt(2 * 0.25 / draws)


def test_draw_never_gives_a_class_of_probability_zero():
    ends = SimpleNamespace(random=lambda n: np.resize([0.0, np.nextafter(1, 0)], n))  # of uniform numbers in [0, 1)
    tenths = np.full(10, 0.1)  # their cumulative sum falls short of 1
    transition = np.zeros((12, 12))
    transition[:, 1:11] = tenths
    assert draw(transition, np.zeros(2, int), ends).tolist() == [1, 10]


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_the_factor_against_a_root_finder(rate, seed):
    weights = np.random.default_rng(seed).exponential(size=80) ** 2 * (np.arange(80) > 3)
    found = reaching("x", weights, rate, exact=False)
    factor = brentq(lambda c: np.minimum(1, c * weights).mean() - rate, 0, 1e9, xtol=1e-14, rtol=1e-14)
    np.testing.assert_allclose(found, np.minimum(1, factor * weights), atol=1e-9)
    assert found.mean() == pytest.approx(rate, abs=1e-12)


def test_all_that_can_change_may_change():
    weights = np.repeat([0.0, 1.0], [93, 7])  # 0.07 * 100 is a little more than 7
    assert reaching("x", weights, 0.07, exact=False).tolist() == weights.tolist()
    with pytest.raises(InputError, match="noise 'x' can change at most 0.07 of these labels, but the rate is 0.08"):
        reaching("x", weights, 0.08, exact=False)


@pytest.mark.parametrize("exact", [False, True])
def test_every_sample_is_drawn_with_its_probability(exact):
    probabilities = np.array([0.0, 0.1, 0.25, 0.5, 0.9, 1.0, 0.25, 1.0])
    rng, draws = np.random.default_rng(0), 6000
    found = [chosen(probabilities, rng, exact) for _ in range(draws)]
    hits = np.bincount(np.concatenate(found), minlength=8)
    assert hits[0] == 0 and hits[5] == hits[7] == draws
    for count, probability in zip(hits[1:5], probabilities[1:5], strict=True):
        assert binomtest(int(count), draws, probability).pvalue > 1e-4
    sizes = {len(rows) for rows in found}
    assert sizes == {4} if exact else len(sizes) > 3
    assert all(len(set(rows)) == len(rows) and np.array_equal(rows, np.sort(rows)) for rows in found)


def test_pairs_of_samples_are_drawn_together_in_the_exact_draw():
    rng = np.random.default_rng(1)  # in a fixed order neighbours of probability 0.5 would exclude each other
    together = sum({0, 1} <= set(chosen(np.full(10, 0.5), rng, exact=True)) for _ in range(3000))
    assert together > 400

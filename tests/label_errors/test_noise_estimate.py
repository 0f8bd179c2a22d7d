"""Estimated noise, scores of quality, and how many samples are called errors: truth, hand-worked values, twins."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from ironbark import LabelErrorDetector
from ironbark.label_errors import noise_estimate as noise
from ironbark.label_errors.scores import SCORES
from ironbark.noise_matrix import symmetric_matrix

MATRICES = {
    "clean": np.eye(2),
    "uniform": np.array([[0.7, 0.3], [0.3, 0.7]]),
    "class-conditional": np.array([[0.9, 0.1], [0.4, 0.6]]),
    "pair flip": np.array([[0.7, 0.3, 0.0], [0.0, 0.7, 0.3], [0.3, 0.0, 0.7]]),
}


def problem(matrix, overlap=True, n=4000, seed=0):
    """Probabilities of the labels, labels and true classes; half of the samples are between two classes, or none."""
    rng = np.random.default_rng(seed)
    n_classes = len(matrix)
    clean = np.eye(n_classes)[rng.integers(0, n_classes, n)]
    other = np.eye(n_classes)[rng.integers(0, n_classes, n)]
    share = overlap * np.where(rng.random(n) < 0.5, 0.0, rng.random(n) * 0.6)[:, None]
    clean = (1 - share) * clean + share * other
    true = (rng.random((n, 1)) > clean.cumsum(axis=1)).sum(axis=1)
    labels = (rng.random((n, 1)) > matrix[true].cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    return clean @ matrix, labels, true


@pytest.mark.parametrize("name", MATRICES)
@pytest.mark.parametrize("classes_overlap", [True, False])
def test_known_matrices(name, classes_overlap):
    probabilities, labels, true = problem(MATRICES[name], classes_overlap)
    found = noise.estimate_noise(probabilities, labels, classes_overlap)
    rate = np.mean(labels != true)
    assert abs(found.rate - rate) < 0.03 and found.interval[0] <= rate <= found.interval[1]
    assert (found.interval[0] == 0) == (classes_overlap or name == "clean")
    assert np.abs(found.matrix - MATRICES[name]).max() < 0.1
    np.testing.assert_allclose(found.matrix.sum(axis=1), 1)


def slow_lowest_rate(wrong, probabilities, common, weight):
    n = len(wrong)
    if not n:  # no sample of a class
        return common
    sizes = range(min(n, max(noise.LEAST, int(noise.SHARE * n))), n + 1)
    whole = [m for m in sizes if m == n or probabilities[m - 1] != probabilities[m]]
    return min((sum(wrong[:m]) + weight * common) / (m + weight) for m in whole)


@pytest.mark.parametrize("n", [0, 1, 7, 20, 99, 300])
@pytest.mark.parametrize("levels", [1, 10, 1000])
def test_lowest_rate(n, levels):
    rng = np.random.default_rng(n)
    wrong, probabilities = rng.random(n) < 0.3, -np.sort(-rng.integers(0, levels, n) / levels)
    for prior in ((0.0, 0), (0.25, 60)):
        expected = slow_lowest_rate(wrong.tolist(), probabilities, *prior)
        assert noise.lowest_rate(wrong, probabilities, *prior) == pytest.approx(expected)


def test_part_without_overlap_by_hand():
    wrong = np.zeros(200, bool)
    for number in range(10):  # of each ten of the surest hundred, none to all are wrong: a line through 0
        wrong[10 * number : 10 * number + number] = True
    assert noise.part_without_overlap(wrong, 0.2) == noise.LEAST_PART
    assert noise.part_without_overlap(np.arange(200) % 5 == 0, 0.2) == pytest.approx(1)
    rising = np.concatenate([np.arange(50) % 10 < 3, np.arange(50) % 10 < 5, np.ones(100, bool)])
    means = [0.3] * 5 + [0.5] * 5  # a regression by hand: slope 0.15 / 8.25 * 1.5 for each bin
    slope = np.cov(np.arange(10), means)[0, 1] / np.var(np.arange(10), ddof=1)
    start = 0.4 - slope * (4.5 + 4.5 / 10)  # bins are at 4.5, 14.5, ... samples
    assert noise.part_without_overlap(rising, 0.4) == pytest.approx(start / 0.4)
    assert noise.part_without_overlap(wrong, 0.0) == 1


def test_overlap_is_an_upper_bound():
    """Classes that overlap everywhere and no wrong label: the bound is high, the estimate half of it at least."""
    rng = np.random.default_rng(0)
    first = rng.beta(2, 2, 5000)
    probabilities, labels = np.column_stack([first, 1 - first]), (rng.random(5000) > first).astype(int)
    found, separate = (noise.estimate_noise(probabilities, labels, overlap) for overlap in (True, False))
    contradicted = (probabilities.argmax(axis=1) != labels).mean()
    assert separate.rate == contradicted and separate.interval[0] > 0.2
    assert found.interval.tolist() == [0, separate.interval[1]]
    assert contradicted < found.interval[1] < contradicted + 0.05
    assert found.rate < 0.8 * noise.lowest_rate(probabilities.argmax(axis=1) != labels, np.ones(5000))


def test_wrong_labels_where_classes_meet_are_below_the_bound():
    """They look like overlap, so the estimate misses most of them; with separate classes, all count."""
    rng = np.random.default_rng(0)
    first = rng.random(5000)
    true = (first < 0.5).astype(int)
    wrong = rng.random(5000) < 0.4 * (np.abs(first - 0.5) < 0.25)
    probabilities = np.where(np.abs(first - 0.5) < 0.25, 0.4, 0.0)[:, None]
    probabilities = np.where(np.eye(2)[true] == 1, 1 - probabilities, probabilities)
    found, separate = (noise.estimate_noise(probabilities, np.where(wrong, 1 - true, true), k) for k in (True, False))
    assert found.rate < 0.05 < wrong.mean() < found.interval[1]
    assert separate.rate == pytest.approx(wrong.mean())


def of_two(sizes, wrong):
    """Probabilities of 0.9 of a class each, and labels, the first of which are wrong."""
    predicted = np.repeat([0, 1], sizes)
    labels = np.where(np.concatenate([np.arange(n) < k for n, k in zip(sizes, wrong, strict=True)]), 1, 0) ^ predicted
    return np.where(np.eye(2)[predicted] == 1, 0.9, 0.1), labels


def test_rates_of_classes_are_drawn_towards_the_common_one():
    found, common = noise.estimate_noise(*of_two((2000, 20), (200, 10))), 210 / 2020
    for matrix, prior in ((found.matrix, 200), (found.called, 50)):
        rates = [(200 + prior * common) / (2000 + prior), (10 + prior * common) / (20 + prior)]
        assert 1 - np.diag(matrix) == pytest.approx(rates, rel=1e-6)


def test_ends_of_the_interval_by_hand():
    found = noise.estimate_noise(*of_two((20, 20), (5, 5)), classes_overlap=False)
    half = 1.645 * np.sqrt(0.02**2 + (0.25 * 0.75 + 0.25 / 40) / 40)
    assert found.interval == pytest.approx([0.25 - half, 0.25 + half])


def test_order_of_tied_samples_does_not_matter():
    probabilities, labels, true = problem(MATRICES["class-conditional"])
    tied, orders = np.round(probabilities, 1), map(np.argsort, (labels, labels != true))
    first, last = (noise.estimate_noise(tied[order], labels[order]) for order in orders)
    assert first.rate == pytest.approx(last.rate) and first.matrix == pytest.approx(last.matrix)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_evidence_is_standard_normal_without_a_relation(n_classes):
    rng, shares = np.random.default_rng(0), np.arange(1, n_classes + 1) / (n_classes * (n_classes + 1) / 2)
    draws = ((rng.dirichlet(9 * shares, 200), rng.choice(n_classes, 200, p=shares)) for _ in range(1000))
    found = [noise.evidence(*draw) for draw in draws]
    assert abs(np.mean(found)) < 0.12 and np.std(found) == pytest.approx(1, abs=0.09)


@pytest.mark.parametrize(("agree", "unknown"), [(32, True), (33, False)])
def test_nothing_is_known_of_labels_that_are_met_by_chance(agree, unknown):
    """For equal classes the evidence is the correlation times the root of 64 here: 2 / 64 * 8 with 33."""
    labels = np.arange(64) % 2
    right = np.arange(64) < agree
    probabilities = np.where(np.eye(2)[labels] == right[:, None], 0.6, 0.4)
    found = noise.estimate_noise(probabilities, labels)
    assert noise.evidence(probabilities, labels) == pytest.approx(8 * np.corrcoef(labels, probabilities[:, 1])[0, 1])
    assert (found.interval.tolist() == [0, 1]) == found.is_unknown == unknown and found.rate <= 0.5


@pytest.mark.parametrize("estimator", [None, LogisticRegression()])
def test_most_labels_at_random_are_not_judged(estimator):
    """By accuracy alone, none of these tables would be recognised: predictions are mostly of the frequent class."""
    rng, unknown = np.random.default_rng(0), []
    for seed in range(15):
        X, y = rng.normal(size=(150, 4)), (rng.random(150) < 0.2).astype(int)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            found = LabelErrorDetector(estimator, random_state=seed).fit(X, y)
        unknown.append(found.noise_rate_interval_.tolist() == [0, 1])
        assert unknown[-1] == any("so no label can be judged" in str(one.message) for one in heard)
        assert not (unknown[-1] and found.is_error_.any())
    assert np.sum(unknown) >= 5, np.sum(unknown)


def test_transition_matrix_by_hand():
    confusion = np.array([[90.0, 10.0, 0.0], [0.0, 50.0, 0.0], [5.0, 5.0, 40.0]])
    found = noise.transition_matrix(np.array([0.2, 0.0, 0.5]), confusion)
    half = noise.PRIOR_CONFUSION / 2
    assert found[0] == pytest.approx([0.8, 0.2 * (10 + half) / (10 + 2 * half), 0.2 * half / (10 + 2 * half)])
    assert found[1] == pytest.approx([noise.FLOOR / 2, 1 - noise.FLOOR, noise.FLOOR / 2])
    assert found[2] == pytest.approx([0.25, 0.25, 0.5])


@pytest.mark.parametrize(
    "matrix", [*(symmetric_matrix(rate, 4) for rate in (0.0, 0.1, 0.4)), np.array([[0.95, 0.05], [0.4, 0.6]])]
)
def test_error_probabilities(matrix):
    """They are right within each twentieth of the ranking, though probabilities of true classes are too flat."""
    rng, n_classes, n = np.random.default_rng(0), len(matrix), 30_000
    clean = rng.dirichlet(np.full(n_classes, 0.2), n)
    true = (rng.random((n, 1)) > clean.cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    labels = (rng.random((n, 1)) > matrix[true].cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    flat = clean**0.7 / (clean**0.7).sum(axis=1, keepdims=True)
    joint = flat * matrix[:, labels].T
    ranking = np.argsort(joint[np.arange(n), labels] / joint.sum(axis=1), kind="stable")
    found, wrong = noise.error_probabilities(flat, labels, ranking, matrix), (true != labels)[ranking]
    assert (np.diff(found) <= 1e-12).all() and found.min() >= 0 and found.max() <= 1
    assert found.mean() == pytest.approx(wrong.mean(), abs=0.02)
    for part in np.array_split(np.arange(n), 20):
        assert found[part].mean() == pytest.approx(wrong[part].mean(), abs=0.1)


def test_cuts_by_hand():
    wrong = np.array([1.0, 0.9, 0.8, 0.5, 0.1, 0.0])
    assert noise.n_flagged("count", 0.9, wrong) == 4  # 2 * 3.2 / (4 + 3.3), more than 2 * 2.7 / (3 + 3.3)
    assert noise.n_flagged("count", 0.9, wrong / 8) == 0  # fewer than half an error
    assert noise.n_flagged(1 / 3, 0.9, wrong) == 2
    assert noise.n_flagged("precision", 0.9, wrong) == 3  # 2.7 of 3
    assert noise.n_flagged("precision", 0.8, wrong) == 4  # 3.2 of 4
    assert noise.n_flagged("precision", 1.0, wrong) == 1
    assert noise.n_flagged("precision", 0.9, wrong * 0.5) == 0


def slow_margin(p, code, _):
    """Half of one more than the probability of the label less the largest of another."""
    return (1 + p[code] - max(q for k, q in enumerate(p) if k != code)) / 2


def slow_adjusted(p, code, thresholds):
    """Self-confidence of probabilities less the classes' thresholds, as cleanlab documents it."""
    shifted = [p[k] - thresholds[k] + max(thresholds) for k in range(len(p))]
    return shifted[code] / sum(shifted)


TWINS = {"joint": lambda p, code, matrix: p[code] * matrix[code, code] / sum(p * matrix[:, code])}
TWINS |= {"confident_learning": slow_adjusted}
TWINS |= {"self_confidence": lambda p, code, _: p[code], "normalized_margin": slow_margin}


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("n_classes", [2, 5])
def test_scores_are_their_slow_twins(name, n_classes):
    rng = np.random.default_rng(n_classes)
    p, codes = rng.dirichlet(np.full(n_classes, 0.5), 200), rng.integers(0, n_classes, 200)
    p[:n_classes] = np.eye(n_classes)
    matrix = 0.5 * np.eye(n_classes) + 0.5 * rng.dirichlet(np.ones(n_classes), n_classes)
    thresholds = [np.mean([row[k] for row, code in zip(p, codes, strict=True) if code == k]) for k in range(n_classes)]
    last = thresholds if name == "confident_learning" else matrix
    expected = [TWINS[name](row, code, last) for row, code in zip(p, codes, strict=True)]
    found = SCORES[name](p, codes, matrix)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert found.min() >= 0 and found.max() <= 1

"""Transition matrices: checks, clean probabilities against closed forms, estimates on posteriors that are known."""

import numpy as np
import pandas as pd
import pytest

from ironbark import NoiseCorrectedClassifier, RobustXGBClassifier
from ironbark.errors import InputError
from ironbark.noise_matrix import (
    LARGEST_CONDITION,
    check_matrix,
    clean_probabilities,
    matrix_from_anchors,
    matrix_from_trusted,
    symmetric_matrix,
)

ONE_SIDED = np.array([[0.9, 0.1], [0.4, 0.6]])
SKEWED = np.array([[0.7, 0.2, 0.1], [0.0, 0.9, 0.1], [0.3, 0.3, 0.4]])


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1.0]], "shape"),
        ([0.5, 0.5], "shape"),
        ([[0.5, 0.4], [0.1, 0.9]], "row 0 of noise_matrix sums to 0.9"),
        ([[1.2, -0.2], [0.1, 0.9]], r"noise_matrix\[0, 0\] is 1.2"),
        ([[np.nan, 1.0], [0.1, 0.9]], r"noise_matrix\[0, 0\] is nan"),
        ([[0.5, 0.5], [0.5, 0.5]], "singular"),
        ([["a", "b"], ["c", "d"]], "must hold numbers"),
    ],
)
def test_bad_matrices_are_refused(matrix, message):
    with pytest.raises(InputError, match=message):
        check_matrix(matrix, 2)


@pytest.mark.parametrize(
    "model", [NoiseCorrectedClassifier(), RobustXGBClassifier(loss="forward_correction", min_child_weight=0)]
)
def test_names_of_a_frame_are_the_classes(model):
    X, y, matrix = np.arange(6.0)[:, None], ["no", "yes"] * 3, [[0.9, 0.1], [0.2, 0.8]]
    for names in (["no", "yes"], [0, 1]):
        model.set_params(noise_matrix=pd.DataFrame(matrix, names, names)).fit(X, y)
    turned = pytest.importorskip("polars").DataFrame(matrix, ["yes", "no"])
    for frame in (turned, pd.DataFrame(matrix, ["no", "yes"], ["ill", "well"])):
        with pytest.raises(InputError, match="noise_matrix has columns .* of this fit are .*give them in this"):
            model.set_params(noise_matrix=frame).fit(X, y)


def matrices():
    """Transition matrices of 2 to 12 classes, some nearly singular, some with zeros."""
    rng = np.random.default_rng(5)
    yield from (ONE_SIDED, SKEWED)
    yield from (symmetric_matrix(wrong, n) for n, wrong in ((3, 0.2), (3, 0.6), (3, 0.66), (12, 0.8)))
    yield from (0.4 * np.eye(n) + 0.6 * rng.dirichlet(np.full(n, 0.3), n) for n in (4, 8))
    yield 0.55 * np.eye(6) + 0.45 * np.roll(np.eye(6), 1, axis=1)


@pytest.mark.parametrize("matrix", list(matrices()), ids=lambda matrix: f"{len(matrix)}-{np.linalg.cond(matrix):.0f}")
def test_no_change_of_the_probabilities_is_more_likely(matrix):
    """The slopes towards all corners bound what is missing to the maximum, as the likelihood is concave."""
    rng, n = np.random.default_rng(3), len(matrix)
    noisy = np.vstack([rng.dirichlet(np.full(n, 0.3), 200), rng.multinomial(5, np.full(n, 1 / n), 200) / 5, np.eye(n)])
    clean = clean_probabilities(noisy, matrix)
    assert (clean >= 0).all() and np.allclose(clean.sum(axis=1), 1, atol=1e-12)
    expected = clean @ matrix
    assert (expected[noisy > 0] > 0).all()
    slopes = np.divide(noisy, expected, out=np.zeros_like(noisy), where=noisy > 0) @ matrix.T
    assert slopes.max() <= 1 + (1e-11 if np.linalg.cond(matrix) < 50 else 1e-6)


@pytest.mark.parametrize("wrong", [0.2, 0.6, 0.66])
def test_there_is_no_jump_where_the_exact_solution_leaves_the_simplex(wrong):
    matrix = symmetric_matrix(wrong, 3)
    edge = np.array([[0.3, 0.7, 0.0], [0.0, 1.0, 0.0]]) @ matrix
    beyond = edge + 1e-9 * np.array([0.5, 0.5, -1.0])
    assert np.abs(clean_probabilities(beyond, matrix) - clean_probabilities(edge, matrix)).max() < 1e-4


def test_probabilities_that_are_not_finite_are_refused():
    with pytest.raises(InputError, match="not finite"):
        clean_probabilities(np.array([[np.nan, 1.0]]), np.eye(2))


PAIRS = np.array([[0.6, 0.4, 0.0], [0.0, 0.6, 0.4], [0.4, 0.0, 0.6]])


def sample(matrix, n, overlap, seed=0, shares=None):
    """Noisy posteriors, noisy labels and true classes of n samples; `overlap` is the Dirichlet concentration."""
    rng = np.random.default_rng(seed)
    k = len(matrix)
    clean = rng.dirichlet(np.full(k, overlap) if shares is None else overlap * k * np.array(shares), n)
    draw = lambda rows: (rng.random((n, 1)) > rows.cumsum(axis=1)).sum(axis=1).clip(0, k - 1)  # noqa: E731
    true = draw(clean)
    return clean @ matrix, draw(matrix[true]), true


@pytest.mark.parametrize("matrix", [ONE_SIDED, PAIRS, symmetric_matrix(0.3, 4)])
@pytest.mark.parametrize("overlap", [0.05, 1.0])
def test_many_trusted_samples_give_the_matrix(matrix, overlap):
    """Consistent whether the classes overlap or not: the regression is of the true class on the noisy posterior."""
    noisy, _, true = sample(matrix, 50_000, overlap)
    assert np.abs(matrix_from_trusted(noisy, true) - matrix).max() < 0.02


def test_one_trusted_sample_is_enough_for_a_matrix():
    matrix = matrix_from_trusted(np.array([[0.3, 0.7]]), np.array([1]))
    assert np.allclose(matrix.sum(axis=1), 1) and (matrix >= 0).all()


@pytest.mark.parametrize("matrix", [ONE_SIDED, ONE_SIDED[::-1, ::-1], PAIRS])
def test_anchors_give_the_matrix_where_classes_are_separate(matrix):
    noisy, labels, _ = sample(matrix, 4000, 0.02)
    found, asymmetric = matrix_from_anchors(noisy, labels)
    assert asymmetric and np.abs(found - matrix).max() < 0.06


def slow_anchors(noisy, codes):
    """The matrix, its estimate of symmetric noise, and whether it is plausible, class by class."""
    (n, K), frequencies = noisy.shape, []
    share, gap, errors = (0.7, 0.05, 0.5) if K == 2 else (0.4, 0.15, 2.0)
    most, shares = 0.95 * (K - 1) / K, [np.mean(codes == k) for k in range(K)]
    true, sizes = shares, [0.4 * sum(codes == k) for k in range(K)]
    for _ in range(6):
        if frequencies:
            wrong = min(1 - max(frequencies[k][k] for k in range(K)), most)
            each = wrong / (K - 1)
            true = [min(max((one - each) / (1 - wrong - each), 0), 1) for one in shares]
            sizes = [share * n * one for one in true]
        sizes, frequencies = [min(max(int(size), 10), n) for size in sizes], []
        for k, size in enumerate(sizes):
            cut = sorted(noisy[:, k])[-size]
            surer, tied = codes[noisy[:, k] > cut], codes[noisy[:, k] == cut]
            part = (size - len(surer)) / len(tied)
            frequencies.append([(sum(surer == j) + part * sum(tied == j)) / size for j in range(K)])
    found, size = np.array(frequencies), np.array(sizes)[:, None]
    symmetric = symmetric_matrix(min(1 - np.average(found.diagonal(), weights=sizes), most), K)
    apart = np.abs(found - symmetric) - errors * np.sqrt((found * (1 - found) + 0.25 / size) / size)
    plausible = min(true) >= 0.2 / K and all(found[k, k] == max(found[:, k]) for k in range(K))
    return found if apart.max() > gap and plausible and np.linalg.cond(found) < LARGEST_CONDITION else symmetric


@pytest.mark.parametrize("matrix", [ONE_SIDED, SKEWED, PAIRS, symmetric_matrix(0.3, 2), np.full((4, 4), 0.25)])
@pytest.mark.parametrize("overlap", [0.1, 1.0])
def test_anchors_are_those_of_a_slow_twin(matrix, overlap):
    for seed, n in enumerate((8, 20, 40, 150, 400) * 6):
        shares = np.linspace(1, (3, 3, 1, 12)[seed % 4], len(matrix))
        noisy, labels, _ = sample(matrix, n, overlap, seed, shares / shares.sum())
        found, _ = matrix_from_anchors(noisy.round(2), labels)
        np.testing.assert_allclose(found, slow_anchors(noisy.round(2), labels), atol=1e-12)


def test_probabilities_that_say_nothing_leave_a_little_information():
    with np.errstate(all="raise"):
        found, asymmetric = matrix_from_anchors(np.full((40, 4), 0.25), np.arange(40) % 4)
    assert not asymmetric and found == pytest.approx(symmetric_matrix(0.95 * 3 / 4, 4))


@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("wrong", [0.0, 0.3, 0.4])
def test_symmetric_noise_is_called_symmetric(n_classes, wrong):
    calls = 0
    for seed in range(20):
        noisy, labels, _ = sample(symmetric_matrix(wrong, n_classes), 2000, 0.1, seed)
        found, asymmetric = matrix_from_anchors(noisy, labels)
        calls += asymmetric
        assert np.allclose(found.sum(axis=1), 1)
        if not asymmetric:
            assert np.allclose(found, found.T) and abs(found[0, 0] - (1 - wrong)) < 0.1
    assert calls <= 1

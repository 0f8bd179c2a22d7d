"""Noise that depends on labels only, or on distances between classes: rates, counts, matrices, votes, seeds."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import mahalanobis as scipy_mahalanobis
from scipy.stats import chisquare

from ironbark.errors import InputError
from ironbark.noise import apply, corrupt
from ironbark.noise.mahalanobis import transition_matrix

N = 60_000


def labels_of(n_classes, n=N):
    return np.random.default_rng(7).integers(0, n_classes, n)


@pytest.mark.parametrize(("n_classes", "last"), [(4, "wrap"), (4, "keep"), (2, "wrap")])
def test_pair_flip_counts_are_exact(n_classes, last):
    y = labels_of(n_classes, 997)
    result = apply("pair_flip", None, y, n_classes, 0.3, np.random.default_rng(2), last=last)
    counts = [np.bincount(result.labels[y == true], minlength=n_classes) for true in range(n_classes)]
    assert np.array_equal(counts, np.rint(np.bincount(y)[:, None] * result.transition))


@pytest.mark.parametrize(
    ("name", "k", "rate", "params", "matrix"),
    [
        ("uniform", 2, 0.25, {}, [[0.75, 0.25], [0.25, 0.75]]),
        ("uniform", 3, 0.5, {"exact": True}, [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]),
        ("class_conditional", 2, (0.1, 0.4), {}, [[0.9, 0.1], [0.4, 0.6]]),
        ("pair_flip", 3, 0.3, {"last": "wrap"}, [[0.7, 0.3, 0], [0, 0.7, 0.3], [0.3, 0, 0.7]]),
        ("pair_flip", 3, 0.3, {"last": "keep"}, [[0.7, 0.3, 0], [0, 0.7, 0.3], [0, 0, 1]]),
    ],
)
def test_matrices_by_hand(name, k, rate, params, matrix):
    assert apply(name, None, labels_of(k, 9), k, rate, np.random.default_rng(0), **params).transition.tolist() == matrix


@pytest.mark.parametrize("smaller", [0, 1])
def test_the_rates_belong_to_the_sizes_whatever_the_labels(smaller):
    y = np.where(np.arange(40_000) % 4 == 0, smaller, 1 - smaller)
    result = apply("class_conditional_by_size", None, y, 2, (0.1, 0.3), np.random.default_rng(0))
    flipped = result.labels != y
    assert flipped[y == smaller].mean() == pytest.approx(0.1, abs=0.01)
    assert flipped[y != smaller].mean() == pytest.approx(0.3, abs=0.01)
    assert result.transition[smaller].tolist() == pytest.approx([0.9, 0.1] if smaller == 0 else [0.1, 0.9])


def test_class_1_is_the_smaller_one_at_equal_counts():
    y = np.repeat([0, 1], 500)
    found = apply("class_conditional_by_size", None, y, 2, (0.0, 0.5), np.random.default_rng(0)).labels
    assert (found[y == 1] == 1).all() and (found[y == 0] == 1).any()


@pytest.mark.parametrize("minority", [0, 1])
@pytest.mark.parametrize("rate", [0.0, 0.1, 0.4, 0.49])
def test_balanced_counts(minority, rate):
    y = np.where(np.arange(700) % 7 < 2, minority, 1 - minority)  # 200 of 700
    result = apply("balanced", None, y, 2, rate, np.random.default_rng(0))
    k = round(rate * 200)
    assert np.array_equal(np.bincount(result.labels), np.bincount(y))
    assert (result.labels[y == minority] != minority).sum() == k
    assert (result.labels[y != minority] == minority).sum() == k
    expected = np.array([[1 - k / 200, k / 200], [k / 500, 1 - k / 500]])
    assert np.allclose(result.transition, expected if minority == 0 else expected[::-1, ::-1], atol=1e-15)


@pytest.mark.parametrize(("sizes", "rarest"), [([50, 20, 30], 1), ([20, 50, 20], 2), ([0, 30, 40], 1), ([9, 9], 1)])
def test_exactly_the_rarest_class_that_occurs_loses_labels(sizes, rarest):
    y = np.repeat(np.arange(len(sizes)), sizes)
    labels = apply("rare_class", None, y, len(sizes), 0.5, np.random.default_rng(0), exact=True).labels
    assert set(y[labels != y]) == {rarest} and (labels != y).sum() == round(0.5 * sizes[rarest])
    assert set(labels) <= set(np.flatnonzero(sizes))  # no label of a class that does not occur


def test_labels_of_the_rarest_class_go_to_the_others_by_their_sizes():
    y = np.repeat([0, 1, 2], [30_000, 6_000, 10_000])
    result = apply("rare_class", None, y, 3, 0.4, np.random.default_rng(0))
    np.testing.assert_allclose(result.transition, [[1, 0, 0], [0.3, 0.6, 0.1], [0, 0, 1]], atol=1e-12)
    assert chisquare(np.bincount(result.labels[y == 1]), [1800, 3600, 600]).pvalue > 1e-4


T = np.array([[0.7, 0.2, 0.1], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]])


def test_observed_labels_are_those_given_and_the_matrix_counts_them():
    y, given = np.array([0, 0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 1, 0])
    result = apply("observed", None, y, 4, None, None, given=given)
    assert result.labels.tolist() == given.tolist() and not np.shares_memory(result.labels, given)
    np.testing.assert_allclose(result.transition, [[2 / 3, 1 / 3, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]])


def test_exact_counts_of_a_matrix_by_hand():
    """7 labels of row 0: 4.9, 1.4 and 0.7 become 5, 1 and 1. 2 of row 2: 0.5, 0.5 and 1 become 1, 0 and 1."""
    y = np.repeat([0, 1, 2], [7, 3, 2])
    labels = apply("matrix", None, y, 3, None, np.random.default_rng(0), matrix=T, exact=True).labels
    counts = [np.bincount(labels[y == true], minlength=3).tolist() for true in range(3)]
    assert counts == [[5, 1, 1], [0, 3, 0], [1, 0, 1]]


@pytest.mark.parametrize(
    ("n_classes", "rate", "spread"),
    [(k, *pair) for k in (2, 3, 10) for pair in ((0.1, 0.5), (0.3, 1.0), (0.45, 0.0))] + [(10, 0.8, 1.0)],
)
def test_random_matrices_have_the_trace(n_classes, rate, spread):
    y = np.zeros(1, int)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        transition = apply("random_matrix", None, y, n_classes, rate, rng, spread=spread).transition
        assert (transition >= 0).all() and np.allclose(transition.sum(axis=1), 1, atol=1e-14)
        assert np.trace(transition) == pytest.approx(n_classes * (1 - rate))
        furthest = np.abs(1 - rate - np.diag(transition)).max()
        assert furthest == pytest.approx(spread * min(rate, 1 - rate))


def naive_matrix(n_classes, skills, shifts):
    """Every outcome of the votes, one by one."""
    matrix = np.zeros((n_classes, n_classes))
    for true in range(n_classes):
        for votes in itertools.product(range(n_classes), repeat=len(skills)):
            probability = 1.0
            for vote, skill in zip(votes, skills, strict=True):
                probability *= skill if vote == true else (1 - skill) / (n_classes - 1)
            counts = np.bincount([*votes, *((true + shift) % n_classes for shift in shifts)], minlength=n_classes)
            winners = np.flatnonzero(counts == counts.max())
            matrix[true, winners] += probability / len(winners)
    return matrix


@pytest.mark.parametrize(
    ("n_classes", "skills", "dissenters"),
    [(2, [0.7], 0), (2, [0.9, 0.6, 0.6, 0.5], 0), (2, [0.8, 0.7], 1), (3, [0.9, 0.8, 0.4], 2), (4, [], 1)],
)
def test_each_label_wins_as_often_as_in_all_outcomes(n_classes, skills, dissenters):
    y, votes = np.arange(30_000) % n_classes, len(skills) + dissenters
    params = {"votes": votes, "dissenters": dissenters} | ({"skill": skills} if skills else {})
    found = apply("annotators", None, y, n_classes, None, np.random.default_rng(0), **params).transition
    shifts = np.random.default_rng(0).integers(1, n_classes, dissenters)
    expected = naive_matrix(n_classes, skills, shifts)
    assert (np.abs(found - expected) <= 4.5 * np.sqrt(expected * (1 - expected) * n_classes / len(y)) + 1e-12).all()


def problem(seed=0, n=240, n_classes=4):
    """Correlated features of different scales; the last is constant."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n)
    X = rng.normal(size=(n, 5)) @ rng.normal(size=(5, 5)) + rng.normal(size=(n_classes, 5))[y]
    return np.column_stack([X * [1, 10, 0.1, 5, 1], np.full(n, 3.0)]), y


def naive_transition(X, y, shrinkage=0.001):
    """Spec word by word: one pair at a time, numpy.cov and numpy.linalg.inv."""
    X = X[:, X.std(axis=0) > 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    classes = np.unique(y)
    K, d = len(classes), X.shape[1]
    D = np.zeros((K, K))
    for i in range(K):
        for j in range(K):
            if i == j:
                continue
            A, B = X[y == classes[i]], X[y == classes[j]]
            S = (len(A) - 1) * np.cov(A.T).reshape(d, d) + (len(B) - 1) * np.cov(B.T).reshape(d, d)
            S /= len(A) + len(B) - 2
            S = (1 - shrinkage) * S + shrinkage * np.trace(S) / d * np.eye(d)
            D[i, j] = scipy_mahalanobis(A.mean(axis=0), B.mean(axis=0), np.linalg.inv(S))
    T = [sum(D[i, j] for j in range(K) if j != i) for i in range(K)]
    eta = np.zeros((K, K))
    for i in range(K):
        eta[i, i] = 0.5 + 0.4 * (T[i] - min(T)) / (max(T) - min(T))
        weight = sum(1 / D[i, k] for k in range(K) if k != i)
        for j in range(K):
            if j != i:
                eta[i, j] = (1 - eta[i, i]) / D[i, j] / weight
    return eta


@pytest.mark.parametrize("shrinkage", [0.001, 0.2])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_matrix_against_the_naive_twin(seed, shrinkage):
    X, y = problem(seed)
    wide = np.random.default_rng(seed).normal(size=(60, 40))  # more features than samples of a class
    for features, labels in ((X, y), (wide, np.arange(60) % 4)):
        result = apply("mahalanobis", features, labels, 4, None, np.random.default_rng(0), shrinkage=shrinkage)
        assert np.allclose(result.transition, naive_transition(features, labels, shrinkage), rtol=1e-7, atol=0)


def test_equal_distances_and_coinciding_means():
    eta = transition_matrix(np.array([[0.0, 0, 2], [0, 0, 2], [2, 2, 0]]))
    assert np.allclose(eta, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0.05, 0.05, 0.9]], atol=1e-15)
    bits = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]]) * 2.0**-50
    for distances in (2.5 * (1 - np.eye(3)), 2.5 * (1 - np.eye(3)) + bits):
        eta = transition_matrix(distances)
        assert np.allclose(eta, np.where(np.eye(3) > 0, 0.7, 0.15), atol=1e-14)


def test_absent_class_has_the_row_of_the_identity():
    X, y = problem()
    result = apply("mahalanobis", X, np.where(y > 1, y + 1, y), 5, None, np.random.default_rng(0))
    present = [0, 1, 3, 4]
    assert np.allclose(result.transition[np.ix_(present, present)], naive_transition(X, y), rtol=1e-9)
    assert result.transition[2].tolist() == [0, 0, 1, 0, 0] and not (result.labels == 2).any()


def test_the_mean_of_the_diagonal_can_be_chosen():
    X, y = problem()
    draws = [(kept, np.random.default_rng(0)) for kept in (None, 0.6)]
    plain, shifted = (apply("mahalanobis", X, y, 4, None, rng, mean_kept=kept).transition for kept, rng in draws)
    assert shifted.diagonal().mean() == pytest.approx(0.6) and np.allclose(shifted.sum(axis=1), 1)
    assert np.ptp(shifted.diagonal() - plain.diagonal()) < 1e-12  # all are shifted by the same amount
    off = ~np.eye(4, dtype=bool)
    shares = [(eta / (1 - eta.diagonal())[:, None])[off] for eta in (plain, shifted)]
    assert np.allclose(*shares)
    for kept, end in ((0.95, "1"), (0.05, "-0")):
        with pytest.raises(InputError, match=f"mean_kept={kept} would keep labels with a probability of {end}"):
            apply("mahalanobis", X, y, 4, None, np.random.default_rng(0), mean_kept=kept)


@pytest.mark.parametrize("values", [np.array([-1, 1], np.int8), np.array([0.5, 1.5]), np.array(["no", "yes"], object)])
def test_dtype_and_order_of_classes_are_kept(values):
    y = values[np.repeat([0, 1], 300)]
    noisy = corrupt("class-conditional", None, y, rate=(0.0, 0.4), random_state=1)
    assert noisy.dtype == y.dtype
    assert (noisy[:300] == values[0]).all() and set(noisy[300:]) == set(values)  # the larger label is class 1


def test_a_generator_goes_on_none_is_drawn_anew_and_a_seed_gives_the_same_again():
    y, rng = np.arange(500) % 3, np.random.default_rng(0)
    for seed, same in ((rng, False), (None, False), (0, True)):
        found = [corrupt("uniform", None, y, rate=0.4, random_state=seed) for _ in range(2)]
        assert np.array_equal(*found) == same


def test_labels_that_were_drawn_with_the_same_seed_are_as_noisy_as_others():
    one, other = np.random.default_rng(0), np.random.default_rng(0)
    for y in (one.choice(3, 10_000, p=[0.2, 0.3, 0.5]), other.random(10_000) > 0.5):
        assert (corrupt("uniform", None, y, rate=0.2, random_state=0) != y).mean() == pytest.approx(0.2, abs=0.02)


Y = np.arange(6) % 2


def test_parameters_with_labels_and_a_frame_as_matrix():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(200) < 0.5, "no", "yes")
    noisy = corrupt("adversarial", rng.normal(size=(200, 2)), y, rate=0.2, only="yes", random_state=0)
    assert set(y[noisy != y]) == {"yes"}
    frame = pd.DataFrame([[0.7, 0.3], [0.4, 0.6]], ["no", "yes"], ["no", "yes"])
    found = [corrupt("matrix", None, y, matrix=matrix, random_state=1) for matrix in (frame, frame.to_numpy())]
    assert np.array_equal(*found) and (found[0] != y).any()


@pytest.mark.parametrize(
    ("name", "X", "y", "options", "sentence"),
    [
        ("uniform", None, np.column_stack([Y, Y]), {"rate": 0.1}, r"y should be a 1d array, but has shape \(6, 2\)"),
        ("uniform", np.zeros((5, 1)), Y, {"rate": 0.1}, "X has 5 samples but y has 6 labels"),
        ("uniform", None, np.ones(6), {"rate": 0.1}, "y must hold at least 2 classes, but it holds 1"),
        ("uniform", None, [], {"rate": 0.1}, "y must hold at least 2 classes, but it holds 0"),
        ("uniform", None, [0, np.nan, 1], {"rate": 0.1}, "y holds 1 missing label"),
        ("uniform", None, np.array(["a", 1], object), {"rate": 0.1}, "y mixes number and text"),
        ("uniform", None, Y, {"rate": 0.1, "random_state": -1}, "random_state=-1 is no seed"),
        ("matrix", None, Y, {"matrix": np.eye(3)}, "noise 'matrix' has a 3 x 3 matrix, but there are 2 classes"),
        ("matrix", None, Y, {"matrix": pd.DataFrame(np.eye(2), columns=[1, 0])}, "has columns .*; give them in"),
        ("adversarial", Y[:, None], Y, {"rate": 0.1, "only": 2}, "only holds the label 2, which is none of the cl"),
        ("observed", None, ["a", "b"], {"given": ["a", "z"]}, "given holds the label 'z', which is none of the"),
    ],
)
def test_corrupt_refuses(name, X, y, options, sentence):
    with pytest.raises(InputError, match=sentence):
        corrupt(name, X, y, **options)

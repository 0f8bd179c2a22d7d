"""Noise by distance to the other classes, against loops over pairs of samples."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from ironbark.noise import apply
from ironbark.noise.instance_dependent import _distances


def naive_distances(X, y):
    distances = cdist(X, X)
    own, other, nearest = [], [], []
    for i in range(len(y)):
        mine = [distances[i, j] for j in range(len(y)) if j != i and y[j] == y[i]]
        theirs = [(distances[i, j], y[j]) for j in range(len(y)) if y[j] != y[i]]
        own.append(min(mine, default=np.inf))
        other.append(min(theirs)[0])
        nearest.append(min(theirs)[1])
    return own, other, nearest


@pytest.mark.parametrize("d", [2, 20])
def test_distances_against_a_loop_over_pairs(d):
    rng = np.random.default_rng(d)
    X, y = rng.normal(size=(150, d)), rng.choice([0, 1, 3], 150)
    y[0] = 2  # the only one of its class
    X[5] = X[6]
    own, other, nearest = _distances(X, y)
    expected = naive_distances(X, y)
    np.testing.assert_allclose(own, expected[0], atol=1e-12)
    np.testing.assert_allclose(other, expected[1], atol=1e-12)
    assert nearest.tolist() == expected[2]


def test_probabilities_by_hand():
    """On a line: a at 0, 1 and 3, b at 4 and 8. Ratios 1/4, 1/3, 2/1 and 4/1, 4/5; ranks 1, 2, 4 and 5, 3."""
    X, y = np.array([[0.0], [1], [3], [4], [8]]), np.array([0, 0, 0, 1, 1])
    result = apply("borderline", X, y, 2, 0.2, np.random.default_rng(0), sharpness=1.0)
    assert result.transition[0, 1] == pytest.approx((1 + 2 + 4) / 15 / 3)
    assert result.transition[1, 0] == pytest.approx((5 + 3) / 15 / 2)


def test_a_large_sharpness_takes_the_largest_ratios():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 40)
    X = rng.normal(size=(40, 2)) + y[:, None]
    own, other, _ = naive_distances((X - X.mean(axis=0)) / X.std(axis=0), y)
    largest = np.argsort(-np.array(own) / np.array(other))
    for seed in range(10):  # the fifth ratio has 0.08 of the weight of the fourth
        options = {"sharpness": 100, "exact": True}
        flipped = np.flatnonzero(apply("borderline", X, y, 3, 0.1, np.random.default_rng(seed), **options).labels != y)
        assert len(flipped) == 4 and set(flipped) >= set(largest[:3]) and set(flipped) <= set(largest[:7])


def test_labels_become_those_of_the_nearest_other_class():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 300)
    X = rng.normal(size=(300, 2)) + y[:, None]
    labels = apply("borderline", X, y, 4, 0.4, rng).labels
    nearest = np.array(naive_distances((X - X.mean(axis=0)) / X.std(axis=0), y)[2])
    assert (labels[labels != y] == nearest[labels != y]).all()


def test_copies_in_both_classes_lie_on_the_border():
    """A sample that has copies in its class alone is the safest, one with a copy in the other class only the least."""
    X, y = np.array([[0.0], [0], [5], [5], [9], [9]]), np.array([0, 0, 0, 1, 1, 1])
    transition = apply("borderline", X, y, 2, 1 / 6, np.random.default_rng(0), sharpness=1.0).transition
    # ranks: copies in the own class 2.5 each (rows 0, 1, 4, 5), copies across 5.5 each (rows 2, 3)
    assert transition[0, 1] == pytest.approx((2.5 + 2.5 + 5.5) / 21 / 3)

"""Votes of annotators: the matrix against all outcomes, and the draws against the matrix."""

import itertools
from math import comb

import numpy as np
import pytest

from ironbark.noise import apply
from ironbark.noise.annotators import transition_matrix


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
    ("n_classes", "skills", "shifts"),
    [
        (2, [0.7], []),
        (2, [0.9, 0.6, 0.6, 0.55], []),
        (2, [0.8, 0.7], [1]),
        (3, [0.7, 0.7, 0.7], []),
        (3, [0.9, 0.8, 0.4], [2, 2]),
        (4, [0.6, 0.7, 0.5, 0.9, 0.3], []),
        (4, [0.6, 0.7, 0.8], [1, 3, 3]),
        (5, [], [2]),
    ],
)
def test_matrix_against_all_outcomes(n_classes, skills, shifts):
    found = transition_matrix(n_classes, np.array(skills), np.array(shifts, np.int64))
    np.testing.assert_allclose(found, naive_matrix(n_classes, skills, shifts), atol=1e-14)


@pytest.mark.parametrize("votes", [1, 3, 7])
def test_two_classes_have_the_quality_of_sheng(votes):
    skill, half = 0.7, votes // 2
    quality = sum(comb(votes, i) * skill ** (votes - i) * (1 - skill) ** i for i in range(half + 1))
    result = apply("annotators", None, np.arange(4) % 2, 2, None, np.random.default_rng(0), votes=votes)
    np.testing.assert_allclose(result.transition, [[quality, 1 - quality], [1 - quality, quality]])


def test_a_dissenter_alone_shifts_every_class():
    y = np.arange(12) % 4
    labels = apply("annotators", None, y, 4, None, np.random.default_rng(0), votes=1, dissenters=1).labels
    assert len(set((labels - y) % 4)) == 1 and (labels != y).all()

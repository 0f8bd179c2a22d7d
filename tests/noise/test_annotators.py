"""Votes of annotators: how often each label wins, against all outcomes of the votes."""

import itertools

import numpy as np
import pytest

from ironbark.noise import apply


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

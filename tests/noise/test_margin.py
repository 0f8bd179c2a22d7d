"""Noise by the margin of a forest, against scikit-learn's out-of-bag proportions and the printed polynomials."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.ensemble import RandomForestClassifier

from ironbark import RobustRandomForestClassifier
from ironbark.noise import apply


def problem(n=400, n_classes=3):
    rng = np.random.default_rng(0)
    y = rng.integers(0, n_classes, n)
    return rng.normal(size=(n, 2)) + 1.5 * np.array([[0, 0], [1, 0], [0, 1]])[y], y


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_matrix_against_a_loop_over_samples(kind):
    X, y = problem()
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


def test_labels_change_where_scikit_learns_forest_is_unsure():
    X, y = problem(1500)
    forest = RandomForestClassifier(200, oob_score=True, random_state=0).fit(X, y)
    proportions = forest.oob_decision_function_.copy()
    own = proportions[np.arange(len(y)), y]
    proportions[np.arange(len(y)), y] = -1
    flips = sum((apply("margin", X, y, 3, 0.2, np.random.default_rng(s)).labels != y).astype(int) for s in range(20))
    assert spearmanr(flips, own - proportions.max(axis=1)).statistic < -0.5
    changed = apply("margin", X, y, 3, 0.2, np.random.default_rng(0)).labels
    wrong = changed != y
    assert (changed[wrong] == proportions[wrong].argmax(axis=1)).mean() > 0.8


def test_perfectly_separated_classes_reach_the_rate():
    X, y = np.repeat([[0.0], [1.0]], 100, axis=0), np.repeat([0, 1], 100)
    result = apply("margin", X, y, 2, 0.3, np.random.default_rng(0), exact=True)
    assert (result.labels != y).sum() == 60

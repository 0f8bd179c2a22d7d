"""Scores of label quality, against values worked by hand and slow twins."""

import math

import numpy as np
import pytest

from ironbark.label_errors.scores import SCORES, true_class_probabilities

P = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0]])
CODES = np.array([0, 0, 1, 0])
MATRIX = np.array([[0.8, 0.1, 0.1], [0.3, 0.7, 0.0], [0.0, 0.0, 1.0]])


def test_by_hand():
    assert SCORES["self_confidence"](P, CODES, MATRIX).tolist() == [0.7, 0.0, 0.25, 1.0]
    np.testing.assert_allclose(SCORES["normalized_margin"](P, CODES, MATRIX), [0.75, 0.25, 0.375, 1.0])
    # label 0: 0.7 * 0.8 and 0.2 * 0.3 and 0.1 * 0; label 1 of the third sample: 0.25 * 0.1 and 0.25 * 0.7
    np.testing.assert_allclose(SCORES["joint"](P, CODES, MATRIX)[[0, 2]], [0.56 / 0.62, 0.175 / 0.2])


def slow_joint(p, code, matrix):
    joint = [p[k] * matrix[k][code] for k in range(len(p))]
    return joint[code] / sum(joint)


def slow_entropy(p, code, _):
    """Confidence-weighted entropy as cleanlab documents it."""
    entropy = -sum(q * math.log(q) for q in p if q > 0) / math.log(len(p))
    ratio = entropy / max(p[code], 1e-6)
    return math.log(ratio + 1) / max(ratio, 1e-6)


def slow_adjusted(p, code, thresholds):
    """Self-confidence of probabilities less the classes' thresholds, as cleanlab documents it."""
    shifted = [p[k] - thresholds[k] + max(thresholds) for k in range(len(p))]
    return shifted[code] / sum(shifted)


@pytest.mark.parametrize(
    ("name", "twin"), [("joint", slow_joint), ("weighted_entropy", slow_entropy), ("confident_learning", slow_adjusted)]
)
@pytest.mark.parametrize("n_classes", [2, 5])
def test_slow_twins(name, twin, n_classes):
    rng = np.random.default_rng(n_classes)
    p, codes = rng.dirichlet(np.full(n_classes, 0.5), 200), rng.integers(0, n_classes, 200)
    matrix = 0.5 * np.eye(n_classes) + 0.5 * rng.dirichlet(np.ones(n_classes), n_classes)
    thresholds = [np.mean([row[k] for row, code in zip(p, codes, strict=True) if code == k]) for k in range(n_classes)]
    last = thresholds if name == "confident_learning" else matrix
    expected = [twin(row, code, last) for row, code in zip(p, codes, strict=True)]
    np.testing.assert_allclose(SCORES[name](p, codes, matrix), expected, atol=1e-12)


@pytest.mark.parametrize("name", SCORES)
def test_range(name):
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.full(4, 0.2), 500)
    p[:4] = np.eye(4)
    quality = SCORES[name](p, rng.integers(0, 4, 500), 0.9 * np.eye(4) + 0.025)
    assert quality.min() >= 0 and quality.max() <= 1 and np.isfinite(quality).all()


def test_true_class_probabilities_are_bayes_rule():
    found = true_class_probabilities(np.tile([0.3, 0.7], (2, 1)), np.array([0, 1]), np.array([[0.9, 0.1], [0.4, 0.6]]))
    # labels 0: 0.3 * 0.9 of class 0, 0.7 * 0.4 of class 1; labels 1: 0.3 * 0.1 and 0.7 * 0.6
    np.testing.assert_allclose(found, [[0.27 / 0.55, 0.28 / 0.55], [0.03 / 0.45, 0.42 / 0.45]])

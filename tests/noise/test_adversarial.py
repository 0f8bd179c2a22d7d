"""Flips where a reference booster is surest."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from ironbark import encoding
from ironbark.boosting.stagewise.logitboost import LogitBoostClassifier
from ironbark.errors import InputError
from ironbark.noise import apply


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(120, 3)), 1)
    return X, (X[:, 0] + 0.5 * rng.normal(size=120) > 0).astype(int)


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.25, 0.5])
def test_flips_the_largest_margins(problem, rate):
    X, y = problem
    result = apply("adversarial", X, y, 2, rate, None, rounds=5)
    flipped = result.labels != y
    assert flipped.sum() == round(rate * 120)
    score = LogitBoostClassifier(n_estimators=5, random_state=0).fit(X, y).decision_function(X)
    margin = [score[i] if y[i] == 1 else -score[i] for i in range(120)]
    order = sorted(range(120), key=lambda i: (-margin[i], i))
    assert set(np.flatnonzero(flipped)) == set(order[: flipped.sum()])


def test_labels_are_frozen(problem):
    """Of the 100 values here many are tied: another order of splits, and results with other labels, would show."""
    X, y = problem
    flipped = apply("adversarial", X, y, 2, 0.1, None).labels != y
    assert np.flatnonzero(flipped).tolist() == [23, 28, 33, 36, 42, 53, 69, 77, 83, 101, 104, 115]


def test_ties_go_to_the_smaller_index():
    X, y = np.repeat([[0.0], [1.0]], 10, axis=0), np.repeat([0, 1], 10)  # all margins equal by symmetry
    flipped = apply("adversarial", X, y, 2, 0.2, None, rounds=3).labels != y
    assert np.flatnonzero(flipped).tolist() == [0, 1, 2, 3]


def test_the_generator_does_not_matter_but_the_rounds_do(problem):
    X, y = problem
    first, second = (apply("adversarial", X, y, 2, 0.2, np.random.default_rng(s), rounds=5).labels for s in (0, 1))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, apply("adversarial", X, y, 2, 0.2, None, rounds=1).labels)


def test_encoded_features_give_the_same_labels(problem):
    X, y = problem
    plain, encoded = (apply("adversarial", Z, y, 2, 0.2, None, rounds=5).labels for Z in (X, encoding.encode(X)))
    assert np.array_equal(plain, encoded)


def test_the_matrix_counts_the_flips(problem):
    X, y = problem
    result = apply("adversarial", X, y, 2, 0.2, None, rounds=5)
    for true in (0, 1):
        assert result.transition[true, 1 - true] == pytest.approx(np.mean(result.labels[y == true] != true), abs=1e-15)


@pytest.mark.parametrize("only", [0, 1])
def test_one_sided_noise_flips_the_surest_of_that_class(problem, only):
    X, y = problem
    flipped = apply("adversarial", X, y, 2, 0.25, None, rounds=5, only=only).labels != y
    score = LogitBoostClassifier(n_estimators=5, random_state=0).fit(X, y).decision_function(X)
    own = [i for i in range(120) if y[i] == only]
    order = sorted(own, key=lambda i: (-score[i] if only else score[i], i))
    assert set(np.flatnonzero(flipped)) == set(order[: round(0.25 * len(own))])


def test_sparse_tables_are_refused(problem):
    X, y = problem
    with pytest.raises(InputError, match="noise 'adversarial' cannot fit its booster to X: .*[Ss]parse"):
        apply("adversarial", csr_matrix(X), y, 2, 0.2, None)


def test_one_class_is_refused():
    with pytest.raises(InputError, match="needs samples of both classes to fit its booster, but y holds only one"):
        apply("adversarial", np.zeros((5, 1)), np.ones(5, int), 2, 0.2, None)

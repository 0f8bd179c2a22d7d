"""Weakest links against a twin that looks at every node; impurities against formulas, scikit-learn and gains."""

import naive_criteria as naive
import numpy as np
import pytest

from ironbark.tree.cost_complexity import node_impurities, weakest_links

IMPURITIES = [case for case in naive.settings(2, 3, 7) if case[0] in naive.IMPURITIES]


def random_tree(leaves, seed):
    """Children of a random binary tree, and risks in multiples of 1/64, so that sums are exact and links tie."""
    rng = np.random.default_rng(seed)
    left, right, risk, open_ = [-1], [-1], [int(rng.integers(1, 60))], [0]
    for _ in range(leaves - 1):
        row = open_.pop(rng.integers(len(open_)))
        left[row], right[row] = len(left), len(left) + 1
        share = int(rng.integers(0, risk[row] + 1))
        risk += [share, max(0, risk[row] - share - int(rng.integers(0, 3)))]
        open_ += [left[row], right[row]]
        left += [-1, -1]
        right += [-1, -1]
    return np.array(left, np.int32), np.array(right, np.int32), np.array(risk) / 64


def naive_steps(left, right, risk):
    final = left == -1

    def below(row):
        """Risk and number of the leaves below a node."""
        if final[row]:
            return risk[row], 1
        (a, m), (b, n) = below(left[row]), below(right[row])
        return a + b, m + n

    def inner(row=0):
        return [] if final[row] else [row, *inner(left[row]), *inner(right[row])]

    alphas, impurities, prices = [], [], [-1.0] * len(left)
    while inner():
        links = [((risk[row] - below(row)[0]) / (below(row)[1] - 1), row) for row in inner()]
        alpha, row = min(links)
        alphas.append(alpha)
        for gone in inner(row):
            prices[gone] = max(alphas)
        final[row] = True
        impurities.append(below(0)[0])
    return alphas, impurities, prices


@pytest.mark.parametrize("leaves", [1, 2, 3, 8, 33, 60])
def test_links_are_collapsed_as_by_the_twin(leaves):
    tied = 0
    for seed in range(10):
        left, right, risk = random_tree(leaves, seed)
        found = [part.tolist() for part in weakest_links(left, right, risk)]
        assert found == [list(map(float, part)) for part in naive_steps(left, right, risk)]
        tied += len(found[0]) - len(set(found[0]))
    assert tied > 0 or leaves < 8


@pytest.mark.parametrize(("name", "parameters", "n_classes"), IMPURITIES)
def test_impurities_are_those_of_the_definitions(name, parameters, n_classes):
    counts = np.random.default_rng(0).integers(0, 30, (50, n_classes))
    counts[0] = 400
    counts[1] = np.eye(n_classes)[1] * 9
    proportions = counts / counts.sum(axis=1, keepdims=True)
    expected = naive.IMPURITIES[name](proportions, *parameters.values())
    found = node_impurities(name, parameters, counts)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-15)
    assert found[1] == 0


def test_narrow_counts_are_widened_before_they_are_squared():
    counts = np.array([[300_000, 300_000, 1], [300_000, 0, 0], [0, 300_000, 1]], np.int32)
    shares = counts / counts.sum(axis=1, keepdims=True)
    found = node_impurities("gini", {}, counts)
    np.testing.assert_allclose(found, 1 - np.square(shares).sum(axis=1), atol=1e-12)

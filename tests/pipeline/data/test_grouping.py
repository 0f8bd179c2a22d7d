"""Two groups of similar size, against a slow search and hand-worked cases."""

import numpy as np
import pytest

from ironbark.pipeline.data.catalog import groups


def sizes(counts):
    sides = groups(counts)
    return sum(c for c, s in zip(counts, sides, strict=True) if not s), sum(
        c for c, s in zip(counts, sides, strict=True) if s
    )


def slow(counts):
    """The same rule by counting through all subsets as bit patterns, and the tuple rule by sorting."""
    k, found = len(counts), []
    for pattern in range(2 ** (k - 1) - 1):
        zeros = [0, *(i for i in range(1, k) if pattern >> (i - 1) & 1)]
        ones = [i for i in range(k) if i not in zeros]
        found.append((abs(sum(counts[i] for i in zeros) - sum(counts[i] for i in ones)), tuple(zeros)))
    zeros = sorted(found)[0][1]
    return [int(i not in zeros) for i in range(k)]


@pytest.mark.parametrize("seed", range(40))
def test_up_to_sixteen_classes_against_a_slow_search(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 6 if seed % 2 else 300, rng.integers(2, 9)).tolist()
    assert groups(counts) == slow(counts)


@pytest.mark.parametrize(
    ("counts", "sides"),
    [([5, 9], [0, 1]), ([1, 1, 1, 1], [0, 0, 1, 1]), ([1, 1, 1], [0, 1, 1]), ([330] * 7, [0, 0, 0, 1, 1, 1, 1])],
)
def test_ties_and_order(counts, sides):
    assert groups(counts) == sides


def test_sixteen_classes_are_searched_and_seventeen_dealt_out():
    counts = [100, *[1] * 14, 100]
    assert sizes(counts) == (107, 107)
    dealt = [3, 1, 1, *[1] * 14]  # 3 to the first, then to the smaller group in turn
    assert groups(dealt) == [0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert sizes(dealt) == (10, 9)

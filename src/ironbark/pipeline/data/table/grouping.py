"""Two groups of classes of similar size: the binary task of a target of many classes."""

from collections.abc import Sequence
from itertools import combinations

#: Up to so many classes all partitions are tried, 2**15 at most; beyond it a greedy rule takes over.
MOST_TRIED = 16


def groups(counts: Sequence[int]) -> list[int]:
    """Group (0 or 1) of each class."""
    ones = _best(counts) if len(counts) <= MOST_TRIED else _greedy(counts)
    return [int(k in ones) for k in range(len(counts))]


def _best(counts):
    """Group 1 of the most even partition."""
    k, total = len(counts), sum(counts)
    zeros = ((0, *rest) for size in range(k - 1) for rest in combinations(range(1, k), size))
    chosen = min(zeros, key=lambda group: (abs(total - 2 * sum(counts[i] for i in group)), group))
    return set(range(k)) - set(chosen)


def _greedy(counts):
    """Group 1 of the partition by size."""
    sizes, sides = [0, 0], [set(), set()]
    for k in sorted(range(len(counts)), key=lambda k: (-counts[k], k)):
        smaller = int(sizes[1] < sizes[0])
        sizes[smaller] += counts[k]
        sides[smaller].add(k)
    return sides[1] if 0 in sides[0] else sides[0]

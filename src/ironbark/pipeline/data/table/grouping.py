"""Two groups of classes of similar size: the binary task of a target of many classes."""

from itertools import combinations

#: Up to so many classes all partitions are tried, 2**15 at most; beyond it a greedy rule takes over.
MOST_TRIED = 16


def groups(counts):
    """Group (0 or 1) of each class.

    Parameters
    ----------
    counts : sequence of int
        Number of samples of each class, in the order of the classes. There are two classes or more.

    Returns
    -------
    list of int
        0 or 1 for each class; class 0 is in group 0.

    Notes
    -----
    Up to 16 classes, the partition with the smallest difference of the two sizes is taken, of equal ones that whose
    group 0 comes first as a sorted tuple of classes. With more classes, the classes are dealt out from the largest to
    the smallest (of equal ones the first), each to the smaller group (of equal ones the first one).

    References
    ----------
    The pairwise-gain paper asks for "two groups of similar size" and leaves open how; this is our rule.
    """
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

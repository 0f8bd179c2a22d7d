"""Ranks of the values of one column: counted where they are integers of a small range, else sorted by their bits.

Both take a time proportional to the number of samples, whatever the processor; a comparison sort takes several times as
long unless the processor sorts with vector instructions.
"""

import numpy as np

from ironbark.jit import inlined_kernel, kernel

DIGIT = 11  # bits of a digit of the radix sort: its buckets fit the first cache
EXACT = 2.0**53  # integers up to it are float64 numbers
WIDEST_RANGE = 2**16  # entries of the table of values that are counted


class Ranking:
    """Ranks columns of as many values, one after the other, in the same scratch memory."""

    def __init__(self, n_samples):
        self._ranks = np.empty(n_samples, np.uint32)
        self._levels = np.empty(n_samples)
        self._keys = np.empty((2, n_samples), np.uint64)
        self._order = np.empty((2, n_samples), np.uint32)
        self._table = np.empty(max(1 << DIGIT, min(WIDEST_RANGE, 4 * n_samples)), np.uint32)

    def __call__(self, column):
        """Distinct values of a contiguous float64 column, ascending, and the rank of each entry among them, uint32."""
        # NaN is the largest value, and -0.0 is 0.0. The next call overwrites the ranks.
        scratch = self._table, self._keys, self._order, self._ranks, self._levels
        n_levels = rank(column, column.view(np.uint64), *scratch)
        return self._levels[:n_levels].copy(), self._ranks


@kernel
def rank(column, bits, table, keys, order, ranks, levels):
    """Write ranks and distinct values; returns the number of values. `bits` are the column's bits."""
    lowest, width = integer_range(column)
    if 0 <= width < len(table):
        return count(column, lowest, width, table, ranks, levels)
    return sort(column, bits, table, keys, order, ranks, levels)


@inlined_kernel
def integer_range(column):
    """Smallest value, and by how much the largest one exceeds it; -1 unless all values are integers."""
    lowest, highest, others = np.int64(EXACT), np.int64(-EXACT), 0
    for i in range(len(column)):
        value = column[np.uint64(i)]
        number = np.int64(value if abs(value) <= EXACT else 0.0)  # 0 for NaN too
        others += np.int64(value != number)
        lowest, highest = min(lowest, number), max(highest, number)
    return np.float64(lowest), highest - lowest if others == 0 else np.int64(-1)


@inlined_kernel
def count(column, lowest, width, table, ranks, levels):
    """`rank` for integers in lowest..lowest + width."""
    if width == 1:
        for i in range(len(column)):
            ranks[np.uint64(i)] = np.uint32(column[np.uint64(i)] - lowest)
        levels[0], levels[1] = lowest, lowest + 1.0
        return np.int64(2)
    for v in range(width + 1):
        table[np.uint64(v)] = 0
    for i in range(len(column)):
        table[np.uint64(column[np.uint64(i)] - lowest)] = 1
    n_levels = np.int64(0)
    for v in range(width + 1):
        present = np.int64(table[np.uint64(v)])
        table[np.uint64(v)] = n_levels
        if present:
            levels[np.uint64(n_levels)] = lowest + v
        n_levels += present
    for i in range(len(column)):
        ranks[np.uint64(i)] = table[np.uint64(column[np.uint64(i)] - lowest)]
    return n_levels


@inlined_kernel
def sort(column, bits, buckets, keys, order, ranks, levels):
    """`rank` by a radix sort of integers that have the order of the values."""
    n, one, sign = len(column), np.uint64(1), np.uint64(2**63)
    source, target, samples, target_samples = keys[0], keys[1], order[0], order[1]
    differs = np.uint64(0)
    for i in range(n):
        value, key = column[np.uint64(i)], bits[np.uint64(i)]
        size = key & ~sign
        key = (size if key < sign else ~size + one) ^ sign  # the same for -0.0 and 0.0; trailing zeros stay
        key = ~np.uint64(0) if np.isnan(value) else key
        source[np.uint64(i)], samples[np.uint64(i)] = key, i
        differs |= key ^ source[np.uint64(0)]
    for shift in range(64):
        if (differs >> np.uint64(shift)) & one == 1:
            distribute(source, samples, target, target_samples, buckets, np.uint64(shift))
            source, target, samples, target_samples = target, source, target_samples, samples
            differs &= ~(np.uint64((1 << DIGIT) - 1) << np.uint64(shift))
    before, n_levels = ~source[np.uint64(0)], np.int64(0)
    for i in range(n):
        key, sample = source[np.uint64(i)], np.uint64(samples[np.uint64(i)])
        if key != before:
            levels[np.uint64(n_levels)] = column[sample] + 0.0
            n_levels += 1
            before = key
        ranks[sample] = n_levels - 1
    return n_levels


@inlined_kernel
def distribute(keys, samples, to_keys, to_samples, buckets, shift):
    """One pass of the radix sort, by the digit above `shift`; stable."""
    last, place = np.uint64((1 << DIGIT) - 1), np.uint32(0)
    for b in range(1 << DIGIT):
        buckets[np.uint64(b)] = 0
    for i in range(len(keys)):
        buckets[(keys[np.uint64(i)] >> shift) & last] += np.uint32(1)
    for b in range(1 << DIGIT):
        size = buckets[np.uint64(b)]
        buckets[np.uint64(b)] = place
        place += size
    for i in range(len(keys)):
        key, sample = keys[np.uint64(i)], samples[np.uint64(i)]
        b = (key >> shift) & last
        to = np.uint64(buckets[b])
        to_keys[to], to_samples[to] = key, sample
        buckets[b] += np.uint32(1)

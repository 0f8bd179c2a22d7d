"""Ranks of the values of columns in linear time: integers of a small range are counted, others sorted by their bits."""

import numpy as np

from ironbark.jit import inlined_kernel, kernel

DIGIT = 11  # bits of a digit of the radix sort: its buckets fit the first cache
EXACT = 2.0**53  # integers up to it are float64 numbers
BLOCK = 2**15  # cells that are ranked in one call; more are slower, since their memory is mapped anew
WIDEST_RANGE = 2**16  # entries of the table of values that are counted


def ranked(blocks, n_samples):
    """Distinct values, ascending, and ranks, uint32, of each row of contiguous float64 arrays, until the next one."""
    # NaN is the largest value, and -0.0 is 0.0. Several rows in one call, if they are short; all use the same memory.
    n_rows = max(1, BLOCK // n_samples)
    table = np.empty(max(1 << DIGIT, min(WIDEST_RANGE, 4 * n_samples)), np.uint32)
    keys, order = np.empty((2, n_samples), np.uint64), np.empty((2, n_samples), np.uint32)
    ranks, levels = np.empty((n_rows, n_samples), np.uint32), np.empty((n_rows, n_samples))
    sizes = np.empty(n_rows, np.int64)
    for rows in (block[start : start + n_rows] for block in blocks for start in range(0, len(block), n_rows)):
        rank(rows, rows.view(np.uint64), table, keys, order, ranks, levels, sizes)
        yield from ((levels[j, :size].copy(), ranks[j]) for j, size in enumerate(sizes[: len(rows)].tolist()))


@kernel
def rank(columns, bits, table, keys, order, ranks, levels, sizes):
    """Write ranks, distinct values and their number for each row of `columns`, whose bits are `bits`."""
    for j in range(len(columns)):
        lowest, width = integer_range(columns[j])
        if 0 <= width < len(table):
            sizes[j] = count(columns[j], lowest, width, table, ranks[j], levels[j])
        else:
            sizes[j] = sort(columns[j], bits[j], table, keys, order, ranks[j], levels[j])


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

"""Sort keys of a node's samples by one feature: gathered from the codes, then ordered.

A key is ``code << bits | packed label``, so that a sorted run of keys can be scanned without looking anything up.
"""

import numpy as np

from ironbark.jit import inlined_kernel, inner_kernel
from ironbark.tree.growing.regression import BITS, CLASS

WIDEST_DIGIT = 11  # bits of a digit of the counting sort; as many buckets fit the first cache beside the keys
BUCKETS = 1 << WIDEST_DIGIT  # length of the array that `sort` counts in


@inlined_kernel
def gather(codes, step, start, samples, labels, first, last, bits, skip_zero, keys):
    """Keys of samples[first:last] by a feature; returns their number, and their smallest and largest code."""
    # Codes are ``codes[sample * step + start]``; `skip_zero` leaves out 0. Without labels low bits are places.
    integer = keys.dtype.type
    shift = integer(bits)
    count = np.int64(0)
    if labels is not None and skip_zero:
        for i in range(first, last):
            code = codes[np.uint64(samples[np.uint64(i)] * step + start)]
            keys[np.uint64(count)] = (integer(code) << shift) | integer(labels[np.uint64(i)])
            count += np.int64(code != 0)
    else:
        count = np.int64(last - first)
        for i in range(count):
            j = np.uint64(first + i)
            code = codes[np.uint64(samples[j] * step + start)]
            low_bits = integer(i) if labels is None else integer(labels[j])
            keys[np.uint64(i)] = (integer(code) << shift) | low_bits
    lowest, highest = ~integer(0), integer(0)
    for i in range(count):
        lowest = min(lowest, keys[np.uint64(i)])
        highest = max(highest, keys[np.uint64(i)])
    return count, np.int64(lowest >> shift), np.int64(highest >> shift)


@inlined_kernel
def count_codes(codes, step, start, samples, labels, first, last, n_classes, n_levels, counts):
    """Fill ``counts[code * n_classes + class]`` for samples[first:last], of codes ``codes[sample * step + start]``."""
    # To add to a number that was changed just before is slow, so two halves are counted in turn, in two tables.
    size, half = n_levels * n_classes, (last - first) // 2
    second = size if size <= min(half // 4, BUCKETS // 2) else np.int64(0)
    for i in range(size + second):
        counts[np.uint64(i)] = 0
    for i in range(first, last - half):
        count_one(codes, step, start, samples, labels, i, n_classes, np.int64(0), counts)
        if i < first + half:
            count_one(codes, step, start, samples, labels, i + last - first - half, n_classes, second, counts)
    for i in range(second):
        counts[np.uint64(i)] += counts[np.uint64(second + i)]


@inlined_kernel
def count_one(codes, step, start, samples, labels, i, n_classes, table, counts):
    """Count one sample in the table that begins at this place."""
    label = np.int64(labels[np.uint64(i)])
    code = np.int64(codes[np.uint64(samples[np.uint64(i)] * step + start)])
    counts[np.uint64(table + code * n_classes + (label & CLASS))] += (label >> BITS) + 1


@inlined_kernel
def sort(keys, spare, scratch, n, bits, lowest, highest):
    """Bring the first n keys into ascending order of code: by ranks if they are few, else by counting passes."""
    # Returns whether they are in `spare` then, not in `keys`.
    width = bit_length(highest - lowest)
    if n <= (24 if width <= 8 else 40):
        rank_sort(keys, spare, scratch, n)
        return True
    widest = min(max(bit_length(n), 8), WIDEST_DIGIT)
    passes = (width + widest - 1) // widest
    digit = (width + passes - 1) // passes
    done, moved = 0, False
    for _ in range(passes):
        counting_pass(keys, spare, scratch, n, bits + done, lowest, bits, digit)
        keys, spare, moved = spare, keys, not moved
        done += digit
    return moved


@inlined_kernel
def without(keys, count, shift, code):
    """Number of sorted keys in front of those of the largest code, if it is this one."""
    while count > 0 and np.int64(keys[count - 1] >> shift) == code:
        count -= 1
    return count


@inner_kernel
def bit_length(number):
    """Bits that a non-negative integer takes."""
    length = 0
    while (number >> length) > 0:
        length += 1
    return length


@inner_kernel
def rank_sort(keys, target, ranks, n):
    """Write the first n keys to `target` in ascending order: n^2 / 2 comparisons, but no branch to mispredict."""
    one = np.int32(1)
    for i in range(n):
        key, rank = keys[np.uint64(i)], np.int32(0)
        for j in range(i):
            larger = np.int32(keys[np.uint64(j)] > key)
            ranks[np.uint64(j)] += larger
            rank += one - larger
        ranks[np.uint64(i)] = rank
    for i in range(n):
        target[np.uint64(ranks[np.uint64(i)])] = keys[np.uint64(i)]


@inner_kernel
def counting_pass(keys, target, counts, n, shift, lowest, bits, digit):
    """Distribute keys to `target` by `digit` bits of code - lowest, those above `shift`; stable."""
    integer = keys.dtype.type
    base, by, last = integer(lowest) << integer(bits), integer(shift), integer((1 << digit) - 1)
    for b in range(1 << digit):
        counts[np.uint64(b)] = 0
    for i in range(n):
        counts[np.uint64(((keys[np.uint64(i)] - base) >> by) & last)] += 1
    distribute(keys, target, counts, n, 1 << digit, base, by, last)


@inlined_kernel
def distribute(keys, target, counts, n, n_buckets, base, by, last):
    """Distribute keys to `target` by their bucket, ``((key - base) >> by) & last``, of which `counts` has the sizes."""
    place = 0
    for b in range(n_buckets):
        size = counts[np.uint64(b)]
        counts[np.uint64(b)] = place
        place += size
    for i in range(n):
        key = keys[np.uint64(i)]
        b = np.uint64(((key - base) >> by) & last)
        target[np.uint64(counts[b])] = key
        counts[b] += 1

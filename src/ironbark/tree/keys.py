"""Sort keys of a node's samples by one feature: gathered from the codes, then ordered.

A key is ``code << bits | packed label``, so that a sorted run of keys can be scanned without looking anything up.
"""

import numpy as np

from ironbark.jit import inner_kernel


@inner_kernel
def gather(column, samples, labels, first, last, bits, skip_zero, keys):
    """Keys of samples[first:last] by a feature whose codes stand in `column`, indexed by sample.

    With `skip_zero` the samples of code 0 are left out.

    Returns
    -------
    count : int
        Number of keys.
    lowest, highest : int
        Smallest and largest code among the keys.
    """
    integer = keys.dtype.type
    shift = integer(bits)
    lowest, highest, count = np.int64(2**40), np.int64(-1), np.int64(0)
    for i in range(first, last):
        code = np.int64(column[np.uint64(samples[np.uint64(i)])])
        keys[np.uint64(count)] = (integer(code) << shift) | integer(labels[np.uint64(i)])
        highest = max(highest, code)
        if skip_zero:
            count += code != 0
            lowest = min(lowest, code if code != 0 else lowest)
        else:
            count += 1
            lowest = min(lowest, code)
    return count, lowest, highest


@inner_kernel
def sort(keys, spare, counts, n, bits, lowest, highest):
    """The first n keys in ascending order of code; in `keys` or in `spare`, whichever is returned.

    Insertion for short runs; otherwise counting passes of 8 bits, only as many as the codes need. A short run of widely
    spread codes takes one pass on the top bits, which insertion finishes.
    """
    if n <= 20:
        insertion_sort(keys, n)
        return keys
    width = 0
    while ((highest - lowest) >> width) > 0:
        width += 1
    if width > 8 and n < 96:
        counting_pass(keys, spare, counts, n, bits + width - 8, lowest, bits)
        insertion_sort(spare, n)
        return spare
    done = 0
    while done < width:
        counting_pass(keys, spare, counts, n, bits + done, lowest, bits)
        keys, spare = spare, keys
        done += 8
    return keys


@inner_kernel
def insertion_sort(keys, n):
    """Sort the first n keys in place."""
    for i in range(1, n):
        key = keys[np.uint64(i)]
        j = i - 1
        while j >= 0 and keys[np.uint64(j)] > key:
            keys[np.uint64(j + 1)] = keys[np.uint64(j)]
            j -= 1
        keys[np.uint64(j + 1)] = key


@inner_kernel
def counting_pass(keys, target, counts, n, shift, lowest, bits):
    """Distribute keys to `target` by 8 bits of code - lowest, those above `shift`; stable."""
    integer = keys.dtype.type
    base = integer(lowest) << integer(bits)
    by = integer(shift)
    byte = integer(255)
    for b in range(256):
        counts[b] = 0
    for i in range(n):
        counts[np.uint64(((keys[np.uint64(i)] - base) >> by) & byte)] += 1
    place = np.int64(0)
    for b in range(256):
        size = counts[b]
        counts[b] = place
        place += size
    for i in range(n):
        key = keys[np.uint64(i)]
        b = np.uint64(((key - base) >> by) & byte)
        target[np.uint64(counts[b])] = key
        counts[b] += 1

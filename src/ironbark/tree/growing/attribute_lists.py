"""Attribute lists: for each feature its samples by ascending code, without those of the most frequent code.

An entry is ``code << shift | sample``. Samples without an entry of a feature have its most frequent code.
"""

from typing import NamedTuple

import numpy as np

from ironbark.jit import inlined_kernel, kernel, trailing_zeros
from ironbark.tree.growing.thresholds.radix_sort import distribute

WORD = 64  # bits


class AttributeLists(NamedTuple):
    """Lists of all features in one flat array."""

    entries: np.ndarray  # uint32, or uint64 where code and sample need more bits
    offsets: np.ndarray  # (n_features + 1,), int64: where each feature's list starts
    mode: np.ndarray  # (n_features,), int64: the code that is left out
    shift: int


def attribute_lists(features):
    """The lists of an `EncodedFeatures`, kept with it."""
    if "lists" not in features.derived:
        features.derived["lists"] = _build(features, features.codes.size)
    return features.derived["lists"]


def small_lists(features):
    """Lists to be parted in place, or None where they would take more memory than the `layouts` of nodewise growth."""
    most = (features.codes.nbytes + 8 * len(features)) // _dtype(features.codes)[0]().itemsize
    if "lists" not in features.derived:
        return _build(features, most)
    kept = features.derived["lists"]
    return kept._replace(entries=kept.entries.copy()) if len(kept.entries) <= most else None


def missing_codes(features):
    """Code of NaN of each feature, which is its largest one, or -1; ndarray of shape (n_features,), int64."""
    if "missing" not in features.derived:
        features.derived["missing"] = np.where(features.missing, np.diff(features.offsets) - 1, -1)
    return features.derived["missing"]


def _dtype(codes):
    """Type of entries, and bits of a sample's number."""
    shift = max(1, (codes.shape[1] - 1).bit_length())
    return np.uint32 if shift + int(codes.max()).bit_length() <= 32 else np.uint64, shift


def _build(features, most):
    """The lists, or None if they have more entries than `most`."""
    codes, n_levels, (dtype, shift) = features.codes, np.diff(features.offsets), _dtype(features.codes)
    entries, keys = np.empty(min(most, codes.size // 4 + codes.shape[1]), dtype), np.empty(codes.shape[1], dtype)
    mode, offsets = np.empty(len(codes), np.int64), np.zeros(len(codes) + 1, np.int64)
    counts, done = np.empty(2 * n_levels.max(), np.uint32), 0
    while (done := write(done, codes, n_levels, shift, counts, keys, mode, offsets, entries)) < len(codes):
        if len(entries) == most:
            return None
        entries.resize(min(most, 2 * len(entries)), refcheck=False)
    entries.resize(offsets[-1], refcheck=False)
    return AttributeLists(entries, offsets, mode, shift)


@kernel
def write(done, codes, n_levels, shift, counts, keys, mode, offsets, entries):
    """Continue to fill `mode`, `offsets` and `entries` by counting sorts; returns how many features are done then."""
    n, integer = codes.shape[1], keys.dtype.type
    for j in range(done, len(codes)):
        row, start = np.uint64(j), offsets[j]
        common = count(codes, row, n_levels[j], counts)
        if start + n - np.int64(counts[common]) > len(entries):
            return j
        mode[j], offsets[j + 1] = common, start + n - np.int64(counts[common])
        if n_levels[j] == 2:  # no other code to sort by
            others(codes, row, common, shift, entries[start:])
            continue
        size = others(codes, row, common, shift, keys)
        counts[common] = 0
        distribute(keys, entries[start:], counts, size, n_levels[j], integer(0), integer(shift), ~integer(0))
    return len(codes)


@inlined_kernel
def others(codes, row, common, shift, keys):
    """Write the entries of the samples with another code than the common one, in their order; returns their number."""
    n, integer, size = codes.shape[1], keys.dtype.type, np.uint64(0)
    for first in range(0, n - n % WORD, WORD):  # a bit for each sample: a branch for each would be mispredicted
        differs = np.uint64(0)
        for b in range(WORD):
            differs |= np.uint64(codes[row, np.uint64(first + b)] != common) << np.uint64(b)
        while differs != 0:
            i = np.uint64(first) + trailing_zeros(differs)
            keys[size] = (integer(codes[row, i]) << integer(shift)) | integer(i)
            size += np.uint64(1)
            differs &= differs - np.uint64(1)
    for i in range(n - n % WORD, n):
        code = codes[row, np.uint64(i)]
        if code != common:
            keys[size] = (integer(code) << integer(shift)) | integer(i)
            size += np.uint64(1)
    return size


@inlined_kernel
def count(codes, row, n_levels, counts):
    """Count each code of a feature; returns the most frequent one."""
    # Two halves are counted side by side, since to add to a number that was changed just before is slow.
    n, half = codes.shape[1], codes.shape[1] // 2
    for v in range(2 * n_levels):
        counts[np.uint64(v)] = 0
    if n_levels == 2:
        ones = np.uint32(0)
        for i in range(n):
            ones += np.uint32(codes[row, np.uint64(i)])
        counts[0], counts[1] = np.uint32(n) - ones, ones
        return np.uint64(ones > counts[0])
    for i in range(n - half):
        counts[np.uint64(codes[row, np.uint64(i)])] += np.uint32(1)
        if i < half:
            counts[np.uint64(n_levels + np.int64(codes[row, np.uint64(n - half + i)]))] += np.uint32(1)
    common = np.uint64(0)
    for v in range(n_levels):
        counts[np.uint64(v)] += counts[np.uint64(n_levels + v)]
        common = np.uint64(v) if counts[np.uint64(v)] > counts[common] else common
    return common

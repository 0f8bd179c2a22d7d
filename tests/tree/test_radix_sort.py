"""Ordering of sort keys against numpy; attribute lists hold every sample but those at the mode."""

import numba
import numpy as np
import pytest
from python_calls import python_call

from ironbark.encoding import encode
from ironbark.tree.growing.thresholds import radix_sort as kernels

sort = python_call(kernels.sort)
CASES = [(1, 5), (20, 9), (24, 2), (25, 256), (40, 257), (41, 257), (60, 1), (60, 40_000), (500, 256), (2000, 60_000)]


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@pytest.mark.parametrize(("n", "levels"), CASES)
def test_keys_come_in_order_of_code(n, levels, dtype):
    if levels == 1 and numba.config.DISABLE_JIT:
        pytest.skip("a division by zero, whose result is not used, is an error only where it is interpreted")
    rng = np.random.default_rng(n)
    bits = 16 if dtype == np.uint32 else 32
    for offset in (0, 3, 200):
        code, label = rng.integers(offset, offset + levels, n), rng.integers(0, 2**16, n)
        keys = (code.astype(dtype) << dtype(bits)) | label.astype(dtype)
        low, high = int(code.min()), int(code.max())
        both = keys.copy(), np.empty(n, dtype)
        found = both[sort(*both, np.empty(256, np.int32), n, bits, low, high)]
        assert np.array_equal(found >> dtype(bits), np.sort(code))
        assert np.array_equal(np.sort(found), np.sort(keys))  # every label is still with its code


@pytest.mark.parametrize(("n", "levels"), [(1, 1), (50, 3), (300, 290), (70_000, 69_000)])
def test_lists_are_sorted_and_lack_only_the_mode(n, levels):
    features = encode(np.random.default_rng(n).integers(0, levels, (n, 2)))
    lists = kernels.attribute_lists(features)
    assert lists.entries.dtype == (np.uint64 if n == 70_000 else np.uint32)
    for j, codes in enumerate(features.codes):
        entries = lists.entries[lists.offsets[j] : lists.offsets[j + 1]].astype(np.int64)
        code, sample = entries >> lists.shift, entries & ((1 << lists.shift) - 1)
        assert np.array_equal(codes[sample], code)
        assert (np.diff(entries) > 0).all()
        assert np.array_equal(np.sort(sample), np.flatnonzero(codes != lists.mode[j]))
        assert np.bincount(codes)[lists.mode[j]] == np.bincount(codes).max()

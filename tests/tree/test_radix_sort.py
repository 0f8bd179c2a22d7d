"""Gathering and ordering of sort keys against numpy; attribute lists hold every sample but those at the mode."""

import numba
import numpy as np
import pytest
from python_calls import python_call

from ironbark.encoding import EncodedFeatures, encode
from ironbark.tree.growing.thresholds import radix_sort as kernels

gather, sort = map(python_call, (kernels.gather, kernels.sort))
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


@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("skip_zero", [False, True])
def test_gathered_keys_hold_the_codes_and_labels_of_a_range_of_samples(skip_zero, by_row):
    rng = np.random.default_rng(0)
    rows, samples = rng.integers(0, 4, (50, 3)).astype(np.uint8), rng.permutation(50).astype(np.uint32)
    column = rows[:, 1]
    labels, keys = rng.integers(0, 2**16, 50).astype(np.uint16), np.zeros(50, np.uint32)
    layout = (rows.reshape(-1), 3, 1) if by_row else (rows.T.reshape(-1), 1, 50)
    count, low, high = gather(*layout, samples, labels, 10, 40, 16, skip_zero, keys)
    codes = column[samples[10:40]].astype(np.int64)
    kept = codes != 0 if skip_zero else np.ones(30, bool)
    assert count == kept.sum()
    assert (low, high) == (codes[kept].min(), codes.max())
    assert np.array_equal(keys[:count], (codes[kept] << 16 | labels[10:40][kept]).astype(np.uint32))


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


def test_lists_are_made_once_and_do_not_travel():
    features = encode(np.arange(12).reshape(6, 2))
    assert kernels.attribute_lists(features) is kernels.attribute_lists(features)
    again = EncodedFeatures(**{**features.__getstate__()})
    assert again.derived == {}

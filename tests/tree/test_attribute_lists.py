"""Attribute lists hold every sample but those at the mode."""

import numpy as np
import pytest

from ironbark.encoding import EncodedFeatures, encode
from ironbark.tree.growing.thresholds.radix_sort import attribute_lists


@pytest.mark.parametrize(("n", "levels"), [(1, 1), (50, 3), (300, 290), (70_000, 69_000)])
def test_lists_are_sorted_and_lack_only_the_mode(n, levels):
    features = encode(np.random.default_rng(n).integers(0, levels, (n, 2)))
    lists = attribute_lists(features)
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
    assert attribute_lists(features) is attribute_lists(features)
    again = EncodedFeatures(**{**features.__getstate__()})
    assert again.derived == {}

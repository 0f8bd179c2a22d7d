"""Random numbers by node path, majority classes and packed labels."""

import naive
import numpy as np
import pytest
from python_calls import python_call

from ironbark.tree.growing import nodes
from ironbark.tree.growing.regression import BITS, CLASS, class_weights, pack_labels

mix, child_key, draw, majority = map(python_call, (nodes.mix, nodes.child_key, nodes.draw, nodes.majority))
KEYS = [0, 1, 2**31, 2**63, 2**64 - 1, 0x123456789ABCDEF]


@pytest.mark.filterwarnings("ignore:overflow")
def test_draws_are_those_of_the_twin():
    for key in KEYS:
        assert int(mix(np.uint64(key))) == naive.mix(key)
        for side in (0, 1):
            assert int(child_key(np.uint64(key), side)) == naive.child_key(key, side)
        for index in (0, 1, 77, nodes.TIE_DRAW):
            for bound in (1, 2, 3, 1000, 2**32 - 1):
                assert draw(np.uint64(key), index, bound) == naive.draw(key, index, bound)


def test_mix_is_the_published_finalizer():
    """First outputs of splitmix64 seeded with 1234567, as printed in the test vectors of Rosetta Code."""
    step = 0x9E3779B97F4A7C15
    outputs = [naive.mix((1234567 + i * step) & naive.BITS) for i in (1, 2, 3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_draws_are_uniform():
    counts = np.bincount([naive.draw(naive.mix(key), 0, 5) for key in range(20_000)], minlength=5)
    assert abs(counts / 20_000 - 0.2).max() < 0.012  # four standard deviations


def test_majority_ties_are_drawn_evenly_among_the_tied_classes():
    counts = np.array([3, 5, 1, 5, 5])
    drawn = np.bincount([majority(counts, np.uint64(naive.mix(key))) for key in range(3000)], minlength=5)
    assert drawn[0] == drawn[2] == 0
    assert abs(drawn[[1, 3, 4]] / 3000 - 1 / 3).max() < 0.035
    assert majority(np.array([3, 5, 1]), np.uint64(9)) == 1


def test_majority_of_floats_is_up_to_rounding():
    weights = np.array([0.1 + 0.2, 0.3, 0.2])
    drawn = np.bincount([majority(weights, np.uint64(naive.mix(key))) for key in range(500)], minlength=3)
    assert drawn.min() == drawn[2] == 0
    assert abs(drawn[:2] / 500 - 0.5).max() < 0.09
    assert majority(np.array([0.3, 0.3 * (1 + 1e-6)]), np.uint64(9)) == 1


@pytest.mark.parametrize(("dtype", "largest"), [(np.uint16, 256), (np.uint32, 2**24)])
def test_packed_labels_hold_class_and_weight(dtype, largest):
    y, weights = np.array([0, 255, 7, 7]), np.array([1, largest, 3, 1])
    labels = pack_labels(y, weights, dtype)
    assert labels.dtype == dtype
    assert (labels & dtype(CLASS)).tolist() == y.tolist()
    assert ((labels >> dtype(BITS)).astype(int) + 1).tolist() == weights.tolist()
    assert np.array_equal(class_weights(labels, 256), np.bincount(y, weights, 256))


@pytest.mark.parametrize(("depth", "rows"), [(1, 3), (2, 7), (5, 19), (2**31, 19)])
def test_the_store_has_room_for_the_largest_tree(depth, rows):
    settings = nodes.Settings(depth, 2, 1, 0.0, 1, False, np.uint64(0))
    assert [len(column) for column in nodes.new_nodes(10, np.zeros(3), settings)] == [rows] * 3
    assert len(nodes.new_nodes(1, np.zeros(3, int), settings).gains) == 1

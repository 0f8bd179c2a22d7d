"""Random numbers by node path, and the majority class of float weights."""

import naive
import numpy as np
from python_calls import python_call

from ironbark.tree.growing import nodes

majority = python_call(nodes.majority)


def test_mix_is_the_published_finalizer():
    """First outputs of splitmix64 seeded with 1234567, as printed in the test vectors of Rosetta Code."""
    step = 0x9E3779B97F4A7C15
    outputs = [naive.mix((1234567 + i * step) & naive.BITS) for i in (1, 2, 3)]
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_majority_of_floats_is_up_to_rounding():
    weights = np.array([0.1 + 0.2, 0.3, 0.2])
    drawn = np.bincount([majority(weights, np.uint64(naive.mix(key))) for key in range(500)], minlength=3)
    assert drawn.min() == drawn[2] == 0
    assert abs(drawn[:2] / 500 - 0.5).max() < 0.09
    assert majority(np.array([0.3, 0.3 * (1 + 1e-6)]), np.uint64(9)) == 1

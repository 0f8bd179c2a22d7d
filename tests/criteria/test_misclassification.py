"""When the conservative losses see a gain."""

import itertools

import numpy as np


def test_no_gain_exactly_where_the_children_share_a_majority_class(gain):
    """Wilton and Ye (2024), Theorem 5a, on all splits of three classes with up to three samples each."""
    sides = [np.array(c) for c in itertools.product(range(4), repeat=3) if sum(c)]
    for left, right in itertools.combinations_with_replacement(sides, 2):
        share = bool(((left == left.max()) & (right == right.max())).any())
        found = gain("misclassification", left, right)
        assert found >= 0
        assert (found == 0) == share

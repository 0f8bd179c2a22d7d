import math

import numpy as np
import pytest

from ironbark.pipeline.protocols.model_outputs import effective_size, facts


@pytest.mark.parametrize(("vector", "size"), [([0, 0, -3], 1), ([1, -1, 1, 1], 4), ([3, 1], 1.6), ([0.0, 0.0], 0)])
def test_effective_size(vector, size):
    assert effective_size(vector) == pytest.approx(size)


def test_facts_of_a_minimax_booster():
    class Booster:
        minimax_risk_ = np.float64(0.25)
        mu_ = np.array([0.5, 0.0, -0.5])
        weights_ = np.array([0.1, -0.1, 0.0, 0.1])

    found = facts(Booster())
    assert (found["minimax_risk"], found["effective_rules"]) == (0.25, 2)
    assert found["effective_samples"] == pytest.approx(3)
    assert math.isnan(found["n_leaves"]) and all(type(value) is float for value in found.values())

"""The largest entropy under the imprecise Dirichlet model, as the twin has it that kernels are compared with."""

import naive_criteria as naive
import numpy as np
import pytest
from scipy.optimize import minimize

COUNTS = [(3, 1, 0), (5, 0, 0, 0), (4, 2, 1, 1), (2, 2, 2), (1, 0), (7, 3), (9, 8, 2, 0, 0), (1, 1, 30)]


def largest_entropy(counts, s):
    """By numerical optimisation over where the mass s goes."""
    n_classes = len(counts)
    found = minimize(
        lambda mass: -naive.entropy((counts + mass) / (counts.sum() + s)),
        np.full(n_classes, s / n_classes),
        bounds=[(0, s)] * n_classes,
        constraints={"type": "eq", "fun": lambda mass: mass.sum() - s},
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return -found.fun


@pytest.mark.parametrize("s", [0.5, 1.0, 2.5, 20.0])
@pytest.mark.parametrize("counts", COUNTS)
def test_no_other_distribution_of_the_mass_has_a_larger_entropy(counts, s):
    counts = np.array(counts)
    optimum = largest_entropy(counts, s)
    assert naive.upper_entropy(counts, s) == pytest.approx(optimum, abs=1e-6)

"""Signs and formulas of the second derivatives of losses: printed values and what the papers prove."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ironbark.boosting.gbdt.losses.kernels import BoostingLoss


def curvature(name, p, **values):
    """Second derivative at the probability p of the label."""
    return BoostingLoss(name, **values).derivatives(np.ones(np.size(p)), np.atleast_1d(np.log(p) - np.log1p(-p)))[1]


#: (r, q) -> p*, below which the Hessian is negative; printed to three or four digits.
P_STAR = {
    (0.5, 0.1): 0.108,
    (0.5, 0.3): 0.209,
    (0.5, 0.5): 0.280,
    (1.0, 0.1): 0.109,
    (1.0, 0.3): 0.186,
    (1.0, 0.5): 0.2405,
    (1.0, 0.0): 0.043,
}


@pytest.mark.parametrize(("r", "q"), P_STAR)
def test_the_hessian_changes_its_sign_at_the_printed_probability(r, q):
    digits = 5e-4 if P_STAR[r, q] != 0.2405 else 5e-5
    below, above = P_STAR[r, q] - digits, P_STAR[r, q] + digits
    assert (curvature("robust_focal", np.linspace(1e-6, below, 400), r=r, q=q) < 0).all()
    assert (curvature("robust_focal", np.linspace(above, 1 - 1e-9, 400), r=r, q=q) > 0).all()


@pytest.mark.parametrize("q", [0.1, 0.3, 0.5, 0.9])
def test_without_focus_the_sign_changes_at_q_over_one_plus_q(q):
    star = q / (1 + q)
    assert curvature("generalized_cross_entropy", star - 1e-9, q=q) < 0
    assert curvature("generalized_cross_entropy", star + 1e-9, q=q) > 0


@settings(deadline=None)
@given(r=st.floats(0, 10), q=st.floats(0, 0.999), z=st.floats(0, 300))
def test_convex_where_the_label_is_the_likelier_one(r, q, z):
    """Theorems 1 and 2: positive Hessian for p in [1/2, 1), that is z >= 0 for class 1 and z <= 0 for class 0."""
    hessian = BoostingLoss("robust_focal", r=r, q=q).derivatives(np.array([1, 0]), np.array([z, -z]))[1]
    # of the size of u^(r + 1), that is exp(-(r + 1) z): smaller ones are zero in float64
    assert (hessian > 0).all() if (r + 1) * z < 700 else (hessian >= 0).all()


@settings(deadline=None)
@given(r=st.floats(0, 10), q=st.floats(0, 0.999), z=st.lists(st.floats(0, 60), min_size=3, max_size=6))
def test_convex_in_each_class_against_the_rest(r, q, z):
    """Theorem 3: the score of the label is not negative, those of the others are not positive."""
    scores = -np.array([z])
    scores[0, 1] *= -1
    assert (BoostingLoss("robust_focal", multi="ovr", r=r, q=q).derivatives(np.array([1]), scores)[1] > 0).all()


def test_hessians_by_probability_of_the_other_losses():
    p = np.linspace(0.001, 0.999, 1000)
    u = 1 - p
    np.testing.assert_allclose(curvature("mean_absolute_error", p), p * u * (2 * p - 1), atol=1e-15)
    np.testing.assert_allclose(curvature("cross_entropy", p), p * u, rtol=1e-12)
    sce = curvature("symmetric_cross_entropy", p, a=0.3, b=2.0)
    np.testing.assert_allclose(sce, p * u * (0.3 + 2 * (2 * p - 1)), atol=1e-15)
    assert ((sce < 0) == (p < 0.425)).all()  # (1 - a / b) / 2
    L, M = np.log(p), np.log(u)
    D, N_ = L + M, u * M + p * L
    np.testing.assert_allclose(
        curvature("normalized_cross_entropy", p), p * u * (L - M) / D**2 - 2 * N_ * (u - p) / D**3, atol=1e-14
    )
    assert abs(curvature("normalized_cross_entropy", 0.5)[0]) < 1e-16

"""Settings of RMBoost that tests run through."""

import pytest

VARIANTS = {
    "central": {},
    "weighted": {"base": "weighted"},
    "primal": {"lp_solution": "vertex"},
    "dual": {"lp_solution": "vertex", "formulation": "dual"},
    "symmetric": {"lp_solution": "vertex", "symmetric_duals": True},
    "pruned": {"lp_solution": "vertex", "prune": True, "base": "weighted"},
}


@pytest.fixture(params=VARIANTS)
def variant(request):
    if "vertex" in VARIANTS[request.param].values():
        pytest.importorskip("highspy")
    return VARIANTS[request.param]

"""Settings of boosters by linear programs that tests run through."""

import pytest
from boosting.linear_programs import LP_VARIANTS

from ironbark import LPBoostClassifier, RMBoostClassifier

VARIANTS = {
    "central": {},
    "weighted": {"base": "weighted"},
    "vertex": {"lp_solution": "vertex"},
    "symmetric": {"lp_solution": "vertex", "symmetric_duals": True},
}


@pytest.fixture(params=VARIANTS)
def variant(request):
    """Parameters of RMBoost."""
    return VARIANTS[request.param]


@pytest.fixture(params=[*VARIANTS, *LP_VARIANTS])
def booster(request):
    """RMBoost and LPBoost of every kind, of few rounds."""
    kind = RMBoostClassifier if request.param in VARIANTS else LPBoostClassifier
    return kind(n_estimators=8, random_state=0, **(VARIANTS | LP_VARIANTS)[request.param])

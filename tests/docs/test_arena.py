"""The leaderboards beside the pack of `arena` are those of its scores."""

import numpy as np
import pytest
from docs.tables_arena import leaderboard, scores

from ironbark.pipeline.statistics import elo, ranks


@pytest.mark.parametrize("task", ["binary", "multiclass"])
@pytest.mark.parametrize(("name", "metric"), [("leaderboard", "accuracy"), ("detectors", "detection")])
def test_ratings_ranks_and_means_are_those_of_the_pack(task, name, metric):
    """Intervals are left out: their 500 ratings take a quarter of a minute."""
    found = leaderboard(f"{name}-{task}")
    complete = scores(task, metric, tuple(found.index))
    ratings = elo.ratings(elo.wins(complete).sum(axis=0))
    np.testing.assert_allclose(found["elo"][complete.columns], ratings, rtol=1e-6)
    assert (found["low"] <= found["elo"]).all() and (found["elo"] <= found["high"]).all()
    np.testing.assert_allclose(found["rank"], ranks.average_ranks(complete)[found.index], rtol=1e-6)
    np.testing.assert_allclose(found["mean"], ranks.by_dataset(complete).mean()[found.index], rtol=1e-6)

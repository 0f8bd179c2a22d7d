"""What the picture of weights shows, at points worked out by hand and against the boosters."""

import math

import numpy as np
import pytest

from ironbark.pipeline.jobs.artefacts import figure as job
from ironbark.pipeline.theory.weight_reactions import BOOSTERS, GOAL, TIME, WEIGHTS, disc, frame


@pytest.fixture(scope="module")
def data():
    return frame()


def test_disc():
    X, y = disc()
    inside = (X**2).sum(axis=1) < 2 / np.pi
    assert X[0].tolist() == [0, 0] and y[0] == -1
    assert np.array_equal(y[1:] == 1, inside[1:]) and abs(inside.mean() - 0.5) < 0.1


def at(data, method, margin, passed=0.0):
    part = data[(data["panel"] == "margin") & (data["method"] == method) & (data["passed"] == passed)]
    return float(np.interp(margin, part["x"], part["y"]))


def test_weights_of_margins(data):
    assert math.erfc(math.sqrt(TIME)) == pytest.approx(GOAL)
    for method, passed in WEIGHTS:
        assert at(data, method, 0.0, passed) == 1
    for method in ("AdaBoost", "GentleBoost"):
        assert at(data, method, -2.0) == pytest.approx(math.e**2)
    assert at(data, "LogitBoost", -2.0) == at(data, "LogitBoost", 2.0) == pytest.approx(1 / math.cosh(2) ** 2)
    for passed, left in ((0.0, TIME), (0.5, TIME / 2)):
        assert at(data, "BrownBoost", 1.0, passed) == pytest.approx(math.exp((left**2 - (1 + left) ** 2) / TIME))
    assert at(data, "RobustBoost", -4.0) == 0 and at(data, "RobustBoost", -3.0) > 1


def test_weights_along_the_rounds(data):
    for panel, boosters in BOOSTERS.items():
        for method in boosters:
            part = data[(data["panel"] == panel) & (data["method"] == method)]
            assert part["y"].iloc[0] == pytest.approx(1) and list(part["x"]) == list(range(1, len(part) + 1))
    rounds = data[data["panel"] == "rounds"]
    last = rounds.groupby("method", sort=False)["y"].last()
    assert (last[["AdaBoost", "GentleBoost"]] > 5).all()
    assert (last[["LogitBoost", "BrownBoost", "RobustBoost"]] < 0.01).all()  # the robust ones give it up
    ended = rounds.groupby("method")["ended"].last()
    assert set(ended[ended.astype(bool)].index) == {"BrownBoost", "RobustBoost"}


def test_weights_by_linear_programs(data):
    parts = data[data["panel"] == "programs"].groupby("method")["y"]
    assert parts.max()["RMBoost"] < 6 < parts.max()["LPBoost"] == pytest.approx(10)  # the cap is 1 / nu
    assert parts.max()["RMBoost (vertex)"] > 60  # a fifth of all weight, and more, on one of 300 samples
    assert parts.max()["LPBoost (hard)"] == pytest.approx(300) and parts.min()["LPBoost (hard)"] < 1e-9


def test_the_job_draws_it(tmp_path):
    spec = {"figure": {"kind": "weight-reactions"}, "names": {}, "note": "", "facts": {}}
    job.run(spec, {}, tmp_path / "weights")
    assert (tmp_path / "weights.png").stat().st_size > 10_000 and (tmp_path / "weights.svg").exists()

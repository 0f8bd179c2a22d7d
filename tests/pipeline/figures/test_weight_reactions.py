"""What the picture of weights shows, at points worked out by hand and against the boosters."""

import math

import numpy as np
import pytest

from ironbark.pipeline import figures
from ironbark.pipeline.figures.losses import BOOSTERS, GOAL, LOWEST, TIME, WEIGHTS, disc, frame


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


def test_panels_lines_and_ends(data, tmp_path):
    figure = figures.draw(None, {"kind": "weight-reactions", "caption": "Weights"}, {"RMBoost": "RM"})
    left, rounds, programs = figure.axes
    titles = ["Weight of a sample by its margin", "Weight of one mislabelled sample", "The same by linear programs"]
    assert [axis.get_title() for axis in figure.axes] == titles
    lines = {line.get_gid(): line for axis in figure.axes for line in axis.lines if line.get_gid()}
    assert {line.get_gid() for line in programs.lines} >= set(BOOSTERS["programs"])
    assert left.get_ylim() == programs.get_ylim()
    assert lines["BrownBoost 0.5"].get_linestyle() != lines["BrownBoost 0"].get_linestyle()
    assert lines["RobustBoost 0"].get_ydata().min() == LOWEST / 10
    brown = data[(data["panel"] == "rounds") & (data["method"] == "BrownBoost")]
    assert lines["BrownBoost"].get_ydata() == pytest.approx(np.maximum(brown["y"], LOWEST / 10))
    end = lines["end of BrownBoost"]
    assert (end.get_xdata()[0], end.get_ydata()[0]) == (len(brown), max(brown["y"].iloc[-1], LOWEST))
    assert "AdaBoost" in lines and "end of AdaBoost" not in lines
    entries = [text.get_text() for text in figure.legends[0].get_texts()]
    assert entries[0] == "AdaBoost" and "RM" in entries
    assert figure.get_label() == "Weights."
    figures.save(figure, tmp_path / "weights")

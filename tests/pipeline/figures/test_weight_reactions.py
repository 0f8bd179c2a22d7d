"""The picture of how boosters weigh samples: its lines are the frame, and it takes methods in one panel only."""

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline import figures
from ironbark.pipeline.figures.theory.weight_reactions import LOWEST

MARGIN = {"panel": "margin", "x": [-1.0, 0.0, 1.0], "ended": np.nan}
ROUNDS = {"panel": "rounds", "passed": np.nan}


@pytest.fixture
def data():
    parts = [
        MARGIN | {"method": "Brown", "passed": 0.0, "y": [3.0, 1.0, 0.5]},
        MARGIN | {"method": "Brown", "passed": 0.5, "y": [0.0, 1.0, 0.5]},
        ROUNDS | {"method": "Brown", "x": [1.0, 2.0, 3.0], "y": [1.0, 5.0, 0.0], "ended": True},
        ROUNDS | {"method": "RM", "x": [1.0, 2.0], "y": [1.0, 2.0], "ended": False},
    ]
    return pd.concat([pd.DataFrame(part) for part in parts], ignore_index=True)


def test_panels(data):
    programs = data[(data["panel"] == "rounds") & (data["method"] == "Brown")].assign(panel="programs", method="LP")
    three = figures.draw(pd.concat([data, programs]), {"kind": "weight-reactions"}).axes
    titles = ["Weight of a sample by its margin", "Weight of one mislabelled sample", "The same by linear programs"]
    assert [axis.get_title() for axis in three] == titles
    assert {line.get_gid() for line in three[2].lines} == {"LP", "end of LP"}
    assert three[0].get_ylim() == three[2].get_ylim()
    one = figures.draw(data[data["panel"] == "margin"], {"kind": "weight-reactions"}).axes
    assert [axis.get_title() for axis in one] == titles[:1]


def test_lines_and_ends(data, tmp_path):
    figure = figures.draw(data, {"kind": "weight-reactions", "caption": "Weights"}, {"RM": "RMBoost"})
    left, right = figure.axes
    lines = {line.get_gid(): line for axis in (left, right) for line in axis.lines if line.get_gid()}
    assert lines["Brown 0"].get_ydata().tolist() == [3, 1, 0.5]
    assert lines["Brown 0.5"].get_ydata().tolist() == [LOWEST / 10, 1, 0.5]
    assert lines["Brown 0.5"].get_linestyle() != lines["Brown 0"].get_linestyle()
    assert lines["Brown"].get_ydata().tolist() == [1, 5, LOWEST / 10]
    assert (lines["end of Brown"].get_xdata()[0], lines["end of Brown"].get_ydata()[0]) == (3, LOWEST)
    assert "RM" in lines and "end of RM" not in lines
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["Brown", "RMBoost"]
    assert figure.get_label() == "Weights."
    figures.save(figure, tmp_path / "a")

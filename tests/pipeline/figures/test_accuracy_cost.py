import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures.points import front
from ironbark.pipeline.results.records import frame

SPEC = {"id": "f", "kind": "accuracy-cost"}
POINTS = {"a": (0.1, 0.7), "b": (1.0, 0.6), "c": (10.0, 0.9)}


def rows():
    for i, dataset in enumerate(("d1", "d2")):
        for method, (seconds, value) in POINTS.items():
            yield {"dataset": dataset, "task": "binary", "method": method, "noise_id": "clean", "status": "ok"} | {
                "repeat": 0,
                "fold": 0,
                "fit_seconds": seconds * (4 if i else 1) / 2,
                "tune_seconds": seconds * (4 if i else 1) / 2,
                "accuracy": value + 0.02 * i,
            }


def lines(figure, gid):
    return [line for line in figure.axes[0].lines if line.get_gid() == gid]


def test_points_and_front():
    figure = figures.draw(frame(rows()), SPEC, {"a": "A"})
    found = {tuple(round(float(v[0]), 6) for v in (p.get_xdata(), p.get_ydata())) for p in lines(figure, "method")}
    assert found == {(0.2, 71.0), (2.0, 61.0), (20.0, 91.0)}, "geometric mean of cost, mean of accuracy"
    (joined,) = lines(figure, "front")
    assert joined.get_ydata() == pytest.approx([71, 91])
    named = {text.get_text(): text.xy for text in figure.axes[0].texts if text.get_gid() == "name"}
    assert {name: round(float(x), 6) for name, (x, _) in named.items()} == {"A": 0.2, "b": 2, "c": 20}
    assert "Means over 2 settings" in figure.get_label()


def test_front_of_errors_and_ties():
    points = pd.DataFrame({"seconds": [1, 1, 2, 3], "value": [0.3, 0.2, 0.2, 0.1]}, ["a", "b", "c", "d"])
    assert front(points, larger=False) == ["b", "d"]
    assert front(points, larger=True) == ["a"]


def test_without_a_common_setting():
    data = frame(rows())
    with pytest.raises(InputError, match="needs a setting that all methods have finished"):
        figures.draw(data[(data["method"] == "a") == (data["dataset"] == "d1")], SPEC)

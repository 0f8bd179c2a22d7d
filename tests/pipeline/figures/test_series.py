"""Lines whose points are methods or noises of their own."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline import figures
from ironbark.pipeline.results.records import FAILED, frame

X = [0, 0.1, 0.3]
SPEC = {
    "id": "f",
    "kind": "series",
    "x": X,
    "x_label": "Rate",
    "series": [
        {"label": "A", "methods": ["a"], "noises": ["n0", "n1", "n2"]},
        {"label": "B", "methods": ["b0", "b1", "b2"], "noises": ["n1"]},
    ],
}


def rows(failed=False):
    found = []
    for (d, dataset), k, repeat in product(enumerate(("d1", "d2")), range(3), range(2)):
        for method, noise in (("a", f"n{k}"), (f"b{k}", "n1")):
            value = 0.1 * k + 0.02 * repeat + 0.3 * d + (0.05 if method == "a" else 0)
            bad = failed and (method, dataset) == ("b2", "d1")
            about = {"dataset": dataset, "task": "binary", "method": method, "noise_id": noise, "noise": noise}
            about |= {"repeat": repeat, "status": FAILED if bad else "ok"}
            found.append(about | {"error": value, "effective_rules": 10 * value})
    return frame(found)


def test_points_of_noises_and_of_methods():
    figure = figures.draw(rows(), SPEC | {"metrics": ["error", "effective_rules"]}, dataset_labels={"d2": "Two"})
    assert [axis.get_title() for axis in figure.axes] == ["d1", "Two", "", ""]
    assert [axis.get_ylabel() for axis in figure.axes] == ["Test error (%)", "", "Effective number of\nrules", ""]
    assert [axis.get_xlabel() for axis in figure.axes] == ["", "", "Rate", "Rate"]
    for place, axis in enumerate(figure.axes):
        factor, d = (100, 10)[place // 2], place % 2
        for line, extra in zip(axis.lines, (0.05, 0), strict=True):
            np.testing.assert_allclose(line.get_xdata(), X)
            np.testing.assert_allclose(
                line.get_ydata(), [factor * (0.1 * k + 0.01 + 0.3 * d + extra) for k in range(3)]
            )
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["A", "B"]
    assert figure.get_label() == ""


def test_scale_mark_and_bars():
    figure = figures.draw(
        rows(), SPEC | {"metric": "error", "x": [1, 2, 4], "x_scale": "log", "mark": 2, "band": 1, "datasets": ["d1"]}
    )
    [axis] = figure.axes
    assert axis.get_xscale() == "log"
    assert [line.get_xdata()[0] for line in axis.lines if line.get_gid() == "mark"] == [2]
    assert len(axis.collections) == 2
    ends = np.concatenate([path.vertices[:, 1] for path in axis.collections[0].get_paths()])
    assert ends.min() == pytest.approx(6 - np.sqrt(2)) and ends.max() == pytest.approx(26 + np.sqrt(2))


def test_points_without_a_fit_are_left_out_and_told():
    figure = figures.draw(rows(failed=True), SPEC | {"metric": "error"})
    assert figure.axes[0].lines[1].get_xdata().tolist() == X[:2]
    assert "1 of 12 points have no finished fit." in figure.get_label()
    data = rows()
    figure = figures.draw(data[data["noise_id"] != "n2"], SPEC | {"metric": "error"})
    assert figure.axes[0].lines[0].get_xdata().tolist() == X[:2]


def printed():
    """Published errors of A and B under rates of two noises, and a value of another metric."""
    cells = [("A", "clean", "0", 0.3), ("A", "uniform", "0.1", 0.4), ("A", "uniform", "0.25", 0.5)]
    cells += [("A", "uniform", "0.4", 0.6), ("A", "adversarial", "0.1", 0.7)]
    cells += [("B", "uniform", "0.2", 0.8), ("other", "uniform", "0.1", 0.9)]
    about = {"dataset": "d1", "task": "binary", "metric": "error", "spread": 0.1}
    found = pd.DataFrame(cells, columns=["method", "noise", "rate", "mean"]).assign(**about)
    return pd.concat([found, found.head(1).assign(metric="minimax_risk", mean=0.99)], ignore_index=True)


def test_published_points_lie_on_the_lines_of_their_method_and_noise():
    names = {
        "n0": ("clean", "0", "clean"),
        "n1": ("uniform", "0.2", "uniform-0.2"),
        "n2": ("uniform", "0.3", "uniform-0.3"),
    }
    data = rows()
    for place, column in enumerate(("noise", "rate", "noise_id")):
        data[column] = [names[name][place] for name in rows()["noise_id"]]
    noises = ["clean", "uniform-0.2", "uniform-0.3"]
    lines = [SPEC["series"][0] | {"noises": noises}, SPEC["series"][1] | {"noises": ["uniform-0.2"]}]
    spec = SPEC | {"metric": "error", "x": [0, 20, 40], "series": lines, "printed_methods": {"A": "a", "B": "b1"}}
    figure = figures.draw(data, spec, printed=printed())
    points = [[line for line in axis.lines if line.get_gid() == "published"] for axis in figure.axes]
    assert [len(found) for found in points] == [2, 0]
    a, b = points[0]
    assert list(a.get_xdata()) == [0, 10, 30]  # halfway to 0.2, and halfway from there to 0.3; 0.4 is beyond the line
    assert list(a.get_ydata()) == pytest.approx([30, 40, 50])
    assert (list(b.get_xdata()), list(b.get_ydata())) == ([20], [80])
    for point, line in zip((a, b), figure.axes[0].lines, strict=False):
        assert point.get_color() == line.get_color() and point.get_markerfacecolor() == "white"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["A", "B", "ours", "published"]

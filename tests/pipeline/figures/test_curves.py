"""Curves by noise, by measure, by panel, next to published values and by a number of a method."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from figure_cases import legend, rows, texts, titles

from ironbark.pipeline import figures
from ironbark.pipeline.jobs.artefacts import READERS
from ironbark.pipeline.published.comparison import COLUMNS
from ironbark.pipeline.results.records import FAILED

#: Noise id, model and rate.
NOISES = [("clean", "clean", "0"), ("uniform-0.1", "uniform", "0.1"), ("uniform-0.2", "uniform", "0.2")]
NOISES += [("cc", "class_conditional", "0.1/0.3"), ("mahalanobis", "mahalanobis", "")]
IDS = [name for name, *_ in NOISES]
SPEC = {"kind": "noise-curves", "noises": IDS}


def curve_rows(datasets=("d1",), methods="ab", noises=NOISES, repeats=3, tasks=("binary",)):
    """Rows whose accuracy falls by 0.1 from noise to noise, by 0.05 from method to method, and rises by repeat."""
    keys = product(tasks, enumerate(datasets), enumerate(methods), enumerate(noises), range(repeats))
    found = []
    for task, (d, dataset), (j, method), (i, (noise_id, noise, rate)), repeat in keys:
        about = {"dataset": dataset, "task": task, "method": method, "noise": noise, "rate": rate}
        value = 0.9 - 0.1 * i - 0.05 * j - 0.3 * d + 0.01 * repeat
        about |= {"noise_id": noise_id, "repeat": repeat, "accuracy": value, "error": 1 - value}
        found.append(about | {"n_leaves": 1000 * value, "depth": 10 * value})
    return rows(found)


def groups(axis, *, published=False):
    """Line of matplotlib of each line, or group of points beside the lines, in the order of drawing."""
    lines = [container[0] for container in axis.containers]
    return [line for line in lines if (line.get_markerfacecolor() == "white") == published]


def lines(axis):
    return [line for line in groups(axis) if line.get_linestyle() != "None"]


def values(found):
    return [list(line.get_ydata()) for line in found]


def bars(axis, place=0):
    """Lower and upper ends of the bars of a group."""
    return np.array([segment[:, 1] for segment in axis.containers[place][2][0].get_segments()])


def test_lines_and_bars_hold_the_right_numbers_and_failed_cells_are_gaps():
    axis = figures.draw(curve_rows(methods="a"), SPEC).axes[0]
    line, points = groups(axis)
    assert list(line.get_xdata()) == [0, 0.1, 0.2] and line.get_ydata() == pytest.approx([91, 81, 71])
    np.testing.assert_allclose(bars(axis), [[89, 93], [79, 83], [69, 73]])
    assert points.get_ydata() == pytest.approx([61, 51]) and min(points.get_xdata()) > 0.2
    axis = figures.draw(curve_rows(methods="abcde"), SPEC | {"noises": ["clean", "uniform-0.2", "cc"]}).axes[0]
    [separator] = [line.get_xdata()[0] for line in axis.lines if line.get_gid() == "separator"]
    assert max(max(line.get_xdata()) for line in lines(axis)) < separator
    assert bars(axis, 1)[0] == pytest.approx([59, 63])
    data = curve_rows()
    lost = data["noise_id"].isin(["uniform-0.1", "cc"]) | (data["method"] == "b")
    data.loc[lost, ["accuracy", "status"]] = [np.nan, FAILED]
    figure = figures.draw(data, SPEC)
    line, points = groups(figure.axes[0])
    assert np.isnan(values([line])).tolist() == [[False, True, False]] and len(points.get_xdata()) == 1
    assert figure.get_label() == "Bars are 2 standard deviations. 21 of 30 fits failed and are left out."


def test_a_row_of_panels_for_each_measure():
    spec = SPEC | {"datasets": ["d2", "d1", "absent"], "methods": ["b", "a"], "noises": IDS[:3], "x_label": "Rate"}
    spec |= {"metrics": ["accuracy", "n_leaves", "depth"]}
    figure = figures.draw(curve_rows(["d1", "d2"]), spec, {"a": "A", "b": "B"}, dataset_labels={"d1": "D one"})
    assert titles(figure) == ["d2", "D one", "", "", "", ""]
    assert [axis.get_ylabel() for axis in figure.axes] == ["Test accuracy (%)", "", "Number of leaves", "", "Depth", ""]
    assert [axis.get_xlabel() for axis in figure.axes] == ["", "", "", "", "Rate", "Rate"]
    for row, factor in enumerate([100, 1000, 10]):
        for column, d in enumerate([1, 0]):
            expected = [[factor * (0.91 - 0.1 * k - 0.05 * j - 0.3 * d) for k in range(3)] for j in (1, 0)]
            np.testing.assert_allclose(values(lines(figure.axes[2 * row + column])), expected)
    assert legend(figure) == ["B", "A"]
    assert lines(figure.axes[0])[0].get_color() == lines(figure.axes[5])[0].get_color()


PANELS = [{"title": "Trees", "task": "binary", "methods": ["a", "b"]}]
PANELS += [{"title": "Leaves", "task": "multiclass", "methods": ["c"], "metric": "n_leaves"}]
PANEL_SPEC = {"kind": "noise-panels", "dataset": "d1", "panels": PANELS}
PANEL_SPEC |= {"noises": ["clean", "uniform-0.2", "mahalanobis"]}


def panel_rows():
    return curve_rows(["d1", "other"], "abc", tasks=("binary", "multiclass"))


def test_panels_have_their_task_methods_and_published_points():
    figure = figures.draw(panel_rows(), PANEL_SPEC, {"a": "First", "b": "Second"})
    one, two = figure.axes
    assert [axis.get_title() for axis in (one, two)] == ["Trees", "Leaves"]
    assert (one.get_ylabel(), two.get_ylabel()) == ("Test accuracy (%)", "Number of leaves")
    assert values(lines(one)) == [pytest.approx([91, 71]), pytest.approx([86, 66])]
    assert values(lines(two)) == [pytest.approx([810, 610])] and legend(figure) == ["First", "Second"]
    assert lines(two)[0].get_color() == lines(one)[0].get_color()  # one place in the lists, one look
    cells = [("binary", "clean", "0", "accuracy", 0.95), ("binary", "mahalanobis", "", "accuracy", 0.6)]
    cells += [("multiclass", "uniform", "0.2", "n_leaves", 70), ("multiclass", "uniform", "0.4", "n_leaves", 9)]
    printed = pd.DataFrame(cells, columns=["task", "noise", "rate", "metric", "mean"]).assign(method="1", spread=np.nan)
    printed = pd.concat([printed.assign(dataset=name) for name in ("d1", "other")])
    panels = [PANELS[0], PANELS[1] | {"methods": ["b"]}]
    spec = PANEL_SPEC | {"panels": panels, "printed_methods": {"1": "b"}}
    figure = figures.draw(panel_rows(), spec, printed=printed)
    assert [values(groups(axis, published=True)) for axis in figure.axes] == [[[95], [60]], [[70]]]
    assert lines(figure.axes[1])[0].get_color() == lines(figure.axes[0])[1].get_color(), "a method keeps its look"
    assert legend(figure) == ["a", "b", "ours", "published"]


def test_notes_legend_and_axes_do_not_overlap(laid_out):
    note = "A long note on what was left out and what was capped, which takes more than one line. " * 3
    figure = figures.draw(panel_rows(), PANEL_SPEC, {}, caption_note=note)
    figure.draw_without_rendering()
    parts = [figure._supxlabel, *figure.legends, *figure.axes]
    boxes = [part.get_tightbbox(figure.canvas.get_renderer()) for part in parts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_published_values_are_open_points_beside_ours(tmp_path):
    noises = [("clean", "0"), ("uniform", "0.2"), ("class_conditional", "0.1/0.3"), ("mahalanobis", "")]
    cells = [
        (dataset, method, noise, rate, 90.0 - i, 1.0, 80.0 - i - 10 * (method == "dt-gini"), 0.5, 5)
        for dataset in ("mnist", "unsw")
        for method in ("dt-ane", "dt-gini")
        for i, (noise, rate) in enumerate(noises)
    ]
    names = ["dataset", "method", "noise", "rate", "published_mean", "published_spread", "mean", "spread", "n"]
    found = pd.DataFrame(cells, columns=names).reindex(columns=COLUMNS)
    found = found.assign(metric="accuracy", task="binary", verdict="not rejected", table="2")
    found.to_csv(tmp_path / "comparison.csv", index=False)
    comparison = READERS["comparison"]({}, {"comparison": tmp_path / "comparison.csv"})
    spec, names = {"kind": "published-curves"}, ({"dt-ane": "ANE"}, {"mahalanobis": "Maha"}, {"mnist": "MNIST"})
    figure = figures.draw(comparison, spec, *names)
    assert titles(figure) == ["ANE", "dt-gini"]
    axis = figure.axes[1]
    assert values(lines(axis)) == 2 * [[70, 69]] and values(groups(axis, published=True)) == 2 * [[90, 89], [88, 87]]
    assert (bars(axis)[0] == [69, 71]).all(), "two standard deviations"
    assert legend(figure) == ["MNIST", "unsw", "ours", "published"]
    assert texts(axis.get_xticklabels(minor=True)) == ["class-conditional-0.1-0.3", "Maha"]
    low, high = figure.axes[0].get_ylim()
    assert figure.axes[1].get_ylim() == (low, high) and low < 66 and high > 92, "all marks and bars of both panels"
    one = figures.draw(comparison, spec | {"methods": ["dt-gini"], "datasets": ["unsw"]})
    assert [axis.get_title() for axis in one.axes] == ["dt-gini"] and legend(one) == ["ours", "published"]
    marks = one.axes[0].transData.transform([c[0].get_xydata()[0] for c in one.axes[0].containers])
    assert abs(marks[0, 0] - marks[1, 0]) > 0, "bars and marks are side by side"
    left = comparison.assign(mean=comparison["mean"].where(comparison["noise"] != "uniform"))
    assert values(groups(figures.draw(left, spec).axes[0], published=True))[:2] == [[90], [88, 87]], "without our mean"


X = [0, 0.1, 0.3]
SERIES = [
    {"label": "A", "methods": ["a"], "noises": IDS[:3]},
    {"label": "B", "methods": ["b", "c", "d"], "noises": IDS[1:2]},
]
SERIES_SPEC = {"id": "f", "kind": "series", "x": X, "x_label": "Rate", "series": SERIES, "metric": "error"}


def test_points_of_noises_and_of_methods():
    spec = SERIES_SPEC | {"metrics": ["error", "n_leaves"]}
    figure = figures.draw(curve_rows(["d1", "d2"], "abcd"), spec, dataset_labels={"d2": "Two"})
    assert titles(figure) == ["d1", "Two", "", ""]
    assert [axis.get_ylabel() for axis in figure.axes] == ["Test error (%)", "", "Number of leaves", ""]
    assert [axis.get_xlabel() for axis in figure.axes] == ["", "", "Rate", "Rate"]
    for place, axis in enumerate(figure.axes):
        means = np.array([[0.91, 0.81, 0.71], [0.76, 0.71, 0.66]]) - 0.3 * (place % 2)
        np.testing.assert_allclose(values(lines(axis)), 100 * (1 - means) if place < 2 else 1000 * means)
        np.testing.assert_allclose([line.get_xdata() for line in lines(axis)], [X, X])
    assert legend(figure) == ["A", "B"] and figure.get_label() == ""
    data = curve_rows(["d1", "d2"], "abcd")
    data.loc[(data["method"] == "d") & (data["dataset"] == "d1"), "status"] = FAILED
    figure = figures.draw(data, SERIES_SPEC)
    assert np.isnan(values(lines(figure.axes[0]))[1]).tolist() == [False, False, True]
    assert "1 of 12 points have no finished fit." in figure.get_label()
    data = curve_rows(methods="abcd")
    assert "1 of 6 points" in figures.draw(data[data["noise_id"] != "uniform-0.2"], SERIES_SPEC).get_label()


def test_published_points_are_on_the_lines_of_their_method_and_noise():
    cells = [("A", "clean", "0", 0.3), ("A", "uniform", "0.05", 0.4), ("A", "uniform", "0.15", 0.5)]
    cells += [("A", "uniform", "0.4", 0.6), ("A", "adversarial", "0.1", 0.7)]
    cells += [("B", "uniform", "0.1", 0.8), ("other", "uniform", "0.1", 0.9)]
    printed = pd.DataFrame(cells, columns=["method", "noise", "rate", "mean"])
    printed = printed.assign(dataset="d1", task="binary", metric="error", spread=0.1)
    printed = pd.concat([printed, printed.head(1).assign(metric="minimax_risk", mean=0.99)], ignore_index=True)
    spec = SERIES_SPEC | {"x": [0, 20, 40], "printed_methods": {"A": "a", "B": "c"}}
    figure = figures.draw(curve_rows(["d1", "d2"], "abcd"), spec, printed=printed)
    (a, b), none = (groups(axis, published=True) for axis in figure.axes)
    assert none == []
    assert list(a.get_xdata()) == [0, 10, 30], "halfway to 0.1, and from there to 0.2; 0.4 is beyond the line"
    assert list(a.get_ydata()) == pytest.approx([30, 40, 50])
    assert (list(b.get_xdata()), list(b.get_ydata())) == ([20], [80])
    assert [a.get_color(), b.get_color()] == [line.get_color() for line in lines(figure.axes[0])]
    assert legend(figure) == ["A", "B", "ours", "published"]

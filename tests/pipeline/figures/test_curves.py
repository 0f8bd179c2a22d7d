"""Curves by measure, by panel and next to published values."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline import figures
from ironbark.pipeline.jobs.artefacts import READERS
from ironbark.pipeline.published.comparison import COLUMNS
from ironbark.pipeline.results.records import FAILED, frame

METRIC_NOISES = ["0.1", "0.2", "0.4"]
METRIC_SPEC = {
    "kind": "metric-curves",
    "id": "f",
    "datasets": ["d2", "d1", "absent"],
    "noises": [f"uniform-{rate}" for rate in METRIC_NOISES],
    "methods": ["b", "a"],
    "metrics": ["accuracy", "n_leaves", "depth"],
    "x_label": "Rate",
}


def metric_rows(failed=False):
    found = []
    for (i, dataset), (j, method), (k, rate), repeat in product(
        enumerate(["d1", "d2"]), enumerate("ab"), enumerate(METRIC_NOISES), range(3)
    ):
        value = 0.9 - 0.1 * k - 0.05 * j - 0.01 * i + 0.01 * repeat
        bad = failed and (dataset, method, rate) == ("d1", "a", "0.2")
        about = {"dataset": dataset, "task": "binary", "method": method, "noise": "uniform", "rate": rate}
        about |= {"noise_id": f"uniform-{rate}", "repeat": repeat, "status": FAILED if bad else "ok"}
        found.append(about | {"accuracy": value, "n_leaves": 1000 * value, "depth": 10 * value})
    return frame(found)


def test_panels_hold_their_cells():
    figure = figures.draw(metric_rows(), METRIC_SPEC, {"a": "A", "b": "B"}, dataset_labels={"d1": "D one"})
    assert [axis.get_title() for axis in figure.axes] == ["d2", "D one", "", "", "", ""]
    assert [axis.get_ylabel() for axis in figure.axes] == ["Test accuracy (%)", "", "Number of leaves", "", "Depth", ""]
    assert [axis.get_xlabel() for axis in figure.axes] == ["", "", "", "", "Rate", "Rate"]
    for row, factor in enumerate([100, 1000, 10]):
        for column, i in enumerate([1, 0]):
            curves = figure.axes[2 * row + column].lines
            assert len(curves) == 2
            for curve, j in zip(curves, [1, 0], strict=True):
                np.testing.assert_allclose(curve.get_xdata(), [0.1, 0.2, 0.4])
                expected = [factor * (0.9 - 0.1 * k - 0.05 * j - 0.01 * i + 0.01) for k in range(3)]
                np.testing.assert_allclose(curve.get_ydata(), expected)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["B", "A"]
    assert figure.axes[0].lines[0].get_color() == figure.axes[5].lines[0].get_color()
    gaps = figures.draw(metric_rows(failed=True), METRIC_SPEC).axes[1].lines[1].get_ydata()
    assert np.isnan(gaps).tolist() == [False, True, False], "failed cells"


PANEL_NOISES = [("clean", "0", "clean"), ("uniform", "0.2", "uniform-0.2"), ("mahalanobis", "", "cc")]
PANELS = [
    {"title": "Trees", "task": "binary", "methods": ["a", "b"], "y_label": "Hits", "y_range": [0, 1]},
    {"title": "Leaves", "task": "multiclass", "methods": ["c"], "metric": "n_leaves"},
]
PANEL_SPEC = {"kind": "noise-panels", "dataset": "d", "panels": PANELS, "noises": [n for *_, n in PANEL_NOISES]}


def panel_rows():
    methods = [("binary", 0, "a"), ("binary", 1, "b"), ("multiclass", 0, "c")]
    for dataset, (task, j, method), (i, about), repeat in product(
        ("d", "other"), methods, enumerate(PANEL_NOISES), range(2)
    ):
        value = 0.9 - 0.1 * i - 0.05 * j + 0.02 * repeat - 0.3 * (dataset == "other")
        names = dict(zip(("noise", "rate", "noise_id"), about, strict=True))
        names |= {"dataset": dataset, "task": task, "method": method, "repeat": repeat, "status": "ok"}
        yield names | {"accuracy": value, "n_leaves": 100 * value}


def test_each_panel_has_its_task_methods_and_measure():
    figure = figures.draw(frame(panel_rows()), PANEL_SPEC, {"a": "First", "b": "Second"})
    one, two = figure.axes
    assert [axis.get_title() for axis in (one, two)] == ["Trees", "Leaves"]
    assert (one.get_ylabel(), two.get_ylabel()) == ("Hits (%)", "Number of leaves")
    assert one.get_ylim() == (0, 100)
    own = [line for line in one.lines if list(line.get_xdata()) == [0, 0.2]]
    assert [list(line.get_ydata()) for line in own] == [pytest.approx([91, 81]), pytest.approx([86, 76])]
    (leaves,) = [line for line in two.lines if list(line.get_xdata()) == [0, 0.2]]
    assert list(leaves.get_ydata()) == pytest.approx([91, 81])
    assert len(one.containers) == 2 and len(two.containers) == 1
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["First", "Second"]
    assert leaves.get_color() == own[0].get_color()  # one place in the lists, one look
    bar = one.collections[0].get_paths()[0].vertices[:, 1]
    assert bar.max() == pytest.approx(100 * (0.91 + 2 * np.std([0.90, 0.92], ddof=1))), "two standard deviations"


def test_published_points_are_in_the_panel_of_their_task_and_metric():
    cells = [("binary", "1", "clean", "0", "accuracy", 0.95), ("binary", "1", "mahalanobis", "", "accuracy", 0.6)]
    cells += [
        ("multiclass", "1", "uniform", "0.2", "n_leaves", 70),
        ("multiclass", "1", "uniform", "0.4", "n_leaves", 9),
    ]
    columns = ["task", "method", "noise", "rate", "metric", "mean"]
    printed = pd.DataFrame(cells, columns=columns).assign(dataset="d", spread=np.nan)
    printed = pd.concat([printed, printed.assign(dataset="other")])
    noises = [*PANEL_NOISES[:2], ("mahalanobis", "", "mahalanobis")]
    panels = [PANELS[0], PANELS[1] | {"methods": ["a"]}]
    data = frame(panel_rows()).replace({"noise_id": {"cc": "mahalanobis"}, "method": {"c": "a"}})
    spec = PANEL_SPEC | {"noises": [n for *_, n in noises], "panels": panels, "printed_methods": {"1": "a"}}
    figure = figures.draw(data, spec, printed=printed)
    hollow = [[line for line in axis.lines if line.get_markerfacecolor() == "white"] for axis in figure.axes]
    found = [[list(line.get_ydata()) for line in lines if len(line.get_ydata())] for lines in hollow]
    assert found == [[[95, 60]], [[70]]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b", "ours", "published"]


@pytest.mark.parametrize("legend", ["right", "below"])
def test_notes_legend_and_axes_do_not_overlap(legend):
    note = "A long note on what was left out and what was capped, which takes more than one line. " * 4
    figure = figures.draw(frame(panel_rows()), {**PANEL_SPEC, "legend": legend, "columns": 2}, {}, caption_note=note)
    figure.draw_without_rendering()
    parts = [figure._supxlabel, *figure.legends, *figure.axes]
    boxes = [part.get_tightbbox(figure.canvas.get_renderer()) for part in parts]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


PUBLISHED_SPEC = {"kind": "published-curves"}
PUBLISHED_NOISES = [("clean", "0"), ("uniform", "0.2"), ("class_conditional", "0.1/0.3"), ("mahalanobis", "")]


@pytest.fixture
def comparison():
    cells = [
        (dataset, method, noise, rate, 90.0 - i, 1.0, 80.0 - i - 10 * (method == "dt-gini"), 0.5, 5)
        for dataset in ("mnist", "unsw")
        for method in ("dt-ane", "dt-gini")
        for i, (noise, rate) in enumerate(PUBLISHED_NOISES)
    ]
    names = ["dataset", "method", "noise", "rate", "published_mean", "published_spread", "mean", "spread", "n"]
    frame = pd.DataFrame(cells, columns=names).reindex(columns=COLUMNS)
    return frame.assign(metric="accuracy", task="binary", verdict="not rejected", table="2")


def hollow(axis):
    """Heights of the open points."""
    return [list(line.get_ydata()) for line in axis.lines if line.get_markerfacecolor() == "white"]


def test_a_panel_has_our_line_and_open_published_points(comparison, tmp_path):
    comparison.to_csv(tmp_path / "comparison.csv", index=False)
    comparison = READERS["comparison"](None, {}, {"comparison": tmp_path / "comparison.csv"})
    figure = figures.draw(comparison, PUBLISHED_SPEC, {"dt-ane": "ANE"}, {"mahalanobis": "Maha"}, {"mnist": "MNIST"})
    assert [axis.get_title() for axis in figure.axes] == ["ANE", "dt-gini"]
    ours = [list(line.get_ydata()) for line in figure.axes[1].lines if line.get_linestyle() != "None"]
    assert ours.count([70.0, 69.0]) == 2  # clean and uniform, for each data set
    assert sorted(hollow(figure.axes[1])[0]) == [87, 88, 89, 90] and len(hollow(figure.axes[1])) == 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["MNIST", "unsw", "ours", "published"]
    ticks = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    assert ticks == ["0", "0.2", "class-conditional-0.1-0.3", "Maha"]
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()
    figure = figures.draw(comparison, PUBLISHED_SPEC | {"methods": ["dt-gini"], "datasets": ["unsw"]})
    assert [axis.get_title() for axis in figure.axes] == ["dt-gini"] and len(hollow(figure.axes[0])) == 1


def test_a_cell_without_our_mean_is_not_drawn(comparison):
    left = comparison.assign(mean=comparison["mean"].where(comparison["noise"] != "uniform"))
    assert sorted(hollow(figures.draw(left, PUBLISHED_SPEC).axes[0])[0]) == [87, 88, 90]

"""Panels of one data set, each with its own task, methods and measure."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.results.records import frame

NOISES = [("clean", "0", "clean"), ("uniform", "0.2", "uniform-0.2"), ("mahalanobis", "", "cc")]
PANELS = [
    {"title": "Trees", "task": "binary", "methods": ["a", "b"], "y_label": "Hits", "y_range": [0, 1]},
    {"title": "Leaves", "task": "multiclass", "methods": ["c"], "metric": "n_leaves"},
]
SPEC = {"kind": "noise-panels", "dataset": "d", "panels": PANELS, "noises": [n for *_, n in NOISES]}


def rows():
    for dataset in ("d", "other"):
        for task, methods in (("binary", "ab"), ("multiclass", "c")):
            for j, method in enumerate(methods):
                for i, (noise, rate, noise_id) in enumerate(NOISES):
                    for repeat in range(2):
                        value = 0.9 - 0.1 * i - 0.05 * j + 0.02 * repeat - 0.3 * (dataset == "other")
                        yield {"dataset": dataset, "task": task, "method": method, "noise": noise, "rate": rate} | {
                            "noise_id": noise_id,
                            "repeat": repeat,
                            "status": "ok",
                            "accuracy": value,
                            "n_leaves": 100 * value,
                        }


def lines(axis):
    return [line for line in axis.lines if len(line.get_xdata()) == 2 and line.get_linestyle() == "-"]


def test_each_panel_has_its_task_methods_and_measure():
    figure = figures.draw(frame(rows()), SPEC, {"a": "First", "b": "Second"})
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


def test_greys_go_from_dark_to_light():
    spec = {**SPEC, "panels": PANELS[:1]}
    grey = [
        to_hex(line.get_color()) for line in lines(figures.draw(frame(rows()), {**spec, "colors": "greys"}).axes[0])
    ]
    assert grey[0] == "#000000" and grey[0] < grey[1] < "#ffffff"


def test_published_points_are_in_the_panel_of_their_task_and_metric():
    cells = [("binary", "1", "clean", "0", "accuracy", 0.95), ("binary", "1", "mahalanobis", "", "accuracy", 0.6)]
    cells += [
        ("multiclass", "1", "uniform", "0.2", "n_leaves", 70),
        ("multiclass", "1", "uniform", "0.4", "n_leaves", 9),
    ]
    columns = ["task", "method", "noise", "rate", "metric", "mean"]
    printed = pd.DataFrame(cells, columns=columns).assign(dataset="d", spread=np.nan)
    printed = pd.concat([printed, printed.assign(dataset="other")])
    noises = [*NOISES[:2], ("mahalanobis", "", "mahalanobis")]
    panels = [PANELS[0], PANELS[1] | {"methods": ["a"]}]
    data = frame(rows()).replace({"noise_id": {"cc": "mahalanobis"}, "method": {"c": "a"}})
    spec = SPEC | {"noises": [n for *_, n in noises], "panels": panels, "printed_methods": {"1": "a"}}
    figure = figures.draw(data, spec, printed=printed)
    hollow = [[line for line in axis.lines if line.get_markerfacecolor() == "white"] for axis in figure.axes]
    found = [[list(line.get_ydata()) for line in lines if len(line.get_ydata())] for lines in hollow]
    assert found == [[[95, 60]], [[70]]]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b", "ours", "published"]


def test_bars_are_two_standard_deviations():
    axis = figures.draw(frame(rows()), SPEC).axes[0]
    bar = axis.collections[0].get_paths()[0].vertices[:, 1]
    sd = np.std([0.90, 0.92], ddof=1)
    assert bar.max() == pytest.approx(100 * (0.91 + 2 * sd))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dataset": "none"}, "no result row is in panel 'Trees'"),
        ({"panels": PANELS[::-1]}, "the first panel needs all methods"),
        ({"colors": "pink"}, "no colors 'pink'; choose one of ironbark, greys"),
    ],
)
def test_mistakes(changes, message):
    with pytest.raises(InputError, match=message):
        figures.draw(frame(rows()), SPEC | changes)


@pytest.mark.parametrize("legend", ["right", "below"])
def test_notes_legend_and_axes_do_not_overlap(legend):
    note = "A long note on what was left out and what was capped, which takes more than one line. " * 4
    figure = figures.draw(frame(rows()), {**SPEC, "legend": legend, "columns": 2}, {}, caption_note=note)
    figure.draw_without_rendering()
    parts = [figure._supxlabel, *figure.legends, *figure.axes]
    boxes = [part.get_tightbbox(figure.canvas.get_renderer()) for part in parts]
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])

import itertools

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures.rankings import diagram
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.statistics import ranks


def parts(figure, gid):
    return [line for line in figure.axes[0].lines if line.get_gid() == gid]


def no_overlap(figure):
    texts = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
    assert not [1 for one, two in itertools.combinations(texts, 2) if one.overlaps(two)]
    inside = figure.bbox
    assert all(box.x0 >= inside.x0 and box.x1 <= inside.x1 for box in texts)


@pytest.mark.parametrize("count", [2, 3, 7, 14, 45])
def test_labels_never_overlap_and_all_methods_are_there(count):
    averaged = pd.Series(np.linspace(1.4, 1.6, count), index=[f"A rather long method {i}" for i in range(count)])
    figure = diagram(averaged, 0.5)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert all(any(name in text for text in texts) for name in averaged.index)
    figure.draw_without_rendering()
    no_overlap(figure)


def test_stems_stand_at_the_ranks_and_bars_join_the_groups():
    averaged = pd.Series({"a": 1.2, "b": 1.9, "c": 3.1, "d": 3.8})
    figure = diagram(averaged, 1.0)
    assert [line.get_xdata()[0] for line in parts(figure, "stem")] == list(averaged)
    assert [tuple(np.round(line.get_xdata(), 1)) for line in parts(figure, "bar")] == [(1.2, 1.9), (3.1, 3.8)]
    assert "CD = 1.00" in [text.get_text() for text in figure.axes[0].texts]


def test_a_difference_wider_than_the_axis_is_said():
    texts = [text.get_text() for text in diagram(pd.Series({"a": 1.4, "b": 1.6}), 1.3).axes[0].texts]
    assert "CD = 1.30, wider than the axis" in texts


def rows(lost=()):
    rng = np.random.default_rng(0)
    for d, (j, method) in itertools.product(range(4), enumerate("abc")):
        yield {"dataset": f"d{d}", "task": "binary", "noise": "clean", "rate": "0", "noise_id": "clean"} | {
            "method": method,
            "repeat": 0,
            "status": FAILED if (d, method) in lost else "ok",
            "accuracy": 0.9 - 0.2 * j + 0.01 * rng.random(),
        }


def test_from_rows_with_labels_and_note(tmp_path):
    figure = figures.draw(
        frame(rows({(1, "c")})), {"kind": "critical-difference", "caption": "Ranks"}, {"a": "Best"}, caption_note="Lite"
    )
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"Best  1.00", "b  2.00", "3.00  c"} <= set(texts)
    assert any(text.startswith(f"CD = {ranks.critical_difference(3, 3):.2f}") for text in texts)
    note = "Average ranks over 3 settings of data set and noise; 1 incomplete settings are left out"
    assert figure.get_label() == f"Ranks. {note}; CD: critical difference. Lite."
    figures.save(figure, tmp_path / "cd")


def test_too_little_is_refused():
    with pytest.raises(InputError, match="needs two methods"):
        figures.draw(frame(rows()), {"kind": "critical-difference", "methods": ["a"]})

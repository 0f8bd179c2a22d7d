import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.published.comparison import COLUMNS, DIFFERS, NOT_COMPARABLE, NOT_REJECTED

SPEC = {"kind": "comparison-scatter"}


@pytest.fixture
def comparison():
    cells = [
        (2, "dt-ane", 90.0, 91.0, NOT_REJECTED),
        (2, "dt-gini", 80.0, 70.0, DIFFERS),
        (4, "rf-ane", 95.0, 94.0, NOT_COMPARABLE),
        (4, "rf-gini", 95.0, np.nan, NOT_COMPARABLE),
    ]
    frame = pd.DataFrame(cells, columns=["table", "method", "published_mean", "mean", "verdict"])
    return frame.reindex(columns=COLUMNS).assign(metric="accuracy")


def test_panels_points_and_legend(comparison, tmp_path):
    figure = figures.draw(comparison, SPEC, {"dt-ane": "ANE"}, caption_note="Scale lite")
    assert [axis.get_title() for axis in figure.axes] == ["Table 2", "Table 4"]
    points = [tuple(xy) for axis in figure.axes for group in axis.collections for xy in group.get_offsets()]
    assert points == [(90, 91), (80, 70), (95, 94)]
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["ANE", "dt-gini", "rf-ane", "not rejected (1)", "differs (1)", "not comparable (1)"]
    assert figure.get_label() == "1 published cells have no mean of ours and are not drawn. Scale lite."
    figures.save(figure, tmp_path / "scatter")


def test_methods_of_one_name_share_a_colour(comparison):
    figure = figures.draw(comparison, SPEC, {"dt-ane": "ANE", "rf-ane": "ANE", "dt-gini": "MSE"})
    colors = {tuple(xy): tuple(color) for axis in figure.axes for group in axis.collections if len(group.get_offsets())
              for xy, color in zip(group.get_offsets(), group.get_facecolors(), strict=True)}  # fmt: skip
    assert colors[90, 91] == colors[95, 94] != colors[80, 70]
    assert [text.get_text() for text in figure.legends[0].get_texts()][:2] == ["ANE", "MSE"]


def test_the_diagonal_spans_equal_axes_that_hold_all_points(comparison):
    axis = figures.draw(comparison, SPEC).axes[0]
    assert axis.get_xlim() == axis.get_ylim()
    assert axis.get_xlim()[0] < 70 and axis.get_xlim()[1] > 91
    (diagonal,) = [line for line in axis.lines if line.get_gid() == "diagonal"]
    assert list(diagonal.get_xdata()) == list(diagonal.get_ydata())


def test_a_verdict_has_its_marker_and_a_method_its_colour(comparison):
    figure = figures.draw(comparison, SPEC)
    shapes = {
        len(group.get_paths()[0].vertices)
        for axis in figure.axes
        for group in axis.collections
        if len(group.get_offsets())
    }
    assert len(shapes) == 3
    colors = {
        tuple(group.get_facecolor()[0])
        for axis in figure.axes
        for group in axis.collections
        if len(group.get_offsets())
    }
    assert len(colors) == 3


def test_no_number_of_ours_is_refused(comparison):
    with pytest.raises(InputError, match="no published cell has a mean of ours"):
        figures.draw(comparison.assign(mean=np.nan), SPEC)

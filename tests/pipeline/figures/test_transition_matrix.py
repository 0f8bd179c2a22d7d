import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures.transition_matrix import title

SPEC = {"kind": "transition-matrix"}


def matrix(k):
    return np.full((k, k), 0.2 / (k - 1)) + np.eye(k) * (0.8 - 0.2 / (k - 1))


def test_rows_are_true_classes_and_columns_noisy_ones():
    skewed = np.array([[0.9, 0.1], [0.3, 0.7]])
    figure = figures.draw([(title("CC .1/.3", 0.1987), skewed, ["no", "yes"])], SPEC, caption_note="Lite")
    axis = figure.axes[0]
    assert axis.get_title() == "CC .1/.3\n19.9 % of the labels flipped"
    assert (axis.get_ylabel(), axis.get_xlabel()) == ("True class", "Noisy class")
    assert [tick.get_text() for tick in axis.get_yticklabels()] == ["no", "yes"]
    texts = {text.get_position(): text.get_text() for text in axis.texts}
    assert texts == {(0, 0): ".90", (1, 0): ".10", (0, 1): ".30", (1, 1): ".70"}  # (column, row)
    assert figure.get_label() == "Lite."


def test_large_matrices_have_no_numbers_and_share_the_colour_scale(tmp_path):
    panels = [("a", matrix(11), list("abcdefghijk")), ("b", matrix(10), range(10)), ("c", np.eye(2), "xy")]
    figure = figures.draw([*panels, panels[2]], SPEC)
    *axes, bar = figure.axes
    assert [len(axis.texts) for axis in axes] == [0, 100, 4, 4]
    assert [text.get_text() for text in axes[2].texts] == ["1.00", "", "", "1.00"]
    assert {axis.images[0].get_clim() for axis in axes} == {(0, 1)}
    assert bar.get_ylabel() == "Probability"
    figures.save(figure, tmp_path / "tm")


@pytest.mark.parametrize(("classes", "count"), [(2, 1), (2, 3), (5, 2), (12, 1)])
def test_nothing_lies_outside_the_figure(classes, count):
    names = [f"a rather long name {i}" for i in range(classes)]
    figure = figures.draw(
        [(title("Uniform 0.2", 0.2), matrix(classes), names)] * count, SPEC, caption_note="Scale lite"
    )
    box, inside = figure.get_tightbbox(), figure.bbox_inches
    assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= inside.x1 and box.y1 <= inside.y1


@pytest.mark.parametrize(
    ("values", "names"), [(np.eye(3)[:2], "abc"), (np.eye(2), "abc"), (np.array([[0.5, 0.4], [0, 1]]), "ab")]
)
def test_wrong_matrices_are_refused(values, names):
    with pytest.raises(InputError, match="'noise' needs a square matrix"):
        figures.draw([("noise", values, names)], SPEC)


def test_no_matrix_is_refused():
    with pytest.raises(InputError, match="no transition matrix"):
        figures.draw([], SPEC)

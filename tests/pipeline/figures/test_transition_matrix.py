import numpy as np
from figure_cases import texts

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
    assert texts(axis.get_yticklabels()) == ["no", "yes"]
    found = {text.get_position(): text.get_text() for text in axis.texts}
    assert found == {(0, 0): ".90", (1, 0): ".10", (0, 1): ".30", (1, 1): ".70"}  # (column, row)
    assert figure.get_label() == "Lite."


def test_large_matrices_have_no_numbers_and_share_the_colour_scale():
    panels = [("a", matrix(11), list("abcdefghijk")), ("b", matrix(10), range(10)), ("c", np.eye(2), "xy")]
    figure = figures.draw([*panels, panels[2]], SPEC)
    *axes, bar = figure.axes
    assert [len(axis.texts) for axis in axes] == [0, 100, 4, 4]
    assert [text.get_text() for text in axes[2].texts] == ["1.00", "", "", "1.00"]
    assert {axis.images[0].get_clim() for axis in axes} == {(0, 1)}
    assert bar.get_ylabel() == "Probability"

"""Characters of the picture: from an installed font, or escaped."""

import warnings
from types import SimpleNamespace

import numpy as np

from ironbark.cli import picture


def shown(*classes):
    count = len(classes)
    detector = SimpleNamespace(
        classes_=np.sort(classes),
        noise_rate_=0.1,
        noise_matrix_=np.eye(count),
        label_quality_=np.linspace(0, 1, 9),
        is_error_=np.arange(9) < 2,
    )
    with warnings.catch_warnings(action="error"):
        figure = picture.draw(detector, list(classes), "\U00010fff-data.csv")
    return [label.get_text() for label in figure.axes[1].get_yticklabels()], figure.axes[0].get_title()


def test_characters_of_no_font_are_escaped():
    names, title = shown("a", "b\u0378", "été\a")
    assert names == ["a", r"b\u0378", r"été\x07"] and title == r"\U00010fff-data.csv"

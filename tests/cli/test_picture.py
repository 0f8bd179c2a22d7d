"""Characters of the picture: from an installed font, or escaped."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from matplotlib import font_manager

from ironbark.cli import picture


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A font that has one character which matplotlib's own have not."""
    font = TTFont(font_manager.findfont("DejaVu Sans"))
    for table in font["cmap"].tables:
        table.cmap = {ord("維"): "A"} if table.isUnicode() else {}
    for record in font["name"].names:
        if record.nameID in (1, 4, 6, 16):
            record.string = "Own CJK"
    font.save(tmp_path / "own.ttf")
    monkeypatch.setattr(font_manager.fontManager, "ttflist", [*font_manager.fontManager.ttflist])
    font_manager.fontManager.addfont(tmp_path / "own.ttf")


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


def test_an_installed_font_is_found(installed):
    assert picture.fonts("a維") == (["DejaVu Sans", "Own CJK"], set())
    assert shown("a", "維")[0] == ["a", "維"]

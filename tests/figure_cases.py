"""Result rows for figures, and what figures show as text."""

from ironbark.pipeline.results.records import frame

FIT = {"task": "binary", "noise": "clean", "rate": "0", "noise_id": "clean", "repeat": 0, "fold": 0, "status": "ok"}


def rows(cells, *further):
    """Rows of fits from what they differ in; `further` are metrics on request."""
    return frame([FIT | cell for cell in cells], further)


def texts(artists):
    return [text.get_text() for text in artists]


def legend(figure):
    return texts(figure.legends[0].get_texts())


def titles(figure):
    return [axis.get_title() for axis in figure.axes]

"""Rows of measures, columns of data sets: which cells stand where, and what is refused."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.results.records import FAILED, frame

NOISES = ["0.1", "0.2", "0.4"]
SPEC = {
    "kind": "metric-curves",
    "id": "f",
    "datasets": ["d2", "d1", "absent"],
    "noises": [f"uniform-{rate}" for rate in NOISES],
    "methods": ["b", "a"],
    "metrics": ["accuracy", "n_leaves", "depth"],
    "x_label": "Rate",
}


def rows(failed=False):
    found = []
    for i, dataset in enumerate(["d1", "d2"]):
        for j, method in enumerate("ab"):
            for k, rate in enumerate(NOISES):
                for repeat in range(3):
                    value = 0.9 - 0.1 * k - 0.05 * j - 0.01 * i + 0.01 * repeat
                    bad = failed and (dataset, method, rate) == ("d1", "a", "0.2")
                    about = {"dataset": dataset, "task": "binary", "method": method, "noise": "uniform", "rate": rate}
                    about |= {"noise_id": f"uniform-{rate}", "repeat": repeat, "status": FAILED if bad else "ok"}
                    found.append(about | {"accuracy": value, "n_leaves": 1000 * value, "depth": 10 * value})
    return frame(found)


def test_panels_hold_their_cells():
    figure = figures.draw(rows(), SPEC, {"a": "A", "b": "B"}, dataset_labels={"d1": "D one"})
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


def test_length_of_the_bars():
    def ends(**changes):
        axis = figures.draw(rows(), {**SPEC, "datasets": ["d2"], "metrics": ["accuracy"], **changes}).axes[0]
        return [max(path.vertices[:, 1].max() for path in bars.get_paths()) for bars in axis.collections]

    middle = 0.9 - 0.05 - 0.01 + 0.01  # method b of d2 at the first rate, with a standard deviation of 0.01
    assert [len(ends(band=width)) for width in (0, 1, 2)] == [0, 2, 2]
    assert ends(band=1)[0] == pytest.approx(100 * (middle + 0.01))
    assert ends()[0] == pytest.approx(100 * (middle + 0.02))


def test_failed_cells_are_gaps_and_told():
    figure = figures.draw(rows(failed=True), SPEC)
    curve = figure.axes[1].lines[1]
    assert np.isnan(curve.get_ydata()).tolist() == [False, True, False]
    assert "3 of 36 fits failed and are left out." in figure.get_label()


def test_nothing_to_draw_and_unknown_metric():
    with pytest.raises(InputError, match="no result row is in figure 'f'"):
        figures.draw(rows(), {**SPEC, "datasets": ["absent"]})
    with pytest.raises(InputError, match="metric 'leaves' is unknown"):
        figures.draw(rows(), {**SPEC, "metrics": ["accuracy", "leaves"]})

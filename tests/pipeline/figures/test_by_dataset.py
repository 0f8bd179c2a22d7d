"""Points by data set on a logarithmic axis: their heights, their order, the ratios in words, and what is refused."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.results.records import FAILED, frame

SPEC = {"kind": "by-dataset", "id": "f", "methods": ["a", "b"], "noises": ["n"], "metric": "fit_seconds"}
SPEC |= {"datasets": ["d2", "d1", "d0"]}
SECONDS = {("d1", "a"): 1.0, ("d1", "b"): 3.0, ("d2", "a"): 10.0, ("d2", "b"): 50.0}


def rows(**changes):
    found = []
    for (dataset, method), seconds in (SECONDS | changes).items():
        for repeat in range(5):
            about = {"dataset": dataset, "task": "binary", "method": method, "noise": "uniform", "noise_id": "n"}
            found.append(about | {"repeat": repeat, "status": "ok", "fit_seconds": seconds * (0.8 + 0.1 * repeat)})
    return frame(found)


def test_points_bars_and_ratios():
    figure = figures.draw(rows(), SPEC, {"a": "Ours", "b": "Other"}, dataset_labels={"d1": "D one"})
    [axis] = figure.axes
    assert axis.get_yscale() == "log"
    assert axis.get_ylabel() == "CPU time of a fit (seconds)"
    assert [text.get_text() for text in axis.get_xticklabels()] == ["d2", "D one"]
    for line, method in zip(axis.lines, "ab", strict=True):
        np.testing.assert_allclose(line.get_ydata(), [SECONDS["d2", method], SECONDS["d1", method]])
    assert (np.abs(np.array([line.get_xdata() for line in axis.lines]) - [0, 1]) < 0.5).all()
    ends = np.array([path.vertices[:, 1] for path in axis.collections[1].get_paths()])
    np.testing.assert_allclose(ends, [[45, 55], [2.7, 3.3]])
    assert "Median over the data sets, as a multiple of Ours: Other 4.00." in figure.get_label()


def test_everything_lies_within_the_figure():
    labels = {"a": "A method of a long name", "b": "Another method of a long name"}
    figure = figures.draw(rows(), SPEC, labels)
    renderer = figure.canvas.get_renderer()
    for box in [figure.legends[0].get_window_extent(renderer), figure.axes[0].yaxis.label.get_window_extent(renderer)]:
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1


def test_failed_fits_are_left_out_and_told():
    data = rows()
    data.loc[0, "status"] = FAILED
    figure = figures.draw(data, SPEC)
    assert "1 of 20 fits failed" in figure.get_label()
    assert figure.axes[0].lines[0].get_ydata()[1] == pytest.approx(1.05)


def test_refused():
    two = rows()
    two.loc[0, "noise_id"] = "m"
    with pytest.raises(InputError, match="'f' shows one noise"):
        figures.draw(two, {**SPEC, "noises": ["n", "m"]})
    with pytest.raises(InputError, match="no result row is in figure 'f'"):
        figures.draw(rows(), {**SPEC, "datasets": ["d0"]})
    zero = rows()
    zero["fit_seconds"] = 0.0
    with pytest.raises(InputError, match="fit_seconds is not above zero"):
        figures.draw(zero, SPEC)

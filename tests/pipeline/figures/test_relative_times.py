import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.results.records import FAILED, frame

SPEC = {"id": "f", "kind": "relative-times", "methods": ["b", "a"]}


def rows():
    for d, dataset in enumerate(("d1", "d2")):
        for m, method in enumerate(("a", "b")):
            for fold, n in enumerate((100, 200, 400)):
                for repeat in range(2):
                    seconds = (1 + m) * (n / 100) ** (1 + m) * (0.9 + 0.2 * repeat) * (1 + d)
                    yield {"dataset": dataset, "task": "binary", "method": method, "noise_id": "clean"} | {
                        "repeat": repeat,
                        "fold": fold,
                        "n_train": n,
                        "status": "ok",
                        "fit_seconds": seconds,
                    }


def test_ratios_to_the_smallest_size():
    figure = figures.draw(frame(rows()), SPEC, {"a": "A"}, dataset_labels={"d1": "One"})
    assert [axis.get_title() for axis in figure.axes] == ["One", "d2"]
    for axis in figure.axes:
        assert axis.get_yscale() == "log"
        for line, power in zip(axis.lines, (2, 1), strict=True):
            np.testing.assert_allclose(line.get_xdata(), [100, 200, 400])
            np.testing.assert_allclose(line.get_ydata(), [1, 2**power, 4**power])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["b", "A"]
    assert "One: seconds of a fit from 100 to 400 samples, b 2 to 32, A 1 to 4." in figure.get_label()


def test_failed_fits_are_left_out():
    data = frame(rows())
    data.loc[(data["method"] == "a") & (data["n_train"] == 200), "status"] = FAILED
    line = figures.draw(data, SPEC).axes[0].lines[1]
    assert line.get_xdata().tolist() == [100, 400]
    data.loc[(data["method"] == "a") & (data["n_train"] == 100), "status"] = FAILED
    with pytest.raises(InputError, match="a, a has no finished fit of 100 samples"):
        figures.draw(data, SPEC)


def test_nothing_to_draw():
    with pytest.raises(InputError, match="no result row is in figure 'f'"):
        figures.draw(frame(rows()), SPEC | {"methods": ["z"]})

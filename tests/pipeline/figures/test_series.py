"""Lines whose points are methods or noises of their own."""

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.analysis import series
from ironbark.pipeline.results.records import FAILED, frame

X = [0, 0.1, 0.3]
SPEC = {
    "id": "f",
    "kind": "series",
    "x": X,
    "x_label": "Rate",
    "series": [
        {"label": "A", "methods": ["a"], "noises": ["n0", "n1", "n2"]},
        {"label": "B", "methods": ["b0", "b1", "b2"], "noises": ["n1"]},
    ],
}


def rows(failed=False):
    def lines():
        for d, dataset in enumerate(("d1", "d2")):
            for k in range(3):
                for method, noise in (("a", f"n{k}"), (f"b{k}", "n1")):
                    for repeat in range(2):
                        value = 0.1 * k + 0.02 * repeat + 0.3 * d + (0.05 if method == "a" else 0)
                        yield {"dataset": dataset, "task": "binary", "method": method, "noise_id": noise} | {
                            "noise": noise,
                            "repeat": repeat,
                            "status": FAILED if failed and (method, dataset) == ("b2", "d1") else "ok",
                            "error": value,
                            "effective_rules": 10 * value,
                        }

    return frame(lines())


def test_points_of_noises_and_of_methods():
    figure = figures.draw(rows(), SPEC | {"metrics": ["error", "effective_rules"]}, dataset_labels={"d2": "Two"})
    assert [axis.get_title() for axis in figure.axes] == ["d1", "Two", "", ""]
    assert [axis.get_ylabel() for axis in figure.axes] == ["Test error (%)", "", "Effective number of\nrules", ""]
    assert [axis.get_xlabel() for axis in figure.axes] == ["", "", "Rate", "Rate"]
    for place, axis in enumerate(figure.axes):
        factor, d = (100, 10)[place // 2], place % 2
        for line, extra in zip(axis.lines, (0.05, 0), strict=True):
            np.testing.assert_allclose(line.get_xdata(), X)
            np.testing.assert_allclose(
                line.get_ydata(), [factor * (0.1 * k + 0.01 + 0.3 * d + extra) for k in range(3)]
            )
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["A", "B"]
    assert figure.get_label() == ""


def test_scale_mark_and_band():
    figure = figures.draw(
        rows(), SPEC | {"metric": "error", "x": [1, 2, 4], "x_scale": "log", "mark": 2, "band": 1, "datasets": ["d1"]}
    )
    [axis] = figure.axes
    assert axis.get_xscale() == "log"
    assert [line.get_xdata()[0] for line in axis.lines if line.get_gid() == "mark"] == [2]
    assert len(axis.collections) == 2
    ends = axis.collections[0].get_paths()[0].vertices[:, 1]
    assert ends.min() == pytest.approx(6 - np.sqrt(2)) and ends.max() == pytest.approx(26 + np.sqrt(2))


def test_points_without_a_fit_are_left_out_and_told():
    figure = figures.draw(rows(failed=True), SPEC | {"metric": "error"})
    assert figure.axes[0].lines[1].get_xdata().tolist() == X[:2]
    assert "1 of 12 points have no finished fit." in figure.get_label()
    data = rows()
    figure = figures.draw(data[data["noise_id"] != "n2"], SPEC | {"metric": "error"})
    assert figure.axes[0].lines[0].get_xdata().tolist() == X[:2]


def test_nothing_to_draw():
    with pytest.raises(InputError, match="no result row is in figure 'f'"):
        figures.draw(rows(), SPEC | {"datasets": ["d9"]})


@pytest.mark.parametrize(
    ("methods", "noises", "key"),
    [(["a"], ["n0", "n1", "n2"], "noises"), (["a", "b", "c"], ["n0"], "methods")],
)
def test_what_varies(methods, noises, key):
    line = {"label": "L", "methods": methods, "noises": noises}
    series.check(SPEC, line)
    assert series.varied(line) == key


@pytest.mark.parametrize(("methods", "noises"), [(2, 1), (3, 3), (1, 1), (3, 2)])
def test_lists_of_a_wrong_length(methods, noises):
    line = {"label": "L", "methods": ["m"] * methods, "noises": ["n"] * noises}
    with pytest.raises(InputError, match="the series 'L' needs 3 methods and one noise, or as many noises and one"):
        series.check(SPEC, line)


def test_accuracy_is_drawn_unless_another_metric_is_given():
    figure = figures.draw(rows().assign(accuracy=0.5), SPEC)
    assert figure.axes[0].get_ylabel() == "Test accuracy (%)" and set(figure.axes[0].lines[0].get_ydata()) == {50}

"""Lines whose points are methods or noises of their own."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import series
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.tables import kinds as parameters

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


def test_scale_mark_and_bars():
    figure = figures.draw(
        rows(), SPEC | {"metric": "error", "x": [1, 2, 4], "x_scale": "log", "mark": 2, "band": 1, "datasets": ["d1"]}
    )
    [axis] = figure.axes
    assert axis.get_xscale() == "log"
    assert [line.get_xdata()[0] for line in axis.lines if line.get_gid() == "mark"] == [2]
    assert len(axis.collections) == 2
    ends = np.concatenate([path.vertices[:, 1] for path in axis.collections[0].get_paths()])
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
    parameters.check_series(SPEC, line)
    assert parameters.varied(line) == key


@pytest.mark.parametrize(("methods", "noises"), [(2, 1), (3, 3), (1, 1), (3, 2)])
def test_lists_of_a_wrong_length(methods, noises):
    line = {"label": "L", "methods": ["m"] * methods, "noises": ["n"] * noises}
    with pytest.raises(InputError, match="the series 'L' needs 3 methods and one noise, or as many noises and one"):
        parameters.check_series(SPEC, line)


def test_accuracy_is_drawn_unless_another_metric_is_given():
    figure = figures.draw(rows().assign(accuracy=0.5), SPEC)
    assert figure.axes[0].get_ylabel() == "Test accuracy (%)" and set(figure.axes[0].lines[0].get_ydata()) == {50}


def printed():
    """Published errors of A and B under rates of two noises, and a value of another metric."""
    cells = [
        ("A", "clean", "0", 0.3),
        ("A", "uniform", "0.1", 0.4),
        ("A", "uniform", "0.25", 0.5),
        ("A", "uniform", "0.4", 0.6),
    ]
    cells += [("A", "adversarial", "0.1", 0.7), ("B", "uniform", "0.2", 0.8), ("other", "uniform", "0.1", 0.9)]
    columns = ["method", "noise", "rate", "mean"]
    about = {"dataset": "d1", "task": "binary", "metric": "error", "spread": 0.1}
    found = pd.DataFrame(cells, columns=columns).assign(**about)
    return pd.concat([found, found.head(1).assign(metric="minimax_risk", mean=0.99)], ignore_index=True)


def test_published_points_lie_on_the_lines_of_their_method_and_noise():
    names = {
        "n0": ("clean", "0", "clean"),
        "n1": ("uniform", "0.2", "uniform-0.2"),
        "n2": ("uniform", "0.3", "uniform-0.3"),
    }
    data = rows()
    for place, column in enumerate(("noise", "rate", "noise_id")):
        data[column] = [names[name][place] for name in rows()["noise_id"]]
    noises = ["clean", "uniform-0.2", "uniform-0.3"]
    lines = [SPEC["series"][0] | {"noises": noises}, SPEC["series"][1] | {"noises": ["uniform-0.2"]}]
    spec = SPEC | {"metric": "error", "x": [0, 20, 40], "series": lines, "printed_methods": {"A": "a", "B": "b1"}}
    figure = figures.draw(data, spec, printed=printed())
    points = [[line for line in axis.lines if line.get_gid() == "published"] for axis in figure.axes]
    assert [len(found) for found in points] == [2, 0]
    a, b = points[0]
    assert list(a.get_xdata()) == [0, 10, 30]  # halfway to 0.2, and halfway from there to 0.3; 0.4 is beyond the line
    assert list(a.get_ydata()) == pytest.approx([30, 40, 50])
    assert (list(b.get_xdata()), list(b.get_ydata())) == ([20], [80])
    for point, line in zip((a, b), figure.axes[0].lines, strict=False):
        assert point.get_color() == line.get_color() and point.get_markerfacecolor() == "white"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["A", "B", "ours", "published"]


def test_no_entry_of_the_legend_without_published_points():
    spec = SPEC | {"metric": "error", "printed_methods": {"C": "a"}}
    figure = figures.draw(rows(), spec, printed=printed())
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["A", "B"]


@pytest.mark.parametrize("rate", ["", "0.1/0.3"])
def test_a_published_noise_without_a_single_rate_lies_on_no_line(rate):
    assert series.between(rate, [("0", 0), ("0.4", 4)]) is None
    assert series.between("0.1", [(rate, 0)]) is None

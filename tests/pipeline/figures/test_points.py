"""Points by cost, by data set, by size and by trade-off."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import points
from ironbark.pipeline.figures.points import front
from ironbark.pipeline.published.comparison import COLUMNS, DIFFERS, NOT_COMPARABLE, NOT_REJECTED
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.tables.trade_off import OURS, PRINTED, RANK, SAME, TABLE_4

COST_SPEC = {"id": "f", "kind": "accuracy-cost"}
POINTS = {"a": (0.1, 0.7), "b": (1.0, 0.6), "c": (10.0, 0.9)}


def cost_rows():
    for i, dataset in enumerate(("d1", "d2")):
        for method, (seconds, value) in POINTS.items():
            yield {"dataset": dataset, "task": "binary", "method": method, "noise_id": "clean", "status": "ok"} | {
                "repeat": 0,
                "fold": 0,
                "fit_seconds": seconds * (4 if i else 1) / 2,
                "tune_seconds": seconds * (4 if i else 1) / 2,
                "accuracy": value + 0.02 * i,
            }


def lines(figure, gid):
    return [line for line in figure.axes[0].lines if line.get_gid() == gid]


def test_points_and_front():
    figure = figures.draw(frame(cost_rows()), COST_SPEC, {"a": "A"})
    [methods], [joined] = lines(figure, "method"), lines(figure, "front")
    points = {(round(float(x), 6), round(float(y), 6)) for x, y in methods.get_xydata()}
    assert points == {(0.2, 71.0), (2.0, 61.0), (20.0, 91.0)}, "geometric mean of cost, mean of accuracy"
    assert joined.get_ydata() == pytest.approx([71, 91])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["A", "c", "others"]
    assert lines(figure, "a")[0].get_xydata() == pytest.approx(np.array([[0.2, 71]]))
    assert "Means over 2 settings" in figure.get_label()


def test_front_of_errors_and_ties():
    points = pd.DataFrame({"seconds": [1, 1, 2, 3], "value": [0.3, 0.2, 0.2, 0.1]}, ["a", "b", "c", "d"])
    assert front(points, larger=False) == ["b", "d"]
    assert front(points, larger=True) == ["a"]


DATASET_SPEC = {"kind": "by-dataset", "id": "f", "methods": ["a", "b"], "noises": ["n"], "metric": "fit_seconds"}
DATASET_SPEC |= {"datasets": ["d2", "d1", "d0"]}
SECONDS = {("d1", "a"): 1.0, ("d1", "b"): 3.0, ("d2", "a"): 10.0, ("d2", "b"): 50.0}


def dataset_rows(**changes):
    found = []
    for (dataset, method), seconds in (SECONDS | changes).items():
        for repeat in range(5):
            about = {"dataset": dataset, "task": "binary", "method": method, "noise": "uniform", "noise_id": "n"}
            found.append(about | {"repeat": repeat, "status": "ok", "fit_seconds": seconds * (0.8 + 0.1 * repeat)})
    return frame(found)


def test_points_bars_and_ratios():
    figure = figures.draw(dataset_rows(), DATASET_SPEC, {"a": "Ours", "b": "Other"}, dataset_labels={"d1": "D one"})
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
    data = dataset_rows()
    data.loc[0, "status"] = FAILED
    assert figures.draw(data, DATASET_SPEC).axes[0].lines[0].get_ydata()[1] == pytest.approx(1.05), (
        "failed fits are left out"
    )


TIME_SPEC = {"id": "f", "kind": "relative-times", "methods": ["b", "a"]}


def time_rows():
    folds = enumerate((100, 200, 400))
    for (d, dataset), (m, method), (fold, n), repeat in product(
        enumerate(["d1", "d2"]), enumerate("ab"), folds, range(2)
    ):
        seconds = (1 + m) * (n / 100) ** (1 + m) * (0.9 + 0.2 * repeat) * (1 + d)
        about = {"dataset": dataset, "task": "binary", "method": method, "noise_id": "clean", "status": "ok"}
        yield about | {"repeat": repeat, "fold": fold, "n_train": n, "fit_seconds": seconds}


def test_ratios_to_the_smallest_size():
    figure = figures.draw(frame(time_rows()), TIME_SPEC, {"a": "A"}, dataset_labels={"d1": "One"})
    assert [axis.get_title() for axis in figure.axes] == ["One", "d2"]
    for axis in figure.axes:
        assert axis.get_yscale() == "log"
        for line, power in zip(axis.lines, (2, 1), strict=True):
            np.testing.assert_allclose(line.get_xdata(), [100, 200, 400])
            np.testing.assert_allclose(line.get_ydata(), [1, 2**power, 4**power])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["b", "A"]
    assert "One: seconds of a fit from 100 to 400 samples, b 2 to 32, A 1 to 4." in figure.get_label()


def test_failed_fits_are_left_out():
    data = frame(time_rows())
    data.loc[(data["method"] == "a") & (data["n_train"] == 200), "status"] = FAILED
    line = figures.draw(data, TIME_SPEC).axes[0].lines[1]
    assert line.get_xdata().tolist() == [100, 400]


TRADE_SPEC = {"id": "f", "kind": "trade-off", "noises": ["clean", "u1"]}
TRADE_COLUMNS = {"clean": "clean-0", "u1": "uniform-0.1"}


def table(shift=0.0, methods=("a", "b")):
    lines = {m: {RANK: 1.5 + i + shift, "uniform-0.1": 0.04 - 0.01 * i + shift / 10} for i, m in enumerate(methods)}
    return pd.DataFrame.from_dict(lines, orient="index")


def draw(monkeypatch, found, columns, *names):
    """The figure of given points; tests/pipeline/tables/test_trade_off.py checks how they come from rows."""
    monkeypatch.setattr(points, "sources", lambda rows, spec, *published: (found, ["d"]))
    monkeypatch.setattr(points, "ids_of", lambda rows, spec: columns)
    return figures.draw(None, *names, printed=None, tradeoff=None, mapping=None)


def places(figure, gid):
    return [tuple(float(v[0]) for v in line.get_data()) for line in figure.axes[0].lines if line.get_gid() == gid]


def test_points_and_their_printed_ones(monkeypatch):
    found = {OURS: table(), SAME: table(0.1), PRINTED: table(), TABLE_4: table(0.3)}
    figure = draw(monkeypatch, found, TRADE_COLUMNS, TRADE_SPEC, {"a": "A"}, {"u1": "0.1"}, {"d": "D"})
    assert places(figure, "ours") == [pytest.approx((4, 1.5)), pytest.approx((3, 2.5))]
    assert places(figure, "print") == [pytest.approx((5, 1.6)), pytest.approx((4, 2.6))]
    [axis] = figure.axes
    assert axis.yaxis_inverted()
    assert axis.get_xlabel() == "Error with noise 0.1 − error without noise (percentage points)"
    found = {OURS: table(methods=("a", "own")), PRINTED: table(), TABLE_4: table(0.3)}
    figure = draw(monkeypatch, found, TRADE_COLUMNS, TRADE_SPEC)
    assert places(figure, "print") == [pytest.approx((7, 1.8))]  # a method of our own has no printed point


def test_one_noise_at_a_time(monkeypatch):
    found = {OURS: table().assign(**{"uniform-0.2": 0.1}), TABLE_4: table()}
    with pytest.raises(InputError, match="figure 'f' shows clean and one other noise"):
        draw(monkeypatch, found, TRADE_COLUMNS | {"u2": "uniform-0.2"}, TRADE_SPEC)


SCATTER_SPEC = {"kind": "comparison-scatter"}


@pytest.fixture
def comparison():
    cells = [
        (2, "dt-ane", 90.0, 91.0, NOT_REJECTED),
        (2, "dt-gini", 80.0, 70.0, DIFFERS),
        (4, "rf-ane", 95.0, 94.0, NOT_COMPARABLE),
        (4, "rf-gini", 95.0, np.nan, NOT_COMPARABLE),
    ]
    frame = pd.DataFrame(cells, columns=["table", "method", "published_mean", "mean", "verdict"])
    return frame.reindex(columns=COLUMNS).assign(metric="accuracy")


def test_panels_points_and_legend(comparison):
    figure = figures.draw(comparison, SCATTER_SPEC, {"dt-ane": "ANE"}, caption_note="Scale lite")
    assert [axis.get_title() for axis in figure.axes] == ["Table 2", "Table 4"]
    points = [tuple(xy) for axis in figure.axes for group in axis.collections for xy in group.get_offsets()]
    assert points == [(90, 91), (80, 70), (95, 94)]
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["ANE", "dt-gini", "rf-ane", "not rejected (1)", "differs (1)", "not comparable (1)"]
    groups = [group for axis in figure.axes for group in axis.collections if len(group.get_offsets())]
    assert len({len(group.get_paths()[0].vertices) for group in groups}) == 3, "a marker for each verdict"
    assert len({tuple(group.get_facecolor()[0]) for group in groups}) == 3, "a colour for each method"


def test_methods_of_one_name_share_a_colour(comparison):
    figure = figures.draw(comparison, SCATTER_SPEC, {"dt-ane": "ANE", "rf-ane": "ANE", "dt-gini": "MSE"})
    colors = {tuple(xy): tuple(color) for axis in figure.axes for group in axis.collections if len(group.get_offsets())
              for xy, color in zip(group.get_offsets(), group.get_facecolors(), strict=True)}  # fmt: skip
    assert colors[90, 91] == colors[95, 94] != colors[80, 70]
    assert [text.get_text() for text in figure.legends[0].get_texts()][:2] == ["ANE", "MSE"]

"""Points by cost, data set, size and trade-off, transition matrices, ranks, gains and counts of ranks, drawn."""

import itertools
from itertools import product

import numpy as np
import pandas as pd
import pytest
from figure_cases import legend, rows, texts, titles
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import points, rankings
from ironbark.pipeline.figures.points import front
from ironbark.pipeline.figures.transition_matrix import title
from ironbark.pipeline.published.comparison import COLUMNS, DIFFERS, NOT_COMPARABLE, NOT_REJECTED
from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.tables.trade_off import OURS, PRINTED, RANK, SAME, TABLE_4


def lines(figure, gid):
    return [line for line in figure.axes[0].lines if line.get_gid() == gid]


def test_points_and_front():
    means = {"a": (0.1, 0.7), "b": (1.0, 0.6), "c": (10.0, 0.9)}
    found = rows(
        {"dataset": f"d{i}", "method": m, "accuracy": value + 0.02 * i, "fit_seconds": k * s, "tune_seconds": k * s}
        for (i, k), (m, (s, value)) in product(enumerate((0.5, 2)), means.items())
    )
    figure = figures.draw(found, {"id": "f", "kind": "accuracy-cost"}, {"a": "A"})
    [methods], [joined] = lines(figure, "method"), lines(figure, "front")
    points = {(round(float(x), 6), round(float(y), 6)) for x, y in methods.get_xydata()}
    assert points == {(0.2, 71.0), (2.0, 61.0), (20.0, 91.0)}, "geometric mean of cost, mean of accuracy"
    assert joined.get_ydata() == pytest.approx([71, 91]) and legend(figure) == ["A", "c", "b"]
    assert lines(figure, "a")[0].get_xydata() == pytest.approx(np.array([[0.2, 71]]))
    assert "Means over 2 settings" in figure.get_label()
    points = pd.DataFrame({"seconds": [1, 1, 2, 3], "value": [0.3, 0.2, 0.2, 0.1]}, ["a", "b", "c", "d"])
    assert front(points, larger=False) == ["b", "d"] and front(points, larger=True) == ["a"]


DATASET_SPEC = {"kind": "by-dataset", "id": "f", "methods": ["a", "b"], "noises": ["n"], "metric": "fit_seconds"}
DATASET_SPEC |= {"datasets": ["d2", "d1", "d0"]}
SECONDS = {("d1", "a"): 1.0, ("d1", "b"): 3.0, ("d2", "a"): 10.0, ("d2", "b"): 50.0}


def dataset_rows():
    cells = [({"dataset": dataset, "method": m, "noise_id": "n"}, value) for (dataset, m), value in SECONDS.items()]
    return rows(cell | {"repeat": k, "fit_seconds": value * (0.8 + 0.1 * k)} for cell, value in cells for k in range(5))


def test_points_bars_and_ratios():
    figure = figures.draw(dataset_rows(), DATASET_SPEC, {"a": "Ours", "b": "Other"}, dataset_labels={"d1": "D one"})
    [axis] = figure.axes
    assert (axis.get_yscale(), axis.get_ylabel()) == ("log", "CPU time of a fit (seconds)")
    assert texts(axis.get_xticklabels()) == ["d2", "D one"]
    for line, method in zip(axis.lines, "ab", strict=True):
        np.testing.assert_allclose(line.get_ydata(), [SECONDS["d2", method], SECONDS["d1", method]])
    assert (np.abs(np.array([line.get_xdata() for line in axis.lines]) - [0, 1]) < 0.5).all()
    ends = np.array([path.vertices[:, 1] for path in axis.collections[1].get_paths()])
    np.testing.assert_allclose(ends, [[45, 55], [2.7, 3.3]])
    assert "Median over the data sets, as a multiple of Ours: Other 4.00." in figure.get_label()
    data = dataset_rows()
    data.loc[0, "status"] = FAILED
    found = figures.draw(data, DATASET_SPEC).axes[0].lines[0].get_ydata()
    assert found[1] == pytest.approx(1.05), "failed fits are left out"


def time_rows():
    for d, m, (fold, n), repeat in product(range(2), range(2), enumerate((100, 200, 400)), range(2)):
        seconds = (1 + m) * (n / 100) ** (1 + m) * (0.9 + 0.2 * repeat) * (1 + d)
        about = {"dataset": f"d{1 + d}", "method": "ab"[m], "repeat": repeat}
        yield about | {"fold": fold, "n_train": n << d, "fit_seconds": seconds}


def test_ratios_to_the_smallest_size():
    spec = {"id": "f", "kind": "relative-times", "methods": ["b", "a"]}
    figure = figures.draw(rows(time_rows()), spec, {"a": "A"}, dataset_labels={"d1": "One"})
    assert titles(figure) == ["One", "d2"]
    for smallest, axis in zip((100, 200), figure.axes, strict=True):
        assert axis.get_yscale() == "log"
        for line, power in zip(axis.lines, (2, 1), strict=True):
            np.testing.assert_allclose(line.get_xdata(), [smallest, 2 * smallest, 4 * smallest])
            np.testing.assert_allclose(line.get_ydata(), [1, 2**power, 4**power])
    assert legend(figure) == ["b", "A"]
    assert "One: seconds of a fit from 100 to 400 samples, b 2 to 32, A 1 to 4." in figure.get_label()


TRADE_SPEC = {"id": "f", "kind": "trade-off", "noises": ["clean", "u1"]}
TRADE_COLUMNS = {"clean": "clean-0", "u1": "uniform-0.1"}


def table(shift=0.0, methods=("a", "b")):
    lines = {m: {RANK: 1.5 + i + shift, "uniform-0.1": 0.04 - 0.01 * i + shift / 10} for i, m in enumerate(methods)}
    return pd.DataFrame.from_dict(lines, orient="index")


def draw(monkeypatch, found, columns, *names):
    """The figure of given points; tests/pipeline/tables/test_paper_tables.py checks how they come from rows."""
    monkeypatch.setattr(points, "sources", lambda rows, spec, *published: (found, ["d"]))
    monkeypatch.setattr(points, "ids_of", lambda rows, spec: columns)
    return figures.draw(None, *names, printed=None, tradeoff=None, mapping=None)


def places(figure, gid):
    return [tuple(float(v[0]) for v in line.get_data()) for line in figure.axes[0].lines if line.get_gid() == gid]


def test_points_of_trade_offs_and_their_printed_ones(monkeypatch):
    found = {OURS: table(), SAME: table(0.1), PRINTED: table(), TABLE_4: table(0.3)}
    figure = draw(monkeypatch, found, TRADE_COLUMNS, TRADE_SPEC, {"a": "A"}, {"u1": "0.1"}, {"d": "D"})
    assert places(figure, "ours") == [pytest.approx((4, 1.5)), pytest.approx((3, 2.5))]
    assert places(figure, "print") == [pytest.approx((5, 1.6)), pytest.approx((4, 2.6))]
    assert figure.axes[0].yaxis_inverted()
    assert figure.axes[0].get_xlabel() == "Error with noise 0.1 − error without noise (percentage points)"
    found = {OURS: table(methods=("a", "own")), PRINTED: table(), TABLE_4: table(0.3)}
    figure = draw(monkeypatch, found, TRADE_COLUMNS, TRADE_SPEC)
    assert places(figure, "print") == [pytest.approx((7, 1.8))]  # a method of our own has no printed point
    found = {OURS: table().assign(**{"uniform-0.2": 0.1}), TABLE_4: table()}
    with pytest.raises(InputError, match="figure 'f' shows clean and one other noise"):
        draw(monkeypatch, found, TRADE_COLUMNS | {"u2": "uniform-0.2"}, TRADE_SPEC)


def test_panels_points_and_legend():
    cells = [
        (2, "dt-ane", 90.0, 91.0, NOT_REJECTED),
        (2, "dt-gini", 80.0, 70.0, DIFFERS),
        (4, "rf-ane", 95.0, 94.0, NOT_COMPARABLE),
        (4, "rf-gini", 95.0, np.nan, NOT_COMPARABLE),
    ]
    frame = pd.DataFrame(cells, columns=["table", "method", "published_mean", "mean", "verdict"])
    comparison = frame.reindex(columns=COLUMNS).assign(metric="accuracy")
    figure = figures.draw(comparison, {"kind": "comparison-scatter"}, {"dt-ane": "ANE"}, caption_note="Scale lite")
    assert titles(figure) == ["Table 2", "Table 4"]
    points = [tuple(xy) for axis in figure.axes for group in axis.collections for xy in group.get_offsets()]
    assert points == [(90, 91), (80, 70), (95, 94)]
    assert legend(figure) == ["ANE", "dt-gini", "rf-ane", "not rejected (1)", "differs (1)", "not comparable (1)"]
    groups = [group for axis in figure.axes for group in axis.collections if len(group.get_offsets())]
    assert len({len(group.get_paths()[0].vertices) for group in groups}) == 3, "a marker for each verdict"
    assert len({tuple(group.get_facecolor()[0]) for group in groups}) == 3, "a colour for each method"


def test_rows_are_true_classes_and_columns_noisy_ones():
    skewed = np.array([[0.9, 0.1], [0.3, 0.7]])
    shown = [(title("CC .1/.3", 0.1987), skewed, ["no", "yes"])]
    figure = figures.draw(shown, {"kind": "transition-matrix"}, caption_note="Lite")
    axis = figure.axes[0]
    assert axis.get_title() == "CC .1/.3\n19.9 % of labels flipped"
    assert (axis.get_ylabel(), axis.get_xlabel()) == ("True class", "Noisy class")
    assert texts(axis.get_yticklabels()) == ["no", "yes"]
    found = {text.get_position(): text.get_text() for text in axis.texts}
    assert found == {(0, 0): "0.90", (1, 0): "0.10", (0, 1): "0.30", (1, 1): "0.70"}  # (column, row)
    assert figure.get_label() == "Lite."


def rank_rows(lost=(), methods="abc"):
    rng = np.random.default_rng(0)
    for d, (j, method) in itertools.product(range(4), enumerate(methods)):
        about = {"dataset": f"d{d}", "method": method, "status": FAILED if (d, method) in lost else "ok"}
        yield about | {"accuracy": 0.9 - 0.1 * j + 0.01 * rng.random()}


def test_intervals_are_as_long_as_the_critical_difference():
    figure = figures.draw(rows(rank_rows({(1, "c")})), {"kind": "critical-difference"}, {"a": "Best"})
    [axis], difference = figure.axes, ranks.critical_difference(3, 3)
    assert texts(axis.get_yticklabels()) == ["Best", "b", "c"]
    assert [container[0].get_xdata()[0] for container in axis.containers] == [1, 2, 3]
    ends = [container[2][0].get_segments()[0][:, 0] for container in axis.containers]
    np.testing.assert_allclose(ends, [[rank - difference / 2, rank + difference / 2] for rank in (1, 2, 3)])
    assert "3 settings of 3 data sets" in figure.get_label() and "1 setting is left out" in figure.get_label()
    assert f"critical difference {difference:.2f}" in figure.get_label()


SETS = [f"set{i}" for i in range(7)]
GAIN_SPEC = {"kind": "gains", "task": "binary", "reference": "plain"}


def gain_rows(metric="accuracy"):
    rng, lead = np.random.default_rng(0), {"plain": 0, "robust": 0.05, "weak": -0.1}
    cells = itertools.product(SETS, ("clean", "uniform"), lead)
    made = [
        {"dataset": dataset, "noise_id": noise, "noise": noise, "method": method}
        | {metric: 0.7 + lead[method] * (noise != "clean") + 0.01 * rng.random()}
        for dataset, noise, method in cells
    ]
    return rows(made, metric)


def drawn(frame, **changes):
    """The figure's gains, and the texts of those that are significant, by names of method and noise."""
    figure = figures.draw(frame, GAIN_SPEC | changes, {"robust": "Robust"}, noise_labels={"uniform": "Uniform"})
    axis = figure.axes[0]
    names = texts(axis.get_yticklabels()), texts(axis.get_xticklabels())
    values = pd.DataFrame(axis.images[0].get_array(), *names)
    return values, {(names[0][y], names[1][x]): t.get_text() for t in axis.texts for x, y in [t.get_position()]}


def test_gains_and_tests_by_hand():
    frame = gain_rows()
    values, texts = drawn(frame)
    assert list(values.index) == ["Robust", "weak"] and list(values) == ["clean", "Uniform"]
    wide = frame.pivot(index=["noise_id", "dataset"], columns="method", values="accuracy")
    for (label, noise), value in values.stack().items():
        part = wide.loc[noise.lower()].sub(wide.loc[noise.lower(), "plain"], axis=0)
        assert value == pytest.approx(100 * part[label.lower()].mean())
        p = [stats.wilcoxon(part[name]).pvalue for name in (label.lower(), *{"robust", "weak"} - {label.lower()})]
        assert ((label, noise) in texts) == multipletests(p, method="holm")[0][0]
    assert texts == {(name, "Uniform"): f"{values.loc[name, 'Uniform']:.1f}".replace("-", "−") for name in values.index}
    assert list(drawn(frame, methods=["weak"])[0].index) == ["weak"], "without the reference"
    assert list(drawn(frame, best=1)[0].index) == ["Robust"]
    values, _ = drawn(gain_rows("log_loss"), metric="log_loss")
    assert values.loc["weak", "Uniform"] > 0 > values.loc["Robust", "Uniform"]
    frame = gain_rows()
    few, index = frame[frame["dataset"].isin(SETS[:5])], ["dataset", "task", "noise_id"]
    means, p = rankings.gains(few.pivot(index=index, columns="method", values="accuracy"), "plain", ["uniform"])
    assert p.isna().all(axis=None) and list(means.index) == ["robust", "weak"]


MEANS = {"one": {"a": 0.9, "b": 0.8, "c": 0.8}, "two": {"a": 0.1, "b": 0.5, "c": 0.7}, "three": {"a": 0.1, "b": 0.5}}
COUNT_SPEC = {"kind": "top-n", "task": "binary", "metric": "average_precision", "methods": ["a", "b", "c"]}


def test_lines_are_the_counts():
    cells = [(dataset, method, mean) for dataset, line in MEANS.items() for method, mean in line.items()]
    made = ({"dataset": dataset, "method": method, "average_precision": mean} for dataset, method, mean in cells)
    figure = figures.draw(rows(made, "average_precision"), COUNT_SPEC, {"a": "Alpha"}, caption_note="Note.")
    found = {line.get_gid(): list(line.get_ydata()) for line in figure.axes[0].lines}
    assert found == {"a": [1, 2, 3], "b": [1, 3, 3], "c": [1, 2, 2]}  # of two settings for c, three for the others
    assert legend(figure) == ["Alpha", "b", "c"] and "3 settings" in figure.get_label()

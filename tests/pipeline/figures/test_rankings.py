"""Ranks, gains over a reference and counts of ranks, drawn."""

import itertools

import numpy as np
import pandas as pd
import pytest
from figure_cases import legend, rows, texts
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.pipeline import figures
from ironbark.pipeline.figures import rankings
from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.statistics import ranks


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
    assert "3 settings of data set and noise" in figure.get_label() and "1 setting is left out" in figure.get_label()
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
    return values, {
        (names[0][y], names[1][x]): text.get_text() for text in axis.texts for x, y in [text.get_position()]
    }


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
    assert legend(figure) == ["Alpha", "b", "c"]
    assert "3 settings" in figure.get_label()

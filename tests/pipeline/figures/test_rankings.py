"""Ranks, gains over a reference and counts of ranks, drawn."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.pipeline import figures
from ironbark.pipeline.figures import rankings
from ironbark.pipeline.figures.rankings import diagram
from ironbark.pipeline.results import records
from ironbark.pipeline.results.records import FAILED, frame
from ironbark.pipeline.statistics import ranks


def parts(figure, gid):
    return [line for line in figure.axes[0].lines if line.get_gid() == gid]


@pytest.mark.parametrize("count", [2, 7, 45])
def test_labels_never_overlap_and_all_methods_are_there(count):
    averaged = pd.Series(np.linspace(1.4, 1.6, count), index=[f"A rather long method {i}" for i in range(count)])
    figure = diagram(averaged, 0.5)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert all(any(name in text for text in texts) for name in averaged.index)
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts if text.get_text()]
    assert not [1 for one, two in itertools.combinations(boxes, 2) if one.overlaps(two)]
    assert all(box.x0 >= figure.bbox.x0 and box.x1 <= figure.bbox.x1 for box in boxes)


def test_stems_stand_at_the_ranks_and_bars_join_the_groups():
    averaged = pd.Series({"a": 1.2, "b": 1.9, "c": 3.1, "d": 3.8})
    figure = diagram(averaged, 1.0)
    assert [line.get_xdata()[0] for line in parts(figure, "stem")] == list(averaged)
    assert [tuple(np.round(line.get_xdata(), 1)) for line in parts(figure, "bar")] == [(1.2, 1.9), (3.1, 3.8)]
    assert "CD = 1.00" in [text.get_text() for text in figure.axes[0].texts]


def rank_rows(lost=()):
    rng = np.random.default_rng(0)
    for d, (j, method) in itertools.product(range(4), enumerate("abc")):
        yield {"dataset": f"d{d}", "task": "binary", "noise": "clean", "rate": "0", "noise_id": "clean"} | {
            "method": method,
            "repeat": 0,
            "status": FAILED if (d, method) in lost else "ok",
            "accuracy": 0.9 - 0.2 * j + 0.01 * rng.random(),
        }


def test_from_rows_with_labels():
    figure = figures.draw(frame(rank_rows({(1, "c")})), {"kind": "critical-difference"}, {"a": "Best"})
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"Best  1.00", "b  2.00", "3.00  c"} <= set(texts)
    assert any(text.startswith(f"CD = {ranks.critical_difference(3, 3):.2f}") for text in texts)
    assert "over 3 settings of data set and noise; 1 incomplete settings are left out" in figure.get_label()


SETS = [f"set{i}" for i in range(7)]
GAIN_SPEC = {"kind": "gains", "task": "binary", "reference": "plain"}


def gain_rows(metric="accuracy", methods=("plain", "robust", "weak")):
    rng = np.random.default_rng(0)
    lead = {"plain": 0, "robust": 0.05, "weak": -0.1}
    made = [
        {"dataset": dataset, "task": "binary", "noise_id": noise, "noise": noise, "rate": "0", "method": method}
        | {
            "repeat": 0,
            "fold": 0,
            "status": "ok",
            metric: 0.7 + lead[method] * (noise != "clean") + 0.01 * rng.random(),
        }
        for dataset in SETS
        for noise in ("clean", "uniform")
        for method in methods
    ]
    return records.frame(made, [metric])


def drawn(frame, **changes):
    figure = figures.draw(frame, GAIN_SPEC | changes, {"robust": "Robust"}, noise_labels={"uniform": "Uniform"})
    axis = figure.axes[0]
    names = [text.get_text() for text in axis.get_yticklabels()], [text.get_text() for text in axis.get_xticklabels()]
    texts = {(names[0][text.get_position()[1]], names[1][text.get_position()[0]]): text for text in axis.texts}
    return figure, texts


def test_gains_and_tests_by_hand():
    frame = gain_rows()
    figure, texts = drawn(frame)
    assert list(texts) == [("Robust", "clean"), ("Robust", "Uniform"), ("weak", "clean"), ("weak", "Uniform")]
    wide = frame.pivot(index=["noise_id", "dataset"], columns="method", values="accuracy")
    for (label, noise), text in texts.items():
        part = wide.loc[noise.lower()].sub(wide.loc[noise.lower(), "plain"], axis=0)
        assert text.get_text() == f"{100 * part[label.lower()].mean():+.1f}"
        p = [stats.wilcoxon(part[name]).pvalue for name in (label.lower(), *{"robust", "weak"} - {label.lower()})]
        assert (text.get_weight() == "bold") == multipletests(p, method="holm")[0][0]
    weights = [text.get_weight() for text in texts.values()]
    assert weights == ["normal", "bold", "normal", "bold"]
    assert {label for label, _ in drawn(frame, methods=["weak"])[1]} == {"weak"}, "without the reference"


def test_a_smaller_loss_is_a_gain():
    _, texts = drawn(gain_rows("log_loss"), metric="log_loss")
    assert texts["weak", "Uniform"].get_text().startswith("+") and texts["Robust", "Uniform"].get_text().startswith("-")


def test_with_few_data_sets_nothing_is_significant():
    frame = gain_rows()
    few, index = frame[frame["dataset"].isin(SETS[:5])], ["dataset", "task", "noise_id"]
    means, p = rankings.gains(few.pivot(index=index, columns="method", values="accuracy"), "plain", ["uniform"])
    assert p.isna().all(axis=None) and list(means.index) == ["robust", "weak"]


def count_rows(means):
    made = [
        {"dataset": dataset, "task": "binary", "noise_id": "clean", "noise": "clean", "rate": "0", "method": method}
        | {"repeat": 0, "fold": 0, "status": "ok", "average_precision": mean}
        for dataset, line in means.items()
        for method, mean in line.items()
    ]
    return records.frame(made, ["average_precision"])


MEANS = {"one": {"a": 0.9, "b": 0.8, "c": 0.8}, "two": {"a": 0.1, "b": 0.5, "c": 0.7}, "three": {"a": 0.1, "b": 0.5}}
COUNT_SPEC = {"kind": "top-n", "task": "binary", "metric": "average_precision", "methods": ["a", "b", "c"]}


def test_lines_are_the_counts():
    figure = figures.draw(count_rows(MEANS), COUNT_SPEC, {"a": "Alpha"}, caption_note="Note.")
    drawn = {line.get_gid(): list(line.get_ydata()) for line in figure.axes[0].lines}
    assert drawn == {"a": [1, 2, 3], "b": [1, 3, 3], "c": [1, 2, 2]}  # of two settings for c, three for the others
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["Alpha", "b", "c"]
    assert "3 settings" in figure.get_label()


def test_counts_by_hand():
    ranks = pd.DataFrame(np.random.default_rng(0).integers(1, 5, (30, 4)), columns=list("abcd"))
    found = rankings.counts(ranks)
    for n in range(1, 5):
        for method in ranks:
            assert found.loc[n, method] == sum(rank <= n for rank in ranks[method])

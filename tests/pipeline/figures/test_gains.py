"""Gains over a reference, drawn."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ironbark.errors import InputError
from ironbark.pipeline import figures
from ironbark.pipeline.figures import rankings
from ironbark.pipeline.results import records

SETS = [f"set{i}" for i in range(7)]
SPEC = {"kind": "gains", "task": "binary", "reference": "plain"}


def rows(metric="accuracy", methods=("plain", "robust", "weak")):
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
    figure = figures.draw(frame, SPEC | changes, {"robust": "Robust"}, noise_labels={"uniform": "Uniform"})
    axis = figure.axes[0]
    names = [text.get_text() for text in axis.get_yticklabels()], [text.get_text() for text in axis.get_xticklabels()]
    texts = {(names[0][text.get_position()[1]], names[1][text.get_position()[0]]): text for text in axis.texts}
    return figure, texts


def test_gains_and_tests_by_hand():
    frame = rows()
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
    assert "Gain in points over plain" in figure.get_label() and "7 data sets" in figure.get_label()


def test_a_smaller_loss_is_a_gain():
    _, texts = drawn(rows("log_loss"), metric="log_loss")
    assert texts["weak", "Uniform"].get_text().startswith("+") and texts["Robust", "Uniform"].get_text().startswith("-")


def test_the_reference_need_not_be_among_the_methods():
    _, texts = drawn(rows(), methods=["weak"])
    assert {label for label, _ in texts} == {"weak"}


def test_noises_that_are_called_by_their_rates_have_names():
    figure = figures.draw(rows(), SPEC, {}, noise_labels={"clean": "0", "uniform": "0.2"})
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["Clean", "Uniform 0.2"]


def test_with_few_data_sets_nothing_is_significant():
    frame = rows()
    means, p = rankings.gains(
        frame[frame["dataset"].isin(SETS[:5])].pivot(
            index=["dataset", "task", "noise_id"], columns="method", values="accuracy"
        ),
        "plain",
        ["uniform"],
    )
    assert p.isna().all(axis=None) and list(means.index) == ["robust", "weak"]


def test_a_reference_without_fits_is_an_error():
    with pytest.raises(InputError, match="no fit of the reference 'plain'"):
        drawn(rows(methods=("robust", "weak")))

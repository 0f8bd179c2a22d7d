import numpy as np
import pytest

from ironbark.pipeline.analysis.collect import cells
from ironbark.pipeline.analysis.statistics import ranks
from ironbark.pipeline.analysis.tables.rankings import seconds
from ironbark.pipeline.results import records


def row(dataset, method, repeat, fit, tune):
    about = {"dataset": dataset, "task": "binary", "noise": "clean", "rate": "0", "noise_id": "clean", "status": "ok"}
    return about | {
        "method": method,
        "repeat": repeat,
        "fold": 0,
        "accuracy": 0.9,
        "fit_seconds": fit,
        "tune_seconds": tune,
    }


def test_by_hand():
    rows = [
        row("a", "x", 0, 1.0, 0.0),
        row("a", "x", 1, 3.0, 2.0),
        row("b", "x", 0, 12.0, 0.0),
        row("b", "x", 1, 12.0, 0.0),
    ]
    rows += [
        row("a", "y", 0, 1.0, float("nan")),
        row("a", "y", 1, 1.0, 0.0),
        row("b", "y", 0, 0.0, 0.0),
        row("b", "y", 1, 0.0, 0.0),
    ]
    rows += [row("only x has this", "x", 0, 1e6, 0.0)]
    frame = records.frame(rows)
    complete, _ = ranks.scores(cells(frame, "accuracy"))
    found = seconds(frame, complete)
    assert found["x"] == pytest.approx(
        np.sqrt(3.0 * 12.0)
    )  # mean of 1 and 5, then 12; the last setting is not complete
    assert found["y"] == pytest.approx(np.sqrt(1.0 * 1e-4))  # a clock that says 0

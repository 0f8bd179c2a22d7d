"""The table of several measures, against means by hand."""

import math

import pytest

from ironbark.pipeline import tables
from ironbark.pipeline.results import records

#: (data set, noise) -> method -> accuracy, log loss and seconds.
FOUND = {
    ("d1", "clean"): {"a": (0.9, 0.2, 1.0), "b": (0.7, math.nan, 2.0)},
    ("d1", "far"): {"a": (0.7, 0.4, 1.0), "b": (0.5, math.nan, 2.0)},
    ("d2", "clean"): {"a": (0.5, 0.6, 4.0), "b": (0.9, math.nan, 2.0)},
}


def rows(found=FOUND):
    about = {"task": "binary", "rate": "0", "repeat": 0, "fold": 0, "status": "ok"}
    lines = [
        about
        | {"dataset": dataset, "noise": noise, "noise_id": noise, "method": method}
        | dict(zip(("accuracy", "log_loss", "fit_seconds"), values, strict=True))
        for (dataset, noise), methods in found.items()
        for method, values in methods.items()
    ]
    return records.frame(lines, ["log_loss"])


def table(data, *metrics):
    return tables.build(data, {"kind": "measures", "id": "t", "metrics": list(metrics)}, {"a": "A"}, {}, {})


def test_means_by_hand():
    found = table(rows(), "accuracy", "log_loss", "fit_seconds")
    assert list(found.frame.columns) == ["Test accuracy (percent)", "Test log loss", "CPU time of a fit (seconds)"]
    assert found.frame.loc["b"].tolist() == ["75.00", "–", "2"]  # (60 + 90) / 2
    assert found.frame.loc["A"].tolist() == ["65.00", "0.45", "2.5"]  # (80 + 50) / 2, (0.3 + 0.6) / 2, (1 + 4) / 2
    assert list(found.frame.index) == ["b", "A"] and found.notes == []
    assert found.bold.loc["b"].tolist() == [True, False, True]
    assert found.bold.loc["A"].tolist() == [False, True, False]
    values = found.values.set_index(["method", "metric"])["mean"]
    assert values["a", "log_loss"] == pytest.approx(0.45)


def test_settings_that_only_some_methods_have_are_left_out_with_a_note():
    short = {place: dict(methods) for place, methods in FOUND.items()}
    del short["d2", "clean"]["a"]
    found = table(rows(short), "accuracy")
    assert found.frame.loc["A"].tolist() == ["80.00"] and found.frame.loc["b"].tolist() == ["60.00"]
    assert found.notes == ["Test accuracy: 1 setting is left out, since some method has no finished fit there."]

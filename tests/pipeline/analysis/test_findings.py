import re

import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.analysis import tables
from ironbark.pipeline.results import records

pytest.importorskip("baycomp", reason="needs the package baycomp")

LEVEL = {"x": 0.90, "y": 0.80, "z": 0.85}
LOSS = {"x": 0.1, "y": 0.5, "z": 0.3}
SECONDS = {"x": 2.0, "y": 0.1, "z": 1.0}
NOISES = {"clean": ("clean", 0), "u2": ("uniform", 0.2), "u4": ("uniform", 0.4)}


def rows(datasets=4):
    return records.frame(
        {"dataset": f"d{i}", "task": "binary", "method": m, "noise": noise, "rate": str(rate), "noise_id": id}
        | {"repeat": 0, "fold": 0, "status": "ok", "fit_seconds": SECONDS[m], "tune_seconds": 0.0}
        | {"accuracy": LEVEL[m] - LOSS[m] * rate - i / 100}
        for i in range(datasets)
        for id, (noise, rate) in NOISES.items()
        for m in LEVEL
    )


def test_each_sentence_states_its_numbers():
    table = tables.build(rows(), {"kind": "findings", "id": "t"}, {"x": "X", "y": "Y"})
    said = table.frame["Finding"].tolist()
    assert all(re.search(r"\d", sentence) and sentence.endswith(".") for sentence in said)
    assert said[0] == "36 fits of 3 methods on 4 data sets under 3 noises, 0 failed."
    assert "over 12 settings of data set and noise: X (1.00), z (2.00), Y (3.00); worst: Y (3.00 of 3)." in said[1]
    assert "Friedman's chi-square is 24.0 (p < 0.001)" in said[2] and "of 2 other methods from X." in said[2]
    assert said[3].startswith("On 4 data sets, X is better than z by more than 1 point with probability 1.00, worse")
    assert said[4] == (
        "With ten percent more uniform noise, accuracy changes by -1.00 points for X, the best by this measure, by "
        "-5.00 for Y, the worst, and by -3.00 for the median method (means of 4 data sets)."
    )
    assert said[5].startswith("On clean labels X ranks best (1.00 over 4 data sets, mean accuracy 88.50 %)")
    assert said[5].endswith("it is at place 1 of 3.")
    assert "Y costs least, 0.1 CPU seconds" in said[6] and "X costs 20 times as much for +18.00 points" in said[6]
    assert len(said) == 7


def test_failures_and_gaps_are_told():
    frame = rows()
    frame.loc[0, ["status", "accuracy"]] = ["failed", float("nan")]
    found = tables.build(frame, {"kind": "findings"})
    assert found.frame["Finding"].iloc[0].endswith("1 failed.")
    assert found.notes == ["1 setting is left out, since some method has no finished fit there."]


def test_one_method_finds_nothing():
    frame = rows()
    with pytest.raises(InputError, match="needs two methods"):
        tables.build(frame[frame["method"] == "x"], {"kind": "findings", "id": "t"})


def test_a_gain_under_noise_is_no_least_loss():
    frame = rows()
    gain = frame["method"].eq("x") & frame["noise"].eq("uniform")
    frame.loc[gain, "accuracy"] += 2 * pd.to_numeric(frame.loc[gain, "rate"])
    said = tables.build(frame, {"kind": "findings", "id": "t"}).frame["Finding"]
    [line] = [text for text in said if text.startswith("With ten percent more uniform noise")]
    assert "by +19.00 points for x, the best by this measure" in line and "least" not in line

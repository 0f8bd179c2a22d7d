import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline import tables
from ironbark.pipeline.results import records
from ironbark.pipeline.tables.collect import cells
from ironbark.pipeline.tables.rankings import slopes

NOISES = [("clean", "0", "clean"), ("uniform", "0.1", "u1"), ("uniform", "0.3", "u3"), ("balanced", "0.2", "b2")]
NOISES += [("class_conditional", "0.1/0.3", "cc"), ("mahalanobis", "", "m")]


def rows(seed=0, datasets=("a", "b"), methods=("x", "y"), repeats=2):
    rng = np.random.default_rng(seed)
    return records.frame(
        {"dataset": d, "task": "binary", "method": m, "noise": noise, "rate": rate, "noise_id": id, "repeat": r}
        | {"fold": 0, "status": "ok", "accuracy": rng.random()}
        for d in datasets
        for m in methods
        for noise, rate, id in NOISES
        for r in range(repeats)
    )


def test_slopes_are_those_of_numpys_fit():
    gathered = cells(rows())
    found = slopes(gathered)
    assert len(found) == 8 and set(found["noise"]) == {"uniform", "balanced"}
    for line in found.itertuples():
        mine = gathered[(gathered["dataset"] == line.dataset) & (gathered["method"] == line.method)]
        mine = mine[mine["noise"].isin(["clean", line.noise])]
        expected = np.polyfit(mine["rate"].astype(float), mine["mean"], 1)[0] / 10
        assert line.slope == pytest.approx(expected) and line.rates == len(mine)


def test_data_sets_without_all_rates_are_left_out_for_all():
    frame = rows()
    gap = (frame["dataset"] == "b") & (frame["method"] == "y") & (frame["noise_id"] == "u3")
    found = slopes(cells(frame[~gap]))
    assert set(found[found["noise"] == "uniform"]["dataset"]) == {"a"}
    assert set(found[found["noise"] == "balanced"]["dataset"]) == {"a", "b"}


def test_the_table_by_hand():
    values = {
        ("x", "0"): 0.9,
        ("x", "0.1"): 0.8,
        ("x", "0.3"): 0.6,
        ("y", "0"): 0.9,
        ("y", "0.1"): 0.9,
        ("y", "0.3"): 0.9,
    }
    frame = rows(repeats=1)
    frame = frame[frame["noise"].isin(["clean", "uniform"])]
    keys = zip(frame["method"], frame["rate"], strict=True)
    table = tables.build(
        frame.assign(accuracy=[values[key] for key in keys]), {"kind": "slopes", "id": "t"}, {"x": "X"}
    )
    assert table.frame["uniform"].to_dict() == {"y": "+0.00 ± 0.00", "X": "-10.00 ± 0.00"}
    assert table.bold["All"].to_dict() == {"y": True, "X": False} and "uniform 2" in table.caption


def test_of_errors_the_smallest_rise_is_best():
    frame = rows(repeats=1)
    rate = pd.to_numeric(frame["rate"], errors="coerce").fillna(0)
    frame["error"] = rate * np.where(frame["method"] == "x", 0.5, 1.0)
    table = tables.build(frame, {"kind": "slopes", "metric": "error"})
    assert list(table.frame.index) == ["x", "y"] and table.bold["uniform"].tolist() == [True, False]

"""Differences of pairs of methods, paired by repeat."""

import numpy as np
import pytest

from ironbark.pipeline import tables
from ironbark.pipeline.results.records import FAILED, frame

SPEC = {"kind": "pairs", "id": "t", "pairs": [["a", "b"], ["c", "a"]], "caption": "Audit"}


def rows():
    for method, shift in (("a", 0.0), ("b", 0.1), ("c", 0.0)):
        for dataset in ("d1", "d2"):
            for noise_id in ("clean", "far"):
                if method == "c" and (dataset, noise_id) != ("d1", "clean"):
                    continue
                for repeat in range(3):
                    value = 0.8 - shift + 0.05 * repeat + (0.02 * repeat if method == "b" else 0)
                    yield {"dataset": dataset, "task": "binary", "method": method, "noise_id": noise_id} | {
                        "repeat": repeat,
                        "status": "ok",
                        "accuracy": value,
                        "n_leaves": 100 * value,
                    }


def build(data, **changes):
    return tables.build(data, SPEC | changes, {"a": "A"}, {"clean": "0"}, {"d1": "One"}, caption_note="Note.")


def test_differences_are_paired():
    table = build(frame(rows()))
    assert list(table.frame.columns) == ["0", "far"]
    assert table.frame.index.tolist() == [("One", "a − b"), ("One", "c − a"), ("d2", "a − b")]
    assert table.frame.loc[("One", "a − b"), "0"] == "+8.00 ± 2.00"  # 10, 8 and 6 points
    assert table.frame.loc[("One", "c − a")].tolist() == ["+0.00 ± 0.00", "–"]
    assert table.values.query("method == 'a' and dataset == 'd1' and noise_id == 'clean'")["mean"].item() == (
        pytest.approx(0.08)
    )
    data = frame(rows())
    lost = (data["method"] == "a") & (data["repeat"] == 2) & (data["dataset"] == "d1")
    data.loc[lost, ["accuracy", "status"]] = [np.nan, FAILED]
    assert build(data).frame.loc[("One", "a − b"), "0"].startswith("+9.00"), "failed fits do not count"


def test_pooled_over_the_data_sets():
    data = frame(rows())
    data.loc[(data["method"] == "b") & (data["dataset"] == "d2"), "accuracy"] -= 0.04
    table = build(data, pool=True, datasets=["d1", "d2"])
    assert table.frame.index.tolist() == [("2 data sets", "a − b"), ("2 data sets", "c − a")]
    assert table.frame.loc[("2 data sets", "a − b"), "0"] == "+10.00 ± 2.83"  # means of 8 and 12 points
    assert table.frame.loc[("2 data sets", "c − a")].tolist() == ["+0.00", "–"]  # on one data set
    assert table.values["n"].tolist() == [2, 2, 1]

"""Differences of pairs of methods, paired by repeat."""

import numpy as np
import pytest
from result_rows import result_rows

from ironbark.pipeline import tables

SPEC = {"kind": "pairs", "id": "t", "pairs": [["a", "b"], ["c", "a"]], "caption": "Audit"}


def values():
    """Fits of a and b in all settings, of c in one."""
    settings = [(dataset, noise_id) for dataset in ("d1", "d2") for noise_id in ("clean", "far")]
    runs = {"a": [0.80, 0.85, 0.90], "b": [0.70, 0.77, 0.84]}
    found = {(*setting, method): own for method, own in runs.items() for setting in settings}
    return found | {("d1", "clean", "c"): runs["a"]}


def build(data, **changes):
    return tables.build(data, SPEC | changes, {"a": "A"}, {"clean": "0"}, {"d1": "One"}, caption_note="Note.")


def test_differences_are_paired():
    table = build(result_rows(values()))
    assert list(table.frame.columns) == ["0", "far"]
    assert table.frame.index.tolist() == [("One", "a − b"), ("One", "c − a"), ("d2", "a − b")]
    assert table.frame.loc[("One", "a − b"), "0"] == "+8.00 ± 2.00"  # 10, 8 and 6 points
    assert table.frame.loc[("One", "c − a")].tolist() == ["+0.00 ± 0.00", "–"]
    assert table.values.query("method == 'a' and dataset == 'd1' and noise_id == 'clean'")["mean"].item() == (
        pytest.approx(0.08)
    )
    failed = {("d1", noise_id, "a"): [0.80, 0.85, np.nan] for noise_id in ("clean", "far")}
    assert build(result_rows(values() | failed)).frame.loc[("One", "a − b"), "0"].startswith("+9.00"), (
        "failed fits do not count"
    )


def test_pooled_over_the_data_sets():
    data = result_rows(values())
    data.loc[(data["method"] == "b") & (data["dataset"] == "d2"), "accuracy"] -= 0.04
    table = build(data, pool=True, datasets=["d1", "d2"])
    assert table.frame.index.tolist() == [("2 data sets", "a − b"), ("2 data sets", "c − a")]
    assert table.frame.loc[("2 data sets", "a − b"), "0"] == "+10.00 ± 2.83"  # means of 8 and 12 points
    assert table.frame.loc[("2 data sets", "c − a")].tolist() == ["+0.00", "–"]  # on one data set
    assert table.values["n"].tolist() == [2, 2, 1]

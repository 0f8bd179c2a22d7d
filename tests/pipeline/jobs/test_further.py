"""Metrics that one study asks for and another does not: what is fitted, taken from the store and written."""

import copy

import pandas as pd
import pyarrow.parquet as pq
import pytest

from ironbark.pipeline.jobs import shard
from ironbark.pipeline.protocols import fit
from ironbark.pipeline.results import merge_rows, records, rows
from ironbark.pipeline.site import rows as site_rows

SVC = {"estimator": "sklearn.svm.LinearSVC", "params": {}, "tune": {}, "code": "1"}
FURTHER = {"names": ["log_loss", "f1"], "code": "1"}


@pytest.fixture
def run(tmp_path, prepared, labels, monkeypatch):
    """Function that runs a spec: (rows, number of new fits)."""
    calls = []
    true_run = fit.run
    monkeypatch.setattr(fit, "run", lambda *arguments: calls.append(arguments) or true_run(*arguments))
    files = {("small", "multiclass", "uniform-0.2"): labels("uniform-0.2", 2)}

    def run_(spec):
        calls.clear()
        shard.run(spec, {"small": prepared}, files, tmp_path / "store", tmp_path / "out.parquet")
        return records.read(tmp_path / "out.parquet"), len(calls)

    return run_


@pytest.fixture
def asking(spec):
    """The spec of a study that asks for two of the metrics."""
    return {**copy.deepcopy(spec), "further": FURTHER}


def untimed(frame):
    return frame.drop(columns=[*records.TIMINGS, "study"])


def test_only_the_study_that_asks_fits_again(run, spec, asking):
    plain, new = run(spec)
    assert new == 4 and list(plain) == list(records.COLUMNS)
    more, new = run(asking)
    assert new == 4 and list(more) == [*records.COLUMNS, "log_loss", "f1"]
    assert more[["log_loss", "f1"]].notna().all(axis=None)
    pd.testing.assert_frame_equal(untimed(more)[list(untimed(plain))], untimed(plain), check_exact=True)
    assert run(asking)[1] == 0
    again, new = run(spec)
    assert new == 0
    pd.testing.assert_frame_equal(again, plain, check_exact=True)


def test_a_study_that_asks_leaves_the_fits_for_those_that_do_not(run, spec, asking):
    more, new = run(asking)
    plain, without = run(spec)
    assert (new, without) == (4, 0) and list(plain) == list(records.COLUMNS)
    pd.testing.assert_frame_equal(more[list(records.COLUMNS)], plain, check_exact=True)
    asking["further"] = {"names": ["brier"], "code": "1"}
    rows_, new = run(asking)
    assert new == 0 and rows_["brier"].notna().all() and "f1" not in rows_


def test_new_code_of_the_metrics_counts(run, asking):
    run(asking)
    asking["further"] = {**FURTHER, "code": "2"}
    assert run(asking)[1] == 4


def test_a_method_without_probabilities_is_a_gap_with_a_sentence(run, asking, tmp_path, capsys):
    asking["methods"]["gini"] = SVC
    found, _ = run(asking)
    svc = found[found["method"] == "gini"]
    assert set(svc["status"]) == {"ok"} and svc["log_loss"].isna().all() and svc["f1"].notna().all()
    assert set(svc["message"]) == {"no log_loss: LinearSVC has no predict_proba"}
    assert set(found.loc[found["method"] != "gini", "message"]) == {""}
    n, failed = rows.failed(tmp_path / "out.parquet")
    assert (n, len(failed)) == (4, 0)


def test_further_columns_reach_tables_and_pages(run, asking, tmp_path):
    run(asking)
    part, whole = tmp_path / "out.parquet", tmp_path / "results/rows.parquet"
    whole.parent.mkdir()
    merge_rows.write(merge_rows.read([part, part], ["method", "repeat"]), whole, part)
    assert pq.read_schema(whole).names == [*records.COLUMNS, "log_loss", "f1"]
    assert {"log_loss", "f1"} <= set(rows.shown(whole)) and {"log_loss", "f1"} <= set(
        site_rows.read(whole.parent).frame
    )

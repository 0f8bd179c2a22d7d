"""Outputs that one study wants stored and another does not: what is fitted, taken from the store and scored."""

import copy

import pandas as pd
import pytest
from pipeline.jobs import batches

from ironbark.pipeline.metrics import outputs
from ironbark.pipeline.protocols import fit
from ironbark.pipeline.results import records, store
from ironbark.pipeline.site import numbers as site_results

SVC = {"estimator": "sklearn.svm.LinearSVC", "params": {}, "tune": {}, "code": "1"}
NAMES = ["f1", "log_loss"]


@pytest.fixture
def run(tmp_path, prepared, labels, monkeypatch):
    """Function that runs a spec: (rows, number of new fits)."""
    calls = []
    true_run = fit.run
    monkeypatch.setattr(fit, "run", lambda *arguments: calls.append(arguments) or true_run(*arguments))
    files = {("small", "multiclass"): labels("uniform-0.2", 2)}

    def run_(spec, names=()):
        calls.clear()
        spec = {**spec, "wanted": {"multiclass": outputs(names, "multiclass")}}
        found = batches.rows(spec, {"small": prepared}, files, tmp_path / "store", tmp_path / "out.jsonl.gz", names)
        return found, len(calls)

    return run_


def untimed(frame):
    return frame.drop(columns=[*records.MEASURED, "study"])


def test_only_a_study_that_wants_more_outputs_fits_again(run, spec):
    plain, new = run(spec)
    assert new == 4 and list(plain) == list(records.COLUMNS)
    assert run(spec, ["f1", "average_precision"])[1] == 0, "labels are enough, and the second is for two classes"
    more, new = run(spec, NAMES)
    assert new == 4 and list(more) == [*records.COLUMNS, *NAMES]
    assert more[NAMES].notna().all(axis=None)
    pd.testing.assert_frame_equal(untimed(more)[list(untimed(plain))], untimed(plain), check_exact=True)
    assert run(spec, ["brier", "roc_auc"])[1] == 0, "other metrics of the same outputs"
    again, new = run(spec)
    assert new == 0 and list(again) == list(records.COLUMNS)


def test_studies_that_want_different_outputs_do_not_fit_in_turns(run, spec):
    assert run(spec, ["detection"])[1] == 4
    assert run(spec, ["brier"])[1] == 4
    assert run(spec, ["detection"])[1] == 0
    assert run(spec, ["brier"])[1] == 0


def test_a_method_without_probabilities_is_a_gap_with_a_sentence(run, spec):
    spec["methods"]["gini"] = SVC
    run(spec)
    found, _ = run(spec, NAMES)
    svc = found[found["method"] == "gini"]
    assert set(svc["status"]) == {"ok"} and svc["log_loss"].isna().all() and svc["f1"].notna().all()
    assert set(svc["message"]) == {"no log_loss: LinearSVC has no predict_proba"}
    assert set(found.loc[found["method"] != "gini", "message"]) == {""}
    assert run(spec, NAMES)[1] == 0, "what can't be had is not tried again"


def test_further_columns_reach_tables_and_pages(run, spec, tmp_path):
    found, _ = run(spec, NAMES)
    path = tmp_path / "results/rows.parquet"
    records.write_merged(records.merged([records.table(found)] * 2, ["method", "repeat"]), path)
    assert set(NAMES) <= set(records.shown(path)) and set(NAMES) <= set(site_results.rows(path.parent).frame)


def test_a_batch_is_the_same_bytes_whoever_reads_it(run, spec, tmp_path):
    run(copy.deepcopy(spec))
    first = (tmp_path / "out.jsonl.gz").read_bytes()
    run(spec)
    assert (tmp_path / "out.jsonl.gz").read_bytes() == first
    header, fits = store.read_batch(tmp_path / "out.jsonl.gz")
    assert header["study"] == "s" and len(fits) == 4 and set(fits[0]["record"]["outputs"]) == {"errors"}

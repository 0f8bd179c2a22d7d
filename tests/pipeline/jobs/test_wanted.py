"""Outputs that one study wants stored and another does not: what is fitted, taken from the store and scored."""

import pandas as pd
import pytest
from pipeline.jobs import batches

from ironbark.pipeline.metrics import outputs
from ironbark.pipeline.protocols import fit
from ironbark.pipeline.results import records

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

"""How a run ends: a method without any result is an error, one with some is not."""

import pytest

from ironbark.pipeline.jobs.summary import verdict
from ironbark.pipeline.results import records


@pytest.fixture
def results(tmp_path):
    base = {"dataset": "d", "task": "binary", "noise_id": "clean"}
    lines = [{**base, "method": "good", "status": "ok"}, {**base, "method": "some", "status": "ok"}]
    lines += [{**base, "method": "some", "status": "failed", "message": "odd"}]
    lines += [{**base, "method": "bad", "status": "failed", "message": f"cause {i}"} for i in (1, 2, 3)]
    for study, rows in (("one", lines), ("two", lines[:3])):
        records.write(records.frame(rows), tmp_path / study / "full/rows.parquet")
    return tmp_path


def test_a_method_whose_every_fit_failed(results):
    sentence = verdict(results, ["one", "two"], "full")
    assert sentence.startswith(
        "study 'one': method 'bad' failed in each of its 3 fits, the first with 'cause 1'; correct"
    )
    assert "\n" not in sentence and "some" not in sentence


def test_only_the_studies_of_the_run_count(results):
    assert verdict(results, ["two"], "full") == verdict(results, ["one"], "smoke") == verdict(results, [], "full") == ""

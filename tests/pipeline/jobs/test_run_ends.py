"""How jobs and runs end: logs, last lines, and a study whose every fit of a method failed."""

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.jobs import slurm
from ironbark.pipeline.jobs.summary import verdict
from ironbark.pipeline.log import reporting
from ironbark.pipeline.results import records


def test_a_users_mistake_is_one_sentence(tmp_path):
    with pytest.raises(SystemExit) as caught, reporting(tmp_path / "log"):
        raise InputError("no such column; fix it")
    assert caught.value.code == 1
    assert (tmp_path / "log").read_text() == "ironbark: no such column; fix it\n"


def test_a_defect_shows_its_traceback(tmp_path):
    with pytest.raises(SystemExit), reporting(tmp_path / "log"):
        raise ZeroDivisionError("ours")
    text = (tmp_path / "log").read_text()
    assert "Traceback" in text and "ZeroDivisionError: ours" in text


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


def test_slurm_without_its_commands_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="sbatch and squeue cannot be found .* leave out `--profile slurm`"):
        slurm.check("slurm")
    slurm.check("local")

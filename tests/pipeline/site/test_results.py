"""Which studies the site shows, in what words it leaves others out, their rows, and names for readers."""

import json
import os

import pytest
from site_cases import fill, rows, spec, study

from ironbark.pipeline.results import records
from ironbark.pipeline.site import numbers as files


def record(results, id="pond", scale="full", when=None, **changes):
    """Write study.json as a run does."""
    about = {key: value for key, value in spec(study()).items() if key not in ("studies", "problems")}
    path = results / id / scale / "study.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(about | {"study": study(id, scale=scale)} | changes), encoding="utf-8")
    if when:
        os.utime(path, (when, when))
    return path


def test_studies_with_all_that_they_use_the_larger_scale_first(tmp_path):
    assert files.studies(tmp_path / "none")["studies"] == []
    record(tmp_path)
    (tmp_path / "site/assets").mkdir(parents=True)
    assert files.studies(tmp_path) == spec(study())
    record(tmp_path, "lake", when=2e9, methods={"dt-a": {"label": "New"}}, scale="smoke")
    record(tmp_path, when=1e9, methods={"dt-a": {"label": "Old"}}, scale="lite")
    found = files.studies(tmp_path)
    assert [about["scale"] for about in found["studies"] if about["id"] == "pond"] == ["full", "lite"]


def test_results_without_a_description_are_named_with_the_command_that_writes_it(tmp_path):
    (tmp_path / "old/smoke/fits").mkdir(parents=True)
    record(tmp_path).write_text("{", encoding="utf-8")
    found = files.studies(tmp_path)
    assert found["studies"] == [] and found["datasets"] == {}
    missing, damaged = found["problems"]
    assert missing.startswith("old (smoke) is left out: ") and damaged.startswith("pond (full) is left out: ")
    assert "run `snakemake --cores 2 old --config scale=smoke` again" in missing


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path) / "pond/full"


def test_a_study_that_still_runs_shows_the_batches_that_have_ended(folder):
    found = files.rows(folder)
    assert found.problems == [] and found.frame["accuracy"].tolist() == rows()["accuracy"].tolist()
    records.write(rows().head(5), folder / "partial.parquet")
    os.utime(folder / "partial.parquet", (1, 1))
    assert files.rows(folder).path == folder / "rows.parquet", "older batches are not shown"
    os.utime(folder / "rows.parquet", (0, 0))
    assert len(files.rows(folder).frame) == 5


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PAR1 no", "rows.parquet is damaged"),
        (rows().drop(columns=["n_leaves", "versions"]), "older version of ironbark: it lacks n_leaves, versions; run"),
        (None, None),
    ],
)
def test_files_that_cannot_be_shown_are_named(folder, content, words):
    path = folder / "rows.parquet"
    path.unlink()
    if content is not None:
        path.write_bytes(content) if isinstance(content, bytes) else content.to_parquet(path)
    found = files.rows(folder)
    assert found.problems == [] if words is None else words in found.problems[0]
    assert found.frame.empty and "accuracy" in found.frame


NOISES = {
    "clean": {"label": "0", "model": "clean"},
    "uniform-0.4": {"label": "0.4", "model": "uniform", "rate": 0.4},
    "cc": {"label": "CC 0.1/0.3", "model": "class_conditional", "rate": [0.1, 0.3]},
    "far": {"label": "Mahalanobis", "model": "mahalanobis"},
    "margin-2": {"label": "Margin II 0.2", "model": "margin", "rate": 0.2, "params": {"type": 2}},
}


def test_labels_tell_trees_from_forests():
    estimators = {"dt": "ironbark.RobustDecisionTreeClassifier", "rf": "ironbark.RobustRandomForestClassifier"}
    assert files.label("ANE", estimators["dt"]) == "ANE tree"
    assert files.label("ANE", estimators["rf"]) == "ANE forest"
    assert files.label("Self-tuned tree", estimators["dt"]) == "Self-tuned tree"
    assert files.label("XGBoost", "xgboost.XGBClassifier") == "XGBoost"


def test_noises_have_kind_and_rate_in_words_and_equal_names_their_ids():
    found = files.described(NOISES)
    names = ["clean", "uniform 40 %", "class conditional 10 % / 30 %", "Mahalanobis", "Margin II 0.2"]
    assert [about["name"] for about in found.values()] == names
    assert [about["x"] for about in found.values()] == [0, 0.4, None, None, 0.2]
    assert found["far"]["rate"] == "" and found["cc"]["kind"] == "class conditional"
    found = files.described({name: NOISES["uniform-0.4"] for name in ("a", "b")})
    assert [about["name"] for about in found.values()] == ["uniform 40 % (a)", "uniform 40 % (b)"]
    told = spec(study())
    told["studies"][0]["methods"] = {"dt-a": "Same", "dt-b": "Same", "rf-c": "Other"}
    found = files.labelled(told)["studies"][0]["methods"]
    assert found == {"dt-a": "Same (dt-a)", "dt-b": "Same (dt-b)", "rf-c": "Other"}

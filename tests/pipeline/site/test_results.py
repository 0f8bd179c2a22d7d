"""Which studies the site shows, in what words it leaves others out, their rows, and names for readers."""

import json
import os

import pandas as pd
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


def test_studies_with_all_that_they_use(tmp_path):
    record(tmp_path)
    (tmp_path / "site/assets").mkdir(parents=True)
    assert files.studies(tmp_path) == spec(study())


def test_the_larger_scale_comes_first(tmp_path):
    for scale in ("smoke", "full", "lite"):
        record(tmp_path, scale=scale)
    assert [about["scale"] for about in files.studies(tmp_path)["studies"]] == ["full", "lite", "smoke"]


def test_of_two_entries_the_later_run_counts(tmp_path):
    record(tmp_path, "lake", when=2e9, methods={"dt-a": {"label": "New"}})
    record(tmp_path, "pond", when=1e9, methods={"dt-a": {"label": "Old"}})
    assert files.studies(tmp_path)["methods"]["dt-a"]["label"] == "New"


def test_results_without_a_description_are_named_with_the_command_that_writes_it(tmp_path):
    (tmp_path / "old/smoke/fits").mkdir(parents=True)
    record(tmp_path).write_text("{", encoding="utf-8")
    found = files.studies(tmp_path)
    assert found["studies"] == [] and found["datasets"] == {}
    missing, damaged = found["problems"]
    assert missing.startswith("old (smoke) is left out: ") and "study.json is missing" in missing
    assert "run `snakemake --cores 2 old --config scale=smoke` again" in missing
    assert damaged.startswith("pond (full) is left out: ") and "is damaged" in damaged


def test_without_results_there_are_no_studies(tmp_path):
    assert files.studies(tmp_path / "none")["studies"] == []


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path) / "pond/full"


def test_a_finished_study_gives_its_rows_without_complaint(folder):
    found = files.rows(folder)
    assert found.problems == [] and found.files == [folder / "rows.parquet"]
    assert found.frame["accuracy"].tolist() == rows()["accuracy"].tolist()
    assert found.frame["method"].astype("str").tolist() == rows()["method"].tolist()


def test_a_study_that_still_runs_shows_the_batches_that_have_ended(folder):
    records.write(rows().head(5), folder / "partial.parquet")
    os.utime(folder / "rows.parquet", (1, 1))
    assert len(files.rows(folder).frame) == 5
    (folder / "rows.parquet").unlink()
    assert len(files.rows(folder).frame) == 5


def test_batches_older_than_the_rows_are_not_shown(folder):
    records.write(rows().head(5), folder / "partial.parquet")
    os.utime(folder / "partial.parquet", (1, 1))
    assert files.rows(folder).files == [folder / "rows.parquet"]


def test_a_damaged_file_is_named(folder):
    (folder / "rows.parquet").write_bytes(b"PAR1 no")
    found = files.rows(folder)
    assert found.frame.empty and len(found.problems) == 1
    assert "rows.parquet is damaged" in found.problems[0] and "run the study again" in found.problems[0]


def test_rows_of_an_older_version_are_read_and_said_to_be_old(folder):
    rows().drop(columns=["n_leaves", "versions"]).to_parquet(folder / "rows.parquet")
    found = files.rows(folder)
    assert len(found.frame) == len(rows()) and found.frame["n_leaves"].isna().all()
    assert "older version of ironbark: n_leaves, versions not recorded" in found.problems[0]


def test_a_table_of_something_else_is_refused(folder):
    pd.DataFrame({"dataset": ["a"], "accuracy": [1.0]}).to_parquet(folder / "rows.parquet")
    found = files.rows(folder)
    assert found.frame.empty and "is no table of result rows" in found.problems[0]


def test_nothing_gives_no_rows(tmp_path):
    found = files.rows(tmp_path)
    assert found.frame.empty and found.problems == [] and "accuracy" in found.frame


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


def test_labels_are_unique_within_a_study():
    told = spec(study())
    told["studies"][0]["methods"] = {"dt-a": "Same", "dt-b": "Same", "rf-c": "Other"}
    found = files.labelled(told)["studies"][0]["methods"]
    assert found == {"dt-a": "Same (dt-a)", "dt-b": "Same (dt-b)", "rf-c": "Other"}


def test_noises_have_kind_and_rate_in_words():
    found = files.described(NOISES)
    assert [about["name"] for about in found.values()] == [
        "clean",
        "uniform 40 %",
        "class conditional 10 % / 30 %",
        "Mahalanobis",
        "Margin II 0.2",
    ]
    assert [about["x"] for about in found.values()] == [0, 0.4, None, None, 0.2]
    assert found["far"]["rate"] == "" and found["cc"]["kind"] == "class conditional"


def test_equal_names_get_their_ids():
    found = files.described({name: NOISES["uniform-0.4"] for name in ("a", "b")})
    assert [about["name"] for about in found.values()] == ["uniform 40 % (a)", "uniform 40 % (b)"]

import os

import pandas as pd
import pytest
from site_cases import fill, rows

from ironbark.pipeline.results import records
from ironbark.pipeline.site.data.rows import read


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path) / "pond/full"


def test_a_finished_study_gives_its_rows_without_complaint(folder):
    found = read(folder)
    assert found.problems == [] and found.files == [folder / "rows.parquet"]
    assert found.frame["accuracy"].tolist() == rows()["accuracy"].tolist()
    assert found.frame["method"].astype("str").tolist() == rows()["method"].tolist()


def test_a_study_that_still_runs_shows_the_batches_that_have_ended(folder):
    records.write(rows().head(5), folder / "partial.parquet")
    os.utime(folder / "rows.parquet", (1, 1))
    assert len(read(folder).frame) == 5
    (folder / "rows.parquet").unlink()
    assert len(read(folder).frame) == 5


def test_batches_older_than_the_rows_are_not_shown(folder):
    records.write(rows().head(5), folder / "partial.parquet")
    os.utime(folder / "partial.parquet", (1, 1))
    assert read(folder).files == [folder / "rows.parquet"]


def test_a_damaged_file_is_named(folder):
    (folder / "rows.parquet").write_bytes(b"PAR1 no")
    found = read(folder)
    assert found.frame.empty and len(found.problems) == 1
    assert "rows.parquet is damaged" in found.problems[0] and "run the study again" in found.problems[0]


def test_rows_of_an_older_version_are_read_and_said_to_be_old(folder):
    rows().drop(columns=["n_leaves", "versions"]).to_parquet(folder / "rows.parquet")
    found = read(folder)
    assert len(found.frame) == len(rows()) and found.frame["n_leaves"].isna().all()
    assert "older version of ironbark: n_leaves, versions not recorded" in found.problems[0]


def test_a_table_of_something_else_is_refused(folder):
    pd.DataFrame({"dataset": ["a"], "accuracy": [1.0]}).to_parquet(folder / "rows.parquet")
    found = read(folder)
    assert found.frame.empty and "is no table of result rows" in found.problems[0]


def test_nothing_gives_no_rows(tmp_path):
    found = read(tmp_path)
    assert found.frame.empty and found.problems == [] and "accuracy" in found.frame

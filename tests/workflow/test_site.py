"""The site as Snakemake builds it."""

import importlib.util
import json

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("vl_convert") is None, reason="needs the package vl-convert-python"
)


def test_a_study_that_has_finished_is_in_the_site(shared):
    page = (shared / "results/site/study/tiny-full.html").read_text("utf-8")
    assert "32 of 32 fits done" in page and "Not made yet" not in page and "Not drawn yet" not in page
    sheet = json.loads((shared / "results/tiny/full/provenance.json").read_text("utf-8"))
    assert sheet["studies"][0]["rows"] == 32 and set(sheet["datasets"]) == {"breast-cancer", "iris"}
    assert "150 samples" in (shared / "results/site/dataset/iris.html").read_text("utf-8")


def test_the_site_is_built_at_any_time_and_runs_no_study(built):
    (built / "results/tiny/full/rows.parquet").unlink()
    (next(built.folder.glob("results/tiny/full/fits/breast-cancer/binary/*.jsonl.gz"))).unlink()
    built.run("site")
    page = (built / "results/site/study/tiny-full.html").read_text("utf-8")
    assert "missing" in page and not (built / "results/tiny/full/rows.parquet").exists()


def test_without_results_there_is_a_site_that_says_so(checkout):
    checkout.run("site")
    assert "There are no results yet." in (checkout / "results/site/index.html").read_text("utf-8")

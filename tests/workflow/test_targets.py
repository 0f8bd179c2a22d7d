"""The targets plan, datasets and site."""

import importlib.util
import json

import numpy as np
import pandas as pd
import pytest


@pytest.mark.slow
def test_the_target_plan(built):
    for _ in range(2):  # it has no output, so it runs each time
        text = built.run("plan", "--config", "studies=tiny").stdout
        assert "tiny, scale full\n" in text and "32 fits have finished" in text
        assert "on 2 cores" in text and "Rates of" in text
        assert "  breast-cancer    16 " in text and "  in all           32 " in text
    text = built.run("plan", "--config", "studies=[tiny,quickstart]", "scale=smoke").stdout
    assert "tiny, scale smoke: one repeat\n" in text and "quickstart, scale smoke: 2 repeats" in text
    assert "0 fits have finished" in text and "Rates of" in text


OWN = "\nown: {title: Own, source: file, path: own.csv, papers: {rmb: blood}, deviations: [Made up.]}\n"


@pytest.mark.slow
def test_the_target_datasets(checkout, tmp_path):
    """A mirror without tables leaves what is on this machine."""
    (tmp_path / "mirror").mkdir()
    pd.DataFrame({"a": np.arange(748), "b": 1.5, "target": np.arange(748) % 2}).to_csv(
        checkout / "own.csv", index=False
    )
    checkout.append("config/datasets.yaml", OWN)
    with_mirror = ["--config", f"mirror={tmp_path / 'mirror'}"]
    assert checkout.planned("datasets", *with_mirror) == {"datasets": 1, "dataset_table": 5, "fetch": 1, "prepare": 1}
    checkout.run("results/datasets/rmb.html", *with_mirror)
    text = (checkout / "results/datasets/rmb.md").read_text("utf-8")
    assert "| blood | own | 748 ✓ | **4 (−2)** | [1] |" in text and "[1] own: Made up." in text
    assert "| higgs | higgs | 11000000 – | 21 – |  |" in text
    values = pd.read_csv(checkout / "results/datasets/rmb.csv")
    assert values.loc[values["dataset"] == "own", "agrees"].astype(str).tolist() == ["True", "False"]
    assert checkout.planned("results/datasets/rmb.html", *with_mirror) == {}


drawn = pytest.mark.skipif(importlib.util.find_spec("vl_convert") is None, reason="needs vl-convert-python")


@drawn
def test_a_study_that_has_finished_is_in_the_site(shared):
    page = (shared / "results/site/study/tiny-full.html").read_text("utf-8")
    assert "32 of 32 fits done" in page and "Not made yet" not in page and "Not drawn yet" not in page
    sheet = json.loads((shared / "results/tiny/full/provenance.json").read_text("utf-8"))
    assert sheet["studies"][0]["rows"] == 32 and set(sheet["datasets"]) == {"breast-cancer", "iris"}
    assert "150 samples" in (shared / "results/site/dataset/iris.html").read_text("utf-8")


@drawn
def test_the_site_is_built_at_any_time_and_runs_no_study(built):
    (built / "results/tiny/full/rows.parquet").unlink()
    (next(built.folder.glob("results/tiny/full/fits/breast-cancer/binary/*.jsonl.gz"))).unlink()
    built.run("site")
    page = (built / "results/site/study/tiny-full.html").read_text("utf-8")
    assert "missing" in page and not (built / "results/tiny/full/rows.parquet").exists()


@drawn
def test_without_results_there_is_a_site_that_says_so(checkout):
    checkout.run("site")
    assert "There are no results yet." in (checkout / "results/site/index.html").read_text("utf-8")

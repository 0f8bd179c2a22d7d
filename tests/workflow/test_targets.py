"""The targets, the linter, the cluster profile, and the files that people and scripts lean on."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.results import records


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


ROOT = Path(__file__).parents[2]
STUDIES = sorted(path.stem for path in (ROOT / "config/studies").glob("*.yaml"))


def test_every_study_plans(checkout):
    """All at once, since most of a dry run's time goes into reading rules; parts that studies share count once.

    The smallest scale has all rules; `tests/contracts/test_config.py` plans the studies at every scale without them.
    """
    settings = yaml.safe_load((checkout / "config/config.yaml").read_text("utf-8")) | {"scale": "smoke"}
    plan = Plan(read(checkout / "config", checkout / "workflow/schemas", settings), shares_packages=False)
    studies = [name for name in STUDIES if not _needs_pytorch(plan.config, name)]
    assert len(studies) >= len(STUDIES) - 2
    profile = ["--profile", "slurm"] if importlib.util.find_spec("snakemake_executor_plugin_slurm") else []
    done = checkout.run("-n", *studies, "--config", "scale=smoke", *profile)
    assert not profile or ("mem_mb" in done.stdout and "runtime" in done.stdout)
    counts = checkout.counts(done)
    assert {name: counts[name] for name in studies} == dict.fromkeys(studies, 1)
    assert counts["report"] == counts["score"] == len(studies)
    assert counts["shard"] > len(studies) and counts["corrupt"] > 0
    for kind in ("table", "figure"):
        assert counts[f"{kind}s"] == sum(bool(plan.study(name, "smoke").shown(kind)) for name in studies)


def _needs_pytorch(config, study):
    """Whether a study has embeddings only, and their packages are missing, which it then says."""
    datasets = {name for grid in config["studies"][study]["grids"] for name in grid["datasets"]}
    missing = packages.missing(SOURCES["vgg11"].packages)
    return bool(missing) and {config["datasets"][name]["source"] for name in datasets} == {"vgg11"}


def test_lint(checkout):
    done = checkout.run("--lint")
    assert "Congratulations" in done.stdout + done.stderr


FOLDER = "results/tiny/full"


def test_files_and_rows(shared):
    text = (shared / "done").read_text("utf-8")
    assert "tiny (full): 32 fits" in text and "results/tiny/full/report.html" in text and "FAILED" not in text
    found = {str(path.relative_to(shared / FOLDER)) for path in (shared / FOLDER).rglob("*") if path.is_file()}
    expected = {"rows.parquet", "report.html", "provenance.json", "study.json"}
    expected |= {f"figures/curves{suffix}" for suffix in (".png", ".svg", ".pdf")}
    expected |= {f"tables/accuracy{suffix}" for suffix in (".csv", ".md", ".tex", ".html")}
    found = {path for path in found if not path.endswith(".snakemake_timestamp")}
    assert expected <= found
    assert {name.split("/")[0] for name in found - expected} == {"labels", "fits"}
    for path in found:
        assert (shared / FOLDER / path).stat().st_size > 0
    rows = records.read(shared / FOLDER / "rows.parquet")
    assert list(rows.columns) == list(records.COLUMNS)
    assert (
        len(rows) == 32 and not rows.duplicated(["dataset", "task", "noise", "rate", "method", "repeat", "fold"]).any()
    )
    assert set(rows["status"]) == {"ok"} and set(rows["message"]) == {""}
    assert set(rows["study"]) == {"tiny"} and set(rows["scale"]) == {"full"}
    assert set(zip(rows["noise"], rows["rate"], strict=True)) == {("clean", "0"), ("uniform", "0.2")}
    assert rows["accuracy"].between(0.5, 1).all() and rows["balanced_accuracy"].between(0.5, 1).all()
    assert (rows["fit_seconds"] >= 0).all() and (rows["n_leaves"] >= 2).all() and (rows["depth"] >= 1).all()
    assert (rows.loc[rows["noise"] == "clean", "flipped"] == 0).all()
    assert rows.loc[rows["noise"] == "uniform", "flipped"].between(0.05, 0.35).all()
    for text in rows["versions"].unique():
        assert {"python", "numpy", "scikit-learn", "numba"} <= set(json.loads(text))

"""The targets, plans of all studies and for a cluster, one published cell, downloads, and files that people lean on."""

import csv
import importlib.util
import json
import re
import shutil
import threading
import time

import numpy as np
import pandas as pd
import pytest
import yaml
from checkouts import ROOT, SAME
from mirror_tables import MIRROR
from server import Site

from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.results import parquet, records


@pytest.mark.slow
def test_the_target_plan(built):
    text = built.run("plan", "--config", "studies=tiny").stdout
    assert "tiny, scale full\n" in text and "on 2 cores" in text
    assert re.search(r"\n  breast-cancer +16 ", text) and re.search(r"\n  in all +32 ", text)
    text = built.run("plan", "--config", "studies=[tiny,quickstart]", "scale=smoke").stdout
    assert "tiny, scale smoke: one repeat\n" in text and "quickstart, scale smoke: 2 repeats" in text


@pytest.mark.slow
def test_without_records_of_snakemake_batches_of_another_plan_are_made_anew(built):
    """As after a copy to another place, or where two checkouts have the same results; fits are not trained again."""
    rows, fits = built / "results/tiny/full/rows.parquet", built.fits()
    shutil.rmtree(built / ".snakemake/metadata")
    built.edit(
        "config/methods/baselines.yaml",
        "tree.DecisionTreeClassifier\n",
        "tree.DecisionTreeClassifier\n  params: {max_depth: 1}\n",
    )
    before, lock = parquet.read(rows), built / ".snakemake/locks/0.input.lock"
    lock.parent.mkdir(exist_ok=True)
    lock.write_text("another")  # a run that goes on
    built.run("tiny")
    assert parquet.read(rows).equals(before) and built.fits() == fits
    lock.unlink(missing_ok=True)
    built.run("tiny")
    after, changed = parquet.read(rows), before["method"] == "sklearn-dt"
    assert before[~changed][SAME].equals(after[~changed][SAME]) and built.fits() == fits + changed.sum()
    assert not np.array_equal(before["accuracy"][changed], after["accuracy"][changed])


OWN = "\nown: {title: Own, source: file, path: own.csv, papers: {rmb: blood}, deviations: [Made up.]}\n"


@pytest.mark.slow
def test_the_target_datasets(checkout, tmp_path):
    """A mirror without tables leaves what is on this machine."""
    (tmp_path / "mirror").mkdir()
    table = pd.DataFrame({"a": np.arange(748), "b": 1.5, "target": np.arange(748) % 2})
    table.to_csv(checkout / "own.csv", index=False)
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


STUDIES = sorted(path.stem for path in (ROOT / "config/studies").glob("*.yaml"))


def test_every_study_plans(checkout):
    """All at once, since most of a dry run's time goes into reading rules; parts that studies share count once."""
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
        assert counts[f"{kind}s"] == sum(bool(plan.study(name, "smoke").shown[kind]) for name in studies)


def _needs_pytorch(config, study):
    """Whether a study has embeddings only, and their packages are missing, which it then says."""
    datasets = {name for grid in config["studies"][study]["grids"] for name in grid["datasets"]}
    missing = packages.missing(SOURCES["vgg11"].packages)
    return bool(missing) and {config["datasets"][name]["source"] for name in datasets} == {"vgg11"}


FOLDER = "results/tiny/full"


def test_files_and_rows(shared):
    text = (shared / "done").read_text("utf-8")
    assert "tiny (full): 32 fits" in text and "results/tiny/full/report.html" in text and "FAILED" not in text
    found = {str(path.relative_to(shared / FOLDER)) for path in (shared / FOLDER).rglob("*") if path.is_file()}
    expected = {"rows.parquet", "report.html", "provenance.json", "study.json"}
    expected |= {f"figures/curves{suffix}" for suffix in (".png", ".svg", ".pdf")}
    expected |= {f"tables/accuracy{suffix}" for suffix in (".csv", ".md", ".tex", ".html")}
    found = {path for path in found if not path.endswith(".snakemake_timestamp")}
    assert expected <= found and {name.split("/")[0] for name in found - expected} == {"labels", "fits"}
    for path in found:
        assert (shared / FOLDER / path).stat().st_size > 0
    rows = parquet.read(shared / FOLDER / "rows.parquet")
    assert list(rows.columns) == list(records.COLUMNS)
    assert len(rows) == 32 and not rows.duplicated(["dataset", "noise", "rate", "method", "repeat"]).any()
    assert set(rows["status"]) == {"ok"} and set(rows["message"]) == {""}
    assert set(rows["study"]) == {"tiny"} and set(rows["scale"]) == {"full"}
    assert set(zip(rows["noise"], rows["rate"], strict=True)) == {("clean", "0"), ("uniform", "0.2")}
    assert rows["accuracy"].between(0.5, 1).all() and ((rows["flipped"] > 0) == (rows["noise"] == "uniform")).all()
    for text in rows["versions"].unique():
        assert {"python", "numpy", "scikit-learn", "numba"} <= set(json.loads(text))


CELL = "cell=ane/table-2/mushrooms/uniform-0.4/dt-ane"
STEM = "ane-table-2-mushrooms-uniform-0.4-dt-ane"

#: The paper's study, small, and data that need no download in place of those of one cell.
ANE_STUDY = """
title: Small
protocol: {kind: fixed-split, repeats: 5}
grids:
  - {datasets: [mushrooms], tasks: [binary], noises: [clean, uniform-0.4], methods: [dt-ane, dt-gini]}
tables:
  accuracy: {kind: accuracy, metric: roc_auc, caption: Asks for an output that the cell alone would not store.}
compare:
  published: ane
  methods: {DT: {ane: dt-ane, mse: dt-gini}}
"""
SOURCE = """
  source: libsvm
  files: [binary/mushrooms]
  split: {train_size: 0.8, random_state: 0, stratify: false}
  expect: {n: 8124, d: 112, k: 2, counts: {"1": 3916, "2": 4208}}
"""
OTHER = """
  source: sklearn
  loader: breast_cancer
  split: {train_size: 0.8, random_state: 0, stratify: false}
"""


def new_fits(checkout, study):
    """Lines of the logs of a study's batches."""
    logs = (checkout / "results/logs/shard" / study).rglob("*.log")
    return sorted(line for path in logs for line in path.read_text().splitlines())


def test_a_cell_is_run_alone_printed_and_its_fits_are_those_of_the_study(compiled):
    (compiled / "config/studies/ane.yaml").write_text(ANE_STUDY, encoding="utf-8")
    compiled.edit("config/datasets/ane.yaml", SOURCE, OTHER)
    done = compiled.run("check", "--config", CELL)
    assert new_fits(compiled, f"check/{STEM}") == ["mushrooms binary uniform-0.4 dt-ane: 5 fits, 5 of them new"]
    found = json.loads((compiled / f"results/check/{STEM}.json").read_text())
    assert (compiled / f"results/check/{STEM}.md").read_text() in done.stdout
    assert found["published"] == {"mean": 98.07, "spread": 1.455, "runs": 5} and found["fits"] == 5
    assert found["verdict"] == "differs" and found["within_two_sd"] is False  # breast cancer is no mushroom
    assert not found["data"]["published"][0]["agrees"] and "published 6499" in done.stdout
    refused = compiled.refused("check", "--config", CELL.replace("mushrooms", "mushroms"))
    assert "did you mean 'ane/table-2/mushrooms/uniform-0.4/dt-ane" in refused
    compiled.run("results/ane/full/rows.parquet")
    lines = new_fits(compiled, "ane")
    assert "mushrooms binary uniform-0.4 dt-ane: 5 fits, 0 of them new" in lines
    assert sum("5 of them new" in line for line in lines) == 3 and len(lines) == 4
    rows = parquet.read(compiled / "results/ane/full/rows.parquet")
    own = rows[(rows["noise_id"] == "uniform-0.4") & (rows["method"] == "dt-ane")]
    assert 100 * own["accuracy"].mean() == pytest.approx(found["ours"]["mean"], abs=1e-12)


@pytest.mark.skipif(not (MIRROR / "mushrooms.parquet").is_file(), reason="no Mushrooms; set IRONBARK_MIRROR")
def test_the_cell_of_the_readme_has_the_bits_of_the_reference(compiled):
    done = compiled.run("check", "--config", CELL, f"mirror={MIRROR}")
    found = json.loads((compiled / f"results/check/{STEM}.json").read_text())
    with open(ROOT / "data/reference/mushrooms.csv", encoding="utf-8", newline="") as stream:
        lines = {(line["noise_id"], line["method"]): line for line in csv.DictReader(stream)}
    line = lines["uniform-0.4", "dt-ane"]
    percent = {name: 100 * float(line[name]) for name in ("mean", "spread")}
    assert found["ours"] == percent | {"runs": int(line["n"])}
    assert found["verdict"] == "not rejected" and found["data"]["deviations"] == []
    assert all(fact["agrees"] for fact in found["data"]["published"])
    shown = (ROOT / "docs/reproduction.md").read_text("utf-8").split("## Check one published value")[1].split("```")[3]
    lines = [line for line in shown.splitlines() if line]
    assert len(lines) == 6 and set(lines) <= set(done.stdout.splitlines())


OF_SERVER = "\nd{i}: {{title: D, source: url, url: '{url}', format: csv}}\n"


class Busy(Site):
    """Takes its time for each connection."""

    def __init__(self):
        super().__init__()
        self.lock, self.now, self.most, self.seconds = threading.Lock(), 0, 0, 3

    def process_request_thread(self, *request):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self.seconds)
        super().process_request_thread(*request)
        with self.lock:
            self.now -= 1


def test_a_server_gets_two_connections_at_most(checkout):
    for path in [*(checkout / "config/studies").glob("*.yaml"), *(checkout / "config/datasets").glob("*.yaml")]:
        if path.stem not in ("quickstart", "tiny"):
            path.unlink()
    with Busy() as server:
        for i in range(3):
            url = server.put(f"{i}.csv", b"x,target\n1,0\n2,1\n")
            checkout.append("config/datasets.yaml", OF_SERVER.format(i=i, url=url))
        done = checkout.run("--cores", "3", *(f"data/raw/d{i}/table.parquet" for i in range(3)), no_proxy="*")
        assert server.most == 2, done.stdout + done.stderr

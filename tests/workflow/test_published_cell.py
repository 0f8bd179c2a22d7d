"""The target `check`: one published cell, run alone and found again by the study that has it."""

import csv
import json
import subprocess
import sys

import pytest
from checkouts import ROOT
from mirror_tables import MIRROR

from ironbark.pipeline.results import records

CELL = "cell=ane/table-2/mushrooms/uniform-0.4/dt-ane"
STEM = "ane-table-2-mushrooms-uniform-0.4-dt-ane"

#: The paper's study, small, and data that need no download in place of those of one cell.
STUDY = """
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


@pytest.fixture
def small(compiled):
    (compiled / "config/studies/ane.yaml").write_text(STUDY, encoding="utf-8")
    compiled.edit("config/datasets/ane.yaml", SOURCE, OTHER)
    return compiled


def command(checkout, text):
    """What the command line does, in a process of its own."""
    arguments = [sys.executable, "-m", "ironbark.cli", "check", text]
    return subprocess.run(
        arguments, cwd=checkout.folder, env=checkout.environment | {"PYTHONPATH": str(checkout / "src")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def new_fits(checkout, study):
    """Lines of the logs of a study's batches."""
    logs = (checkout / "results/logs/shard" / study).rglob("*.log")
    return sorted(line for path in logs for line in path.read_text().splitlines())


def test_a_cell_is_run_alone_printed_and_its_fits_are_those_of_the_study(small):
    done = small.run("check", "--config", CELL)
    assert new_fits(small, f"check/{STEM}") == ["mushrooms binary uniform-0.4 dt-ane: 5 fits, 5 of them new"]
    found = json.loads((small / f"results/check/{STEM}.json").read_text())
    assert (small / f"results/check/{STEM}.md").read_text() in done.stdout
    assert found["published"] == {"mean": 98.07, "spread": 1.455, "runs": 5} and found["fits"] == 5
    assert found["verdict"] == "differs" and found["within_two_sd"] is False  # breast cancer is no mushroom
    assert not found["data"]["published"][0]["agrees"] and "published 6499" in done.stdout
    done = command(small, CELL.removeprefix("cell="))  # nothing to run, only to print
    assert done.returncode == 0, done.stderr
    assert done.stdout == (small / f"results/check/{STEM}.md").read_text()
    done = command(small, "ane/table-2/mushroms/uniform-0.4/dt-ane")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "did you mean 'ane/table-2/mushrooms/uniform-0.4/dt-ane" in done.stderr
    small.run("results/ane/full/rows.parquet")
    lines = new_fits(small, "ane")
    assert "mushrooms binary uniform-0.4 dt-ane: 5 fits, 0 of them new" in lines
    assert sum("5 of them new" in line for line in lines) == 3 and len(lines) == 4
    rows = records.read(small / "results/ane/full/rows.parquet")
    own = rows[(rows["noise_id"] == "uniform-0.4") & (rows["method"] == "dt-ane")]
    assert 100 * own["accuracy"].mean() == pytest.approx(found["ours"]["mean"], abs=1e-12)
    small.run("check", "--config", "cell=ane/table-2/mushrooms/clean/dt-gini")  # a cell of which the study has all fits
    logs = new_fits(small, "check/ane-table-2-mushrooms-clean-dt-gini")
    assert logs == ["mushrooms binary clean dt-gini: 5 fits, 0 of them new"]


@pytest.mark.skipif(
    not (MIRROR / "mushrooms.parquet").is_file(), reason="no mirror with Mushrooms; set IRONBARK_MIRROR"
)
def test_the_cell_of_the_readme_has_the_bits_of_the_reference(compiled):
    done = compiled.run("check", "--config", CELL, f"mirror={MIRROR}")
    found = json.loads((compiled / f"results/check/{STEM}.json").read_text())
    with open(ROOT / "data/reference/mushrooms.csv", encoding="utf-8", newline="") as stream:
        (line,) = [
            line for line in csv.DictReader(stream) if (line["noise_id"], line["method"]) == ("uniform-0.4", "dt-ane")
        ]
    assert found["ours"] == {
        "mean": 100 * float(line["mean"]), "spread": 100 * float(line["spread"]), "runs": int(line["n"])
    }  # fmt: skip
    assert found["verdict"] == "not rejected" and found["data"]["deviations"] == []
    assert all(fact["agrees"] for fact in found["data"]["published"])
    shown = (ROOT / "docs/reproduction.md").read_text("utf-8").split("## Check one published value")[1].split("```")[3]
    lines = [line for line in shown.splitlines() if line]
    assert len(lines) == 8 and set(lines) <= set(done.stdout.splitlines())

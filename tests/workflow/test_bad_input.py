"""Mistakes on the command line and in YAML: one sentence, no traceback, and no job has run."""

import importlib.util
import shutil

import numpy as np
import pandas as pd
import pytest

STUDY = "config/studies/tiny.yaml"
OWN = """
own:
  title: Own
  source: file
  path: own.csv
"""


def refused(checkout, *arguments):
    """The sentence that a run ends with."""
    done = checkout.run("tiny", *arguments, check=False)
    text = done.stdout + done.stderr
    assert done.returncode != 0, text
    assert "Traceback" not in text
    assert not (checkout / "results").exists() and not (checkout / "data/raw").exists()
    lines = [line for line in done.stderr.splitlines() if line.startswith("ironbark: ")]
    assert len(lines) == 1, text
    return done.stderr[done.stderr.index("ironbark: ") :]


def own(checkout, frame, study="{kind: repeated-cv, repeats: 2}"):
    """Use a custom table in the study."""
    checkout.append("config/datasets.yaml", OWN)
    checkout.edit(STUDY, "{kind: fixed-split, repeats: 2}", study)
    checkout.edit(STUDY, "[breast-cancer]", "[own]")
    if frame is not None:
        frame.to_csv(checkout / "own.csv", index=False)


def table(n=40):
    return pd.DataFrame({"a": np.arange(n) / 7, "b": np.arange(n) % 5, "target": np.arange(n) % 2})


#: A mistake that each step of rules/common.smk finds: reading, planning all, planning a study.
EDITS = {
    "misspelt key": (STUDY, "protocol:", "protocoll:", ["tiny.yaml", "unknown key 'protocoll'", "mean 'protocol'"]),
    "data set": (STUDY, "[iris]", "[irsi]", ["study 'tiny'", "unknown data set 'irsi'", "mean 'iris'"]),
    "rate 1/2": ("config/noise.yaml", "rate: 0.2", "rate: 0.5", ["[0, 0.5) for 2 classes"]),
    "broken YAML": ("config/noise.yaml", "rate: 0.2", "rate: [0.2", ["noise.yaml is no valid YAML"]),
}


@pytest.mark.parametrize("name", EDITS)
def test_edits_of_yaml(checkout, name):
    file, before, after, parts = EDITS[name]
    checkout.edit(file, before, after)
    sentence = refused(checkout, "-n") if name != "data set" else refused(checkout)
    for part in parts:
        assert part in sentence, sentence


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tiny", "--config", "scale=smok"], "'smok' is not one of smoke, lite, full; did you mean 'smoke'?"),
        (["tiny", "--config", "scael=smoke"], "unknown key 'scael'; did you mean 'scale'?"),
        (["quikstart"], "there is no study or rule 'quikstart'; did you mean 'quickstart'?"),
        (["plan", "--config", "studies=quikstart"], "unknown study 'quikstart'; did you mean 'quickstart'?"),
        (["-n", "results/tiny/full/labels/wine/binary.npz"], "at scale 'full' has no labels wine/binary; there are"),
        (["-n", "data/reference/quikstart.csv"], "unknown study 'quikstart'; did you mean 'quickstart'?"),
    ],
)
def test_arguments(checkout, arguments, sentence):
    done = checkout.run(*arguments, check=False)
    text = done.stdout + done.stderr
    assert done.returncode != 0 and "Traceback" not in text
    assert "ironbark: " in text and sentence in text


def test_a_cluster_without_slurm_is_named_once_before_any_job(checkout):
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("snakemake-executor-plugin-slurm is not installed")
    if shutil.which("sbatch"):
        pytest.skip("Slurm is installed here")
    done = checkout.run("tiny", "--profile", "slurm", check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.count("ironbark: jobs cannot be sent to Slurm, because sbatch and squeue cannot be found") == 1
    assert "Submitted" not in done.stderr and not (checkout / "results/tiny").exists()


def test_a_table_of_ones_own_with_missing_values(checkout):
    own(checkout, table().assign(a=lambda t: t["a"].where(t["b"] != 3)))
    sentence = refused(checkout)
    for part in ("data set 'own'", "column 'a' has 8 missing values", "`missing: keep`"):
        assert part in sentence, sentence


def test_absent_tables(checkout):
    own(checkout, None)
    assert "data set 'own': there is no file own.csv; put it there or fix `path`" in refused(checkout)
    checkout.edit("config/datasets.yaml", OWN, "\nown: {title: Own, source: mirror, mirror: my-table}\n")
    (checkout / "mirror").mkdir()
    sentence = refused(checkout, "--config", "mirror=mirror")
    assert "the mirror folder mirror has no table my-table.parquet; add it there" in sentence
    table().drop(columns="target").to_parquet(checkout / "mirror/my-table.parquet")
    assert "has no column 'target'" in refused(checkout, "--config", "mirror=mirror")
    assert "there is no mirror folder 'nowhere'; correct --config mirror=DIR" in refused(
        checkout, "--config", "mirror=nowhere"
    )


def mirror_of(checkout, **tables):
    """A study on two data sets of OpenML, and a mirror with these tables."""
    entries = "\nradar: {title: R, source: openml, openml_id: 1, expect: {n: 40, k: 2, counts: {'-1': 10, '1': 30}}}\n"
    checkout.append("config/datasets.yaml", entries + "waves: {title: W, source: openml, openml_id: 2}\n")
    checkout.edit(STUDY, "{kind: fixed-split, repeats: 2}", "{kind: repeated-cv, repeats: 2}")
    checkout.edit(STUDY, "[breast-cancer]", "[radar, waves]")
    (checkout / "mirror").mkdir()
    for name, frame in tables.items():
        frame.to_parquet(checkout / f"mirror/{name}.parquet")


def written_otherwise(n=40):
    return table(n).assign(target=["b" if i % 4 == 0 else "g" for i in range(n)])


def test_labels_of_a_mirror_that_are_written_differently(checkout):
    mirror_of(checkout, radar=written_otherwise(), waves=table())
    sentence = refused(checkout, "-n", "--config", "mirror=mirror")
    line = "in_mirror: {labels: {b: -1, g: 1}}"
    assert f"in config/datasets.yaml, set radar.in_mirror: `{line}`" in sentence
    checkout.edit("config/datasets.yaml", "{title: R, ", f"{{title: R, {line}, ")
    assert checkout.planned("tiny", "--config", "mirror=mirror")["prepare"] == 3


SHORT = """
title: Tiny
protocol: {kind: repeated-cv, repeats: 1}
grids:
  - {datasets: [radar, waves], tasks: [binary], noises: [clean], methods: [sklearn-dt]}
tables:
  accuracy: {kind: accuracy, caption: Accuracy.}
"""


@pytest.mark.slow
def test_bad_tables_are_left_out_on_demand(checkout):
    mirror_of(checkout, radar=written_otherwise(), waves=table())
    (checkout / STUDY).write_text(SHORT, encoding="utf-8")
    settings = ["--config", "mirror=mirror", "bad_data=leave_out"]
    done = checkout.run("tiny", *settings)
    assert "study 'tiny' leaves out a data set: data set 'radar': its labels are b (10 rows)" in done.stderr
    assert done.stdout.count("study 'tiny' leaves out a data set: data set 'radar'") == 1  # at the end
    caption = (checkout / "results/tiny/full/tables/accuracy.md").read_text("utf-8")
    assert "Left out, since the data are not what the catalogue expects: radar." in caption
    rows = pd.read_parquet(checkout / "results/tiny/full/rows.parquet")
    assert set(rows["dataset"]) == {"waves"} and (rows["status"] == "ok").all()

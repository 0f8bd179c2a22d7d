"""Mistakes on the command line and in YAML: one sentence, no traceback, and no job has run."""

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


def own(checkout, frame, study="{kind: repeated-cv, repeats: 2}", entry=OWN):
    """Use a table of one's own in the study."""
    checkout.append("config/datasets.yaml", entry)
    checkout.edit(STUDY, "{kind: fixed-split, repeats: 2}", study)
    checkout.edit(STUDY, "[breast-cancer]", "[own]")
    if frame is not None:
        frame.to_csv(checkout / "own.csv", index=False)


def table(n=40):
    return pd.DataFrame({"a": np.arange(n) / 7, "b": np.arange(n) % 5, "target": np.arange(n) % 2})


EDITS = {
    "misspelt key": (STUDY, "protocol:", "protocoll:", ["tiny.yaml", "unknown key 'protocoll'", "mean 'protocol'"]),
    "missing key": (STUDY, "title: Tiny\n", "", ["tiny.yaml", "key 'title' is missing, add it"]),
    "data set": (STUDY, "[iris]", "[irsi]", ["study 'tiny'", "unknown data set 'irsi'", "mean 'iris'"]),
    "method": (STUDY, "dt-entropy", "dt-entropie", ["unknown method 'dt-entropie'", "mean 'dt-entropy'"]),
    "noise": (STUDY, "uniform-0.2", "unifrom-0.2", ["unknown noise 'unifrom-0.2'", "mean 'uniform-0.2'"]),
    "multiclass": (STUDY, "sklearn-dt]", "dt-pairwise]", ["'dt-pairwise' can't do the multiclass task of 'iris'"]),
    "criterion": ("config/methods/trees.yaml", "criterion: gini", "criterion: ginny", ["unknown criterion 'ginny'"]),
    "parameter": ("config/methods/trees.yaml", "{criterion: gini}", "{criterion: gini, lamm: 1}", ["parameter 'lamm'"]),
    "rate 1.5": ("config/noise.yaml", "rate: 0.2", "rate: 1.5", ["noise 'uniform-0.2'", "the rate 1.5"]),
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
    ("setting", "parts"),
    [
        ("scale=smok", ["'smok' is not one of smoke, lite, full", "did you mean 'smoke'?"]),
        ("scael=smoke", ["unknown key 'scael'", "did you mean 'scale'?"]),
    ],
)
def test_settings(checkout, setting, parts):
    sentence = refused(checkout, "--config", setting)
    for part in parts:
        assert part in sentence


def test_unknown_study(checkout):
    done = checkout.run("quikstart", check=False)
    assert done.returncode != 0 and "Traceback" not in done.stdout + done.stderr
    assert "quikstart" in done.stderr + done.stdout


def test_unknown_default_study(checkout):
    checkout.edit("config/config.yaml", "[quickstart]", "[quikstart]")
    done = checkout.run(check=False)
    assert done.returncode != 0 and "Traceback" not in done.stdout + done.stderr
    assert "ironbark: unknown study 'quikstart', did you mean 'quickstart'?" in done.stderr


TABLES = {
    "nan": (lambda t: t.assign(a=t["a"].where(t["b"] != 3)), ["column 'a' has 8 missing values", "`missing: keep`"]),
    "inf": (lambda t: t.assign(a=t["a"].where(t["b"] != 3, np.inf)), ["column 'a' has 8 infinite values"]),
    "one class": (lambda t: t.assign(target=1), ["'target' has a single class"]),
    "no target": (lambda t: t.drop(columns="target"), ["no target column 'target'", "set `target`"]),
    "few rows": (lambda t: t.head(4), ["at least folds=5 samples, but there are 4"]),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_ones_own(checkout, name):
    edit, parts = TABLES[name]
    own(checkout, edit(table()))
    sentence = refused(checkout)
    for part in ["data set 'own'" if name != "few rows" else "repeated-cv", *parts]:
        assert part in sentence, sentence


def test_a_file_that_is_not_there(checkout):
    own(checkout, None)
    assert "data set 'own': there is no file own.csv; put it there or mend `path`" in refused(checkout)


def test_mirrors(checkout):
    own(checkout, None, entry="\nown: {title: Own, source: mirror, mirror: my-table}\n")
    (checkout / "mirror").mkdir()
    sentence = refused(checkout, "--config", "mirror=mirror")
    assert "the mirror folder mirror has no table my-table.parquet; add it there" in sentence
    table().drop(columns="target").to_parquet(checkout / "mirror/my-table.parquet")
    assert "has no column 'target'" in refused(checkout, "--config", "mirror=mirror")
    assert "there is no mirror folder 'nowhere'; correct --config mirror=DIR" in refused(
        checkout, "--config", "mirror=nowhere"
    )

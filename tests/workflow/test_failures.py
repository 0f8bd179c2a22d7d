"""Methods that fail, and mistakes on the command line and in YAML: what is said, and what is left."""

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.results import parquet

METHODS = """
bad: {label: Bad, estimator: own_methods.Bad}
picky: {label: Picky, estimator: own_methods.Picky}
"""

CODE = """
from sklearn.tree import DecisionTreeClassifier


class Bad(DecisionTreeClassifier):
    def fit(self, X, y):
        raise RuntimeError("the bad method has no mercy")


class Picky(DecisionTreeClassifier):
    def fit(self, X, y):
        if self.random_state % 2:
            raise ValueError("odd seed")
        return super().fit(X, y)
"""

STUDY = """
title: Own
protocol: {kind: repeated-cv, repeats: 2, folds: 3}
grids:
  - {datasets: [own], tasks: [binary], noises: [uniform-0.2], methods: [sklearn-dt, bad, picky]}
tables:
  accuracy: {kind: accuracy, caption: Accuracy.}
"""


def test_failing_methods_on_a_custom_table(compiled):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60).round(2), "b": rng.integers(0, 3, 60), "kind": ["x", "y"] * 30})
    frame.to_csv(compiled / "own.csv", index=False)
    compiled.append("config/datasets.yaml", "\nown: {title: Own, source: file, path: own.csv, target: kind}\n")
    compiled.append("config/methods/baselines.yaml", METHODS)
    (compiled / "own_methods.py").write_text(CODE, encoding="utf-8")
    (compiled / "config/studies/own.yaml").write_text(STUDY, encoding="utf-8")
    sentence = "ironbark: study 'own': method 'bad' failed in each of its 6 fits, the first with 'RuntimeError: the bad"
    text = compiled.refused("own")
    assert text.strip().splitlines()[-1].startswith(sentence) and "FAILED" in text
    rows = parquet.read(compiled / "results/own/full/rows.parquet")
    assert len(rows) == 3 * 2 * 3
    bad = (rows["method"] == "bad") | ((rows["method"] == "picky") & (rows["seed"] % 2 == 1))
    assert ((rows["status"] == "failed") == bad).all() and (rows["accuracy"].isna() == bad).all()
    assert set(rows.loc[rows["method"] == "picky", "status"]) == {"ok", "failed"}
    assert set(rows.loc[rows["method"] == "bad", "message"]) == {"RuntimeError: the bad method has no mercy"}
    log = (compiled / "results/logs/shard/own/full/own/binary/bad.log").read_text("utf-8")
    assert log.count("FAILED own binary uniform-0.2 bad") == 6 and "the bad method has no mercy" in log
    table = (compiled / "results/own/full/tables/accuracy.md").read_text("utf-8")
    assert "Bad" in table and "fail" in table.lower()
    assert (compiled / "results/own/full/report.html").exists()
    done = compiled.run("own", "--forcerun", "fetch", "--until", "fetch")
    assert "Nothing to be done" not in done.stderr
    assert "failed in each" not in done.stderr and "FAILED" not in done.stdout


TINY_STUDY = "config/studies/tiny.yaml"
SHORT = """
title: Tiny
protocol: {kind: repeated-cv, repeats: 1}
grids:
  - {datasets: [%s], tasks: [binary], noises: [clean], methods: [sklearn-dt]}
tables:
  accuracy: {kind: accuracy, caption: Accuracy.}
"""
OPENML = """
radar: {title: R, source: openml, openml_id: 1, expect: {n: 40, k: 2, counts: {'-1': 10, '1': 30}}}
waves: {title: W, source: openml, openml_id: 2}
"""


def refused(checkout):
    """The sentence that a run of the study ends with."""
    text = checkout.refused("tiny")
    assert not (checkout / "results").exists() and not (checkout / "data/raw").exists()
    assert text.count("\nironbark: ") + text.startswith("ironbark: ") == 1, text
    return text[text.index("ironbark: ") :]


def table(n=40):
    return pd.DataFrame({"a": np.arange(n) / 7, "b": np.arange(n) % 5, "target": np.arange(n) % 2})


#: One mistake that each step of rules/common.smk finds: reading, targets, settings, wildcards, and the target `check`.
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tiny", "--config", "scael=smoke"], "unknown key 'scael'; did you mean 'scale'?"),
        (["quikstart"], "there is no study or rule 'quikstart'; did you mean 'quickstart'?"),
        (["plan", "--config", "studies=quikstart"], "unknown study 'quikstart'; did you mean 'quickstart'?"),
        (["-n", "results/tiny/full/labels/wine/binary.npz"], "at scale 'full' has no labels wine/binary; there are"),
        (["-n", "-d", "config", "tiny"], "checkout/config; run it in"),
        (["-n", "check"], "ironbark: name a published cell: --config cell='ane/table-2/"),
        (["-n", "tiny", "--config", "packs=LICENSE"], "the pack LICENSE is refused: it is no zip file"),
    ],
)
def test_arguments(checkout, arguments, sentence):
    text = checkout.refused(*arguments)
    assert "ironbark: " in text and sentence in text


def test_a_custom_table_that_is_absent_or_has_missing_values(checkout):
    checkout.append("config/datasets.yaml", "\nown: {title: Own, source: file, path: own.csv}\n")
    (checkout / TINY_STUDY).write_text(SHORT % "own", encoding="utf-8")
    assert "data set 'own': there is no file own.csv; put it there or fix `path`" in refused(checkout)
    table().assign(a=lambda t: t["a"].where(t["b"] != 3)).to_csv(checkout / "own.csv", index=False)
    sentence = refused(checkout)
    assert "data set 'own': column 'a' has 8 missing values" in sentence and "`missing: keep`" in sentence


@pytest.mark.slow
def test_bad_tables_are_left_out_on_demand(checkout):
    """Of two tables of a mirror the first has its labels written as letters."""
    checkout.append("config/datasets.yaml", OPENML)
    (checkout / TINY_STUDY).write_text(SHORT % "radar, waves", encoding="utf-8")
    (checkout / "mirror").mkdir()
    letters = table().assign(target=["b" if i % 4 == 0 else "g" for i in range(40)])
    for name, frame in {"radar": letters, "waves": table()}.items():
        frame.to_parquet(checkout / f"mirror/{name}.parquet")
    done = checkout.run("tiny", "--config", "mirror=mirror", "bad_data=leave_out")
    assert "study 'tiny' leaves out a data set: data set 'radar': its labels are b (10 rows)" in done.stderr
    assert done.stdout.count("study 'tiny' leaves out a data set: data set 'radar'") == 1  # at the end
    caption = (checkout / "results/tiny/full/tables/accuracy.md").read_text("utf-8")
    assert "Left out, since the data are not what the catalogue expects: radar." in caption
    rows = pd.read_parquet(checkout / "results/tiny/full/rows.parquet")
    assert set(rows["dataset"]) == {"waves"} and (rows["status"] == "ok").all()

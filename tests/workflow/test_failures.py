"""A method that fails: its message stands in the log and the rows, and the run still makes its tables."""

import shutil

import numpy as np
import pandas as pd

from ironbark.pipeline.results import records

METHODS = """
bad:
  label: Bad
  estimator: own_methods.Bad
picky:
  label: Picky
  estimator: own_methods.Picky
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
    rows = records.read(compiled / "results/own/full/rows.parquet")
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
    shutil.rmtree(compiled / "results/own/full/tables")
    assert sentence in compiled.refused("own")

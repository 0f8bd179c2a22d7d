"""What tables, statistics and readers refuse: the input, and words of the culprit and the remedy."""

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.published import comparison, readers
from ironbark.pipeline.statistics import ranks, significance
from ironbark.pipeline.tables import collect, dataset_tables


def rows(values="abab", noises=("clean",), **changes):
    """A repeat of each method of `values` in turn, at each noise."""
    runs = {("d", noise, method): [0.5] * values.count(method) for noise in noises for method in values}
    return result_rows(runs, **{"noise": "uniform", "rate": "0.2"} | changes)


def table(kind, data=None, **spec):
    members = {"members": [("a", "z")]} if kind == "datasets" else {}
    return tables.build(rows() if data is None else data, {"kind": kind, "id": "t"} | spec, **members)


def compared(noises=("clean",), **options):
    names = {"table": 2, "dataset": "d", "task": "binary", "model": "DT", "method": "mse", "noise": "uniform"}
    names |= {"rate": "0.2", "mean": 0.9, "spread": 0.1, "n": 5, "rounding": 0.001}
    return comparison.compare(rows(noises=noises), pd.DataFrame([names]), {"DT": {"mse": "a"}}, **options)


FACTS = pd.DataFrame({"dataset": ["a"], "n_samples": ["8"], "n_features": ["4"]})
ONE, TWICE, MIXED = rows("aa"), rows(repeat=0), [rows(), rows(task="multiclass")]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: table("pie"), "unknown kind 'pie'; choose one of accuracy, ranks"),
        (lambda: table("accuracy", datasets=["none"]), "no result row is in table 't'; check its datasets"),
        (lambda: table("accuracy", metric="auc"), "'auc' is unknown; choose one of accuracy"),
        (lambda: table("ranks", ONE), "'t' needs two methods and a setting that both have finished; add runs"),
        (lambda: table("leaderboard", ONE), "needs two methods and a setting that both have finished"),
        (lambda: table("significance", ONE), "'t' needs results of two methods; check its methods and noises"),
        (lambda: table("measures", metrics=["flipped"]), "'t' has no method with a value of flipped; add runs"),
        (lambda: table("pairs", pairs=[["a", "z"]]), "no pair of table 't' has fits of both .*; check `pairs`"),
        (lambda: table("slopes"), "'t' needs two rates of a noise that all methods have; add runs"),
        (lambda: collect.cells(TWICE), "2 fits have two result rows, first .*; read each shard of one protocol once"),
        (lambda: collect.select(pd.concat(MIXED), {"id": "t9"}), "'t9' mixes the tasks binary and multiclass; set"),
        (lambda: significance.verdicts(rows("aba"), "a", ["b"]), "'a' and 'b' were not run on the same repeats"),
        (lambda: significance.verdicts(rows(), "a", ["b"], test="sign"), "'sign' is unknown; choose one of paired"),
        (lambda: ranks.friedman(pd.DataFrame(np.ones((1, 3)))), "needs 3 methods and 2 settings, there are 3 and 1"),
        (lambda: compared(datasets=["d9"]), "no published number is left .*; check the data sets and tables"),
        (lambda: table("datasets", (FACTS, {}), printed="pg"), "no data set is in Table II .*check the field `papers`"),
        (lambda: compared(noises=["u", "v"]), "noises u, v have the same model and rate; compare with the rows of one"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize(
    ("read", "columns", "words"),
    [
        (readers.ane_cells, "paper,table", r"x\.csv has no column dataset, mean, method"),
        (readers.pg_cells, "paper,tau_minus,tau_plus", r"x\.csv has no column dataset, mark, mean, method, std"),
        (readers.rmb_cells, "paper,table", r"x\.csv has no column dataset, mean, method"),
        (lambda path: dataset_tables.read(path, "pg"), "dataset,n_samples", "has no column n_features; use the"),
    ],
)
def test_wrong_files_of_published_values_are_named(read, columns, words, tmp_path):
    (tmp_path / "x.csv").write_text(columns + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=words):
        read(tmp_path / "x.csv")

"""What tables, statistics and readers refuse: the input, and words of the culprit and the remedy."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.published import comparison, readers
from ironbark.pipeline.results.records import frame
from ironbark.pipeline.statistics import ranks, significance
from ironbark.pipeline.tables import collect


def rows(values="abab", noises=("clean",), **changes):
    """A repeat of each method of `values` in turn, at each noise."""
    about = {"dataset": "d", "task": "binary", "noise": "uniform", "rate": "0.2", "fold": 0, "status": "ok"}
    return frame(
        about
        | {"noise_id": noise, "method": method, "repeat": values[:i].count(method), "accuracy": 0.5 + i / 10}
        | changes
        for noise in noises
        for i, method in enumerate(values)
    )


def table(kind, data=None, **spec):
    return tables.build(rows() if data is None else data, {"kind": kind, "id": "t"} | spec)


def compared(noises=("clean",), **options):
    names = {"table": 2, "dataset": "d", "task": "binary", "model": "DT", "method": "mse", "noise": "uniform"}
    names |= {"rate": "0.2", "mean": 0.9, "spread": 0.1, "n": 5, "rounding": 0.001}
    return comparison.compare(rows(noises=noises), pd.DataFrame([names]), {"DT": {"mse": "a"}}, **options)


ONE, TWICE, MIXED = rows("aa"), rows(repeat=0), [rows(), rows(task="multiclass")]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: table("pie"), "unknown kind 'pie'; choose one of accuracy, ranks"),
        (lambda: table("accuracy", spread="se"), "spread 'se' is unknown; choose one of 2sd, sd"),
        (lambda: table("accuracy", datasets=["none"]), "no result row is in table 't'; check its datasets"),
        (lambda: table("errors", methods=["z"]), "no result row is in table 't'; check its datasets, methods"),
        (lambda: table("accuracy", metric="auc"), "'auc' is unknown; choose one of accuracy"),
        (lambda: table("ranks", ONE), "'t' needs two methods and a setting that both have finished; add runs"),
        (lambda: table("bayes"), "'t' needs two methods and 3 data sets that both have finished; add runs"),
        (lambda: table("significance", ONE), "'t' needs results of two methods; check its methods and noises"),
        (lambda: table("measures", metrics=["flipped"]), "'t' has no method with a value of flipped; add runs"),
        (lambda: table("pairs", pairs=[["a", "z"]]), "no pair of table 't' has fits of both .*; check `pairs`"),
        (lambda: table("slopes"), "'t' needs two rates of a noise that all methods have; add runs"),
        (lambda: collect.cells(TWICE), "2 fits have two result rows, first .*; read each shard of one protocol once"),
        (lambda: collect.select(pd.concat(MIXED), {"id": "t9"}), "'t9' mixes the tasks binary and multiclass; set"),
        (lambda: significance.verdicts(rows("aba"), "a", ["b"]), "'a' and 'b' were not run on the same repeats"),
        (lambda: significance.verdicts(rows(), "a", ["b"], test="sign"), "'sign' is unknown; choose one of paired"),
        (lambda: significance.corrected_t(np.ones(5), np.arange(5)), "2 or more folds; use 'paired'"),
        (lambda: ranks.friedman(pd.DataFrame(np.ones((1, 3)))), "needs 3 methods and 2 settings, there are 3 and 1"),
        (lambda: compared(datasets=["d9"]), "no published number is left .*; check the data sets and tables"),
        (lambda: compared(tables=["3"]), "no published number is left .*; check the data sets and tables"),
        (lambda: compared(noises=["u", "v"]), "noises u, v have the same model and rate; compare with the rows of one"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(InputError, match=words):
        call()


@pytest.mark.parametrize(
    ("reader", "absent"),
    [
        (readers.ane_cells, "dataset, mean, method"),
        (readers.pg_cells, "dataset, mark, mean, method, std"),
        (readers.rmb_cells, "dataset, mean, method"),
    ],
)
def test_a_wrong_file_of_published_values_is_named(reader, absent, tmp_path):
    (tmp_path / "x.csv").write_text("paper,table,tau_minus,tau_plus\n")
    with pytest.raises(InputError, match=rf"x\.csv has no column {absent}"):
        reader(tmp_path / "x.csv")

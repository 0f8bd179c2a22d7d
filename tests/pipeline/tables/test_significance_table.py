"""Tables with marks of significance, against tests of scipy and counts by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows
from scipy import stats

from ironbark.pipeline import tables
from ironbark.pipeline.statistics.significance import win_tie_loss

FILE = Path(__file__).parents[3] / "data" / "published" / "pg_accuracy.csv"
SPEC = {"id": "t", "kind": "significance", "methods": ["m", "r", "s"], "caption": "Forests."}
NOISES = ["a", "b"]


def runs(shifts, repeats=10, folds=5, datasets=("d", "e")):
    """Rows of methods whose mean accuracies differ by `shifts`: method -> (shift, spread of the difference)."""
    found = {}
    for i, dataset in enumerate(datasets):
        for j, noise in enumerate(NOISES):
            rng = np.random.default_rng([i, j])
            base = rng.normal(0.8, 0.05, repeats * folds)
            for method, (shift, spread) in shifts.items():
                found[dataset, noise, method] = base + shift + rng.normal(0, spread, base.shape)
    return result_rows(found, folds=folds)


ROWS = runs({"m": (0.0, 0.001), "r": (-0.02, 0.01), "s": (0.03, 0.01)})


def values_of(rows, dataset, noise, method):
    own = rows.query("dataset == @dataset and noise_id == @noise and method == @method")
    return own.sort_values(["repeat", "fold"])["accuracy"].to_numpy().reshape(10, 5)


def test_marks_and_counts():
    table = tables.build(ROWS, SPEC, {"m": "Ours", "r": "Gini", "s": "IG"}, {"a": "(.1, .3)"}, {"d": "D"})
    assert list(table.frame.columns) == ["Ours", "Gini", "IG"]
    assert list(table.frame.index)[:4] == [("D", "(.1, .3)"), ("D", "b"), ("e", "(.1, .3)"), ("e", "b")]
    first = table.frame.iloc[0]
    own = values_of(ROWS, "d", "a", "m")
    assert first["Ours"] == f"{100 * own.mean():.2f} ± {100 * own.std(ddof=1):.2f}"
    assert first["Gini"].endswith(" •") and first["IG"].endswith(" ◦")
    assert [tuple(line) for line in table.frame.iloc[4:].to_numpy()] == [("", "4/0/0", "0/0/4")] * 3
    assert [name for name, _ in table.frame.index[4:]] == ["Win/tie/loss"] * 3
    broken = ROWS.copy()
    broken.loc[broken.query("dataset == 'd' and noise_id == 'a' and method == 'r'").index[0], "status"] = "failed"
    table = tables.build(broken, SPEC)
    assert table.frame.loc[("d", "a"), "r"].endswith("†1") and table.frame.iloc[4]["r"] == "3/0/0", "not tested"


@pytest.mark.parametrize("test", ["paired", "trial-means", "corrected"])
def test_each_test_by_hand(test):
    rows = runs({"m": (0.0, 0.02), "r": (-0.04, 0.02), "s": (0.0, 0.02)})
    table = tables.build(rows, SPEC)
    found = table.values.set_index(["dataset", "noise", "method"])
    verdicts = []
    for dataset, noise, rival in [(d, n, r) for d in "de" for n in "ab" for r in "rs"]:
        ours, theirs = values_of(rows, dataset, noise, "m"), values_of(rows, dataset, noise, rival)
        if test == "trial-means":
            t, p = stats.ttest_rel(ours.mean(axis=1), theirs.mean(axis=1))
        else:
            difference = (ours - theirs).ravel()
            factor = 1 / 50 + (1 / 4 if test == "corrected" else 0)
            t = difference.mean() / np.sqrt(factor * difference.var(ddof=1))
            p = 2 * stats.t.sf(abs(t), 49)
        cell = found.loc[(dataset, noise, rival)]
        assert (cell[f"t_{test}"], cell[f"p_{test}"]) == pytest.approx((t, p))
        verdict = "tie" if p >= 0.05 else "win" if t > 0 else "loss"
        assert cell[f"verdict_{test}"] == verdict
        verdicts.append(verdict)
        shown = table.frame.loc[(dataset, noise), rival]
        if test != "paired":  # which the marks are of
            continue
        assert shown[-1] == {"win": "•", "loss": "◦", "tie": f"{100 * theirs.std(ddof=1):.2f}"[-1]}[verdict]
    assert len(set(verdicts)) > 1  # else the marks would not be put to the test


def test_random_partitions_allow_the_corrected_test_too():
    single = runs({"m": (0, 0.01), "r": (0.005, 0.01)}, folds=1, repeats=20)
    single = single.assign(protocol="random-partitions", n_train=90, n_test=10)
    table = tables.build(single, {**SPEC, "methods": ["m", "r"], "test": "corrected"})
    assert list(table.frame.index.get_level_values(1))[4:] == ["paired", "corrected"]
    values = table.values.dropna(subset="difference")
    assert np.allclose(values["t_corrected"], values["t_paired"] * np.sqrt((1 / 20) / (1 / 20 + 1 / 9)))
    fixed = single.assign(protocol="fixed-split")
    assert "corrected" not in tables.build(fixed, {**SPEC, "methods": ["m", "r"]}).frame.index.get_level_values(1)


def test_one_split_cannot_be_judged():
    table = tables.build(runs({"m": (0, 0.01), "r": (-0.3, 0.01)}, 1, 1), {**SPEC, "methods": ["m", "r"]})
    assert "4 of 4 data sets and noises have a single run and cannot be judged; add repeats." in table.notes
    assert not table.frame["r"].str.contains("[•◦]").any() and table.values["p_paired"].dropna().eq(1).all()
    assert not any("cannot be judged" in note for note in tables.build(ROWS, SPEC).notes)


def test_the_printed_marks_add_up_to_the_printed_totals():
    marks = pd.read_csv(FILE).query("method != 'pairwise'").rename(columns={"method": "rival"})
    words = {"better": "win", "worse": "loss", "none": "tie"}
    counts = win_tie_loss(marks.assign(verdict=marks["mark"].map(words)))
    assert counts.loc["gini"].tolist() == [35, 27, 2]
    assert counts.loc["entropy"].tolist() == [35, 25, 4]


@pytest.mark.parametrize("seed", range(3))
def test_no_bold_cell_of_another_table_is_called_worse(seed):
    """Bold is a statement on pairs too, whichever method the significance table tests."""
    rng = np.random.default_rng(seed)
    shifts = {name: (rng.normal(0, 0.01), rng.choice([0.001, 0.01, 0.04])) for name in "mrst"}
    rows = runs(shifts, *((5, 1), (4, 3), (10, 5))[seed % 3], datasets=("d",))
    bold = tables.build(rows, {"kind": "accuracy"}).values.query("highlighted")
    assert len(bold) >= 2, "the best of each noise"
    for first in shifts:
        methods = [first, *(name for name in shifts if name != first)]
        found = tables.build(rows, SPEC | {"methods": methods}).values.merge(
            bold, on=["dataset", "noise", "rate", "method"]
        )
        assert "win" not in set(found["verdict_paired"])

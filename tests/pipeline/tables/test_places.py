"""Differences of pairs of methods, and places of methods among those of a pack and among published filters."""

import numpy as np
import pack_files
import pandas as pd
import pytest
from result_rows import result_rows
from scipy import stats

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.results import records
from ironbark.pipeline.tables import board

SPEC = {"kind": "pairs", "id": "t", "pairs": [["a", "b"], ["c", "a"]], "caption": "Audit"}


def values():
    """Fits of a and b in all settings, of c in one."""
    settings = [(dataset, noise_id) for dataset in ("d1", "d2") for noise_id in ("clean", "far")]
    runs = {"a": [0.80, 0.85, 0.90], "b": [0.70, 0.77, 0.84]}
    found = {(*setting, method): own for method, own in runs.items() for setting in settings}
    return found | {("d1", "clean", "c"): runs["a"]}


def build(data, **changes):
    return tables.build(data, SPEC | changes, {"a": "A"}, {"clean": "0"}, {"d1": "One"}, caption_note="Note.")


def test_differences_are_paired_or_pooled():
    table = build(result_rows(values()))
    assert list(table.frame.columns) == ["0", "far"]
    assert table.frame.index.tolist() == [("One", "a − b"), ("One", "c − a"), ("d2", "a − b")]
    assert table.frame.loc[("One", "a − b"), "0"] == "+8.00 ± 2.00"  # 10, 8 and 6 points
    assert table.frame.loc[("One", "c − a")].tolist() == ["+0.00 ± 0.00", "–"]
    assert table.values.query("method == 'a' and dataset == 'd1' and noise_id == 'clean'")["mean"].item() == (
        pytest.approx(0.08)
    )
    failed = {("d1", noise_id, "a"): [0.80, 0.85, np.nan] for noise_id in ("clean", "far")}
    assert build(result_rows(values() | failed)).frame.loc[("One", "a − b"), "0"].startswith("+9.00"), (
        "failed fits do not count"
    )
    data = result_rows(values())
    data.loc[(data["method"] == "b") & (data["dataset"] == "d2"), "accuracy"] -= 0.04
    table = build(data, pool=True, datasets=["d1", "d2"])
    assert table.frame.index.tolist() == [("2 data sets", "a − b"), ("2 data sets", "c − a")]
    assert table.frame.loc[("2 data sets", "a − b"), "0"] == "+10.00 ± 2.83"  # means of 8 and 12 points
    assert table.frame.loc[("2 data sets", "c − a")].tolist() == ["+0.00", "–"]  # on one data set
    assert table.values["n"].tolist() == [2, 2, 1]


def board_fits(method, values, seconds=1.0):
    """Fits of two repeats on data sets with these accuracies, under two noises."""
    cells = [(i, noise, repeat) for i in range(len(values)) for noise in ("clean", "noisy") for repeat in (0, 1)]
    made = pd.DataFrame(cells, columns=["dataset", "noise_id", "repeat"]).assign(task="binary", method=method)
    made["accuracy"] = np.repeat(values, 4) + made["repeat"] / 100
    return made.assign(fit_seconds=seconds, tune_seconds=0.0)


def test_methods_are_placed_by_mean_accuracy_where_the_new_one_has_finished():
    rng = np.random.default_rng(0)
    good, poor, new = 0.8 + rng.normal(0, 0.02, 8), np.full(8, 0.6), 0.75 + rng.normal(0, 0.02, 8)
    known = pd.concat(
        [board_fits("poor", poor), board_fits("good", good, seconds=4.0), board_fits("partial", [0.9] * 3)]
    )
    found = board.places(known, board_fits("new", new), "binary")
    assert found.index.tolist() == ["good", "new", "poor"] and found["place"].tolist() == [1, 2, 3]
    assert found["accuracy"].tolist() == pytest.approx([good.mean() + 0.005, new.mean() + 0.005, 0.605])
    assert found["seconds"].tolist() == pytest.approx([4, 1, 1]) and (found["datasets"] == 8).all()
    each = [stats.wilcoxon(good - other).pvalue for other in (new, poor)]
    assert found["p"].tolist()[1:] == pytest.approx([max(2 * min(each), p) for p in each])  # Holm's rule
    few = board.places(known, board_fits("new", new[:2]), "binary")
    assert few.index[0] == "partial" and len(few) == 4 and few["p"].isna().all()


def test_packs_of_predictions_are_refused(tmp_path):
    pack_files.write(tmp_path / "a.pack")
    with pytest.raises(InputError, match=r"a.pack has fits without scores; .* pack_content=scores"):
        board.rows(tmp_path / "a.pack")


def rows_of(f1, sizes=(1000,)):
    """Fits of a method, one for each F1 (draw) and size, at two rates."""
    fits = [
        {"dataset": "misla-magic", "task": "binary", "noise_id": f"n-{rate}", "noise": "uniform", "rate": rate}
        | {"method": "a", "repeat": draw, "fold": fold, "status": "ok", "n_train": n, "fit_seconds": 2.0}
        | {"called_f1": value + shift}
        for draw, value in enumerate(f1)
        for fold, n in enumerate(sizes)
        for rate, shift in (("0.1", -0.1), ("0.2", 0.1))
    ]
    return records.frame(fits, ["called_f1"])


def filters(**means):
    """Published lines of filters at two rates, of 10 runs with the sd 0.01."""
    lines = [
        {"dataset": "misla-magic", "noise": "uniform", "rate": rate, "n": 1000, "filter": name, "f1": mean}
        | {"f1_sd": 0.01, "runs": 10, "seconds": 3.0}
        for name, mean in means.items()
        for rate in ("0.1", "0.2")
    ]
    return pd.DataFrame(lines)


def build_places(rows, printed, **spec):
    spec = {"kind": "filter-places", "metric": "called_f1", **spec}
    return tables.build(rows, spec, {"a": "A"}, {}, {"misla-magic": "Magic"}, printed=printed)


@pytest.mark.parametrize(
    ("f1", "text", "sure"),
    [
        ([0.79, 0.8, 0.81], "0.800 ± 0.025; 1 (1–1) of 4; 2 s", "first beyond chance on 1 of 1 lines"),
        ([0.59, 0.6, 0.61], "0.600 ± 0.025; 1 (1–2) of 4; 2 s", "on 0 of 1 lines, not first beyond chance on 0."),
        ([0.29, 0.3, 0.31], "0.300 ± 0.025; 4 (4–4) of 4; 2 s", "not first beyond chance on 1."),
        ([0.6], "0.600; 1 (1–4) of 4; 2 s", "not first beyond chance on 0"),
    ],
)
def test_places_come_out_both_ways(f1, text, sure):
    table = build_places(rows_of(f1), filters(best=0.595, middle=0.5, last=0.4))
    assert table.frame.iloc[0].tolist() == ["best 0.595; 3 s", text] and sure in table.notes[0]
    assert "small sample" in table.caption and table.values["draws"].max() == len(f1)


def test_lines_of_published_filters():
    printed = filters(best=0.595, middle=0.5)
    table = build_places(rows_of([0.6, 0.62]), printed[(printed["filter"] != "best") | (printed["rate"] == "0.1")])
    assert table.frame.iloc[0, 0] == "middle 0.500; 3 s" and table.values["of"].max() == 2
    other = rows_of([0.3, 0.32]).assign(dataset="misla-rna0")
    rows, printed = pd.concat([rows_of([0.6, 0.62], (100, 1000)), other]), filters(best=0.5, last=0.4)
    printed = pd.concat([printed, printed.assign(n=100), printed.assign(dataset="misla-rna0", f1=0.2)])
    lines = [("Magic", "100"), ("Magic", "1,000"), ("misla-rna0", "1,000")]
    assert list(build_places(rows, printed).frame.index.droplevel("Noise")) == lines
    pooled = build_places(rows, printed, pool=True).values.set_index(["n", "method"])["f1"]
    assert pooled[1000].to_dict() == pytest.approx({"Best filter": 0.35, "a": 0.46})


@pytest.mark.parametrize(
    ("n", "spec", "words"), [(1000, {"metric": "accuracy"}, "metric: called_f1"), (300, {}, "no published filter")]
)
def test_what_cannot_be_compared_is_refused(n, spec, words):
    with pytest.raises(InputError, match=words):
        build_places(rows_of([0.6, 0.62], (n,)), filters(best=0.5), **spec)

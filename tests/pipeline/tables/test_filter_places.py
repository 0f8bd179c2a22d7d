"""Places among the published filters: counted by hand, with the chance of both sides, and open both ways."""

import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.results import records


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


def build(rows, printed, **spec):
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
    table = build(rows_of(f1), filters(best=0.595, middle=0.5, last=0.4))
    assert table.frame.iloc[0].tolist() == ["best 0.595; 3 s", text] and sure in table.notes[0]
    assert "small sample" in table.caption and table.values["draws"].max() == len(f1)


def test_a_filter_without_a_rate_is_left_out():
    printed = filters(best=0.595, middle=0.5)
    table = build(rows_of([0.6, 0.62]), printed[(printed["filter"] != "best") | (printed["rate"] == "0.1")])
    assert table.frame.iloc[0, 0] == "middle 0.500; 3 s" and table.values["of"].max() == 2


def test_sizes_are_lines_and_data_sets_may_be_pooled():
    other = rows_of([0.3, 0.32]).assign(dataset="misla-rna0")
    rows, printed = pd.concat([rows_of([0.6, 0.62], (100, 1000)), other]), filters(best=0.5, last=0.4)
    printed = pd.concat([printed, printed.assign(n=100), printed.assign(dataset="misla-rna0", f1=0.2)])
    lines = [("Magic", "100"), ("Magic", "1,000"), ("misla-rna0", "1,000")]
    assert list(build(rows, printed).frame.index.droplevel("Noise")) == lines
    pooled = build(rows, printed, pool=True).values.set_index(["n", "method"])["f1"]
    assert pooled[1000].to_dict() == pytest.approx({"Best filter": 0.35, "a": 0.46})


@pytest.mark.parametrize(
    ("n", "spec", "words"), [(1000, {"metric": "accuracy"}, "metric: called_f1"), (300, {}, "no published filter")]
)
def test_what_cannot_be_compared_is_refused(n, spec, words):
    with pytest.raises(InputError, match=words):
        build(rows_of([0.6, 0.62], (n,)), filters(best=0.5), **spec)

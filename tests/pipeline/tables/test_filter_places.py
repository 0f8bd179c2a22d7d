"""Places among the published filters: counted by hand, with the chance of both sides, and open both ways."""

import numpy as np
import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.results import records
from ironbark.pipeline.statistics.places import half_width, place

PLACES = {"kind": "filter-places", "metric": "called_f1"}
LABELS = {"methods": {"a": "A"}, "noises": {}, "datasets": {"misla-magic": "Magic"}}


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
    return tables.build(rows, {**PLACES, **spec}, *LABELS.values(), printed=printed)


@pytest.mark.parametrize(
    ("f1", "text", "sure"),
    [
        ([0.79, 0.8, 0.81], "0.800 ± 0.025, 1 (1) of 4", "first beyond chance on 1 of 1 lines"),
        ([0.59, 0.6, 0.61], "0.600 ± 0.025, 1 (1–2) of 4", "on 0 of 1 lines, not first beyond chance on 0."),
        ([0.29, 0.3, 0.31], "0.300 ± 0.025, 4 (4) of 4", "not first beyond chance on 1."),
        ([0.6], "0.600, 1 (1–4) of 4", "not first beyond chance on 0"),
    ],
)  # fmt: skip
def test_places_come_out_both_ways(f1, text, sure):
    table = build(rows_of(f1), filters(best=0.595, middle=0.5, last=0.4))
    assert table.frame.iloc[0].tolist() == ["best 0.595", text] and sure in table.notes[0]
    assert "small sample" in table.caption and table.values["draws"].tolist() == [len(f1)]


def test_a_filter_without_a_rate_is_left_out():
    printed = filters(best=0.595, middle=0.5)
    table = build(rows_of([0.6, 0.62]), printed[(printed["filter"] != "best") | (printed["rate"] == "0.1")])
    assert table.frame.iloc[0, 0] == "middle 0.500" and table.values["of"].tolist() == [2]


@pytest.mark.parametrize(
    ("sizes", "spec", "words"),
    [
        ((100, 1000), {}, "filter-sizes"),
        ((1000,), {"metric": "accuracy"}, "metric: called_f1"),
        ((300,), {}, "no published filter"),
    ],
)
def test_what_cannot_be_compared_is_refused(sizes, spec, words):
    with pytest.raises(InputError, match=words):
        build(rows_of([0.6, 0.62], sizes), filters(best=0.5), **spec)


def test_sizes_stand_next_to_the_best_filter():
    table = build(rows_of([0.6, 0.62], (100, 1000)), filters(best=0.5, last=0.4), kind="filter-sizes")
    assert table.frame.to_numpy().tolist()[1] == ["best 0.500, 3 s", "0.610 ± 0.127, 2 s"]
    assert table.frame.iloc[0, 0] == "–"


def test_the_interval_of_a_difference_covers_its_level():
    rng, wrong = np.random.default_rng(0), 0
    for _ in range(2000):
        ours, theirs = rng.normal(0.5, 0.1, (2, 10))
        rival = pd.DataFrame({"mean": [theirs.mean()], "variance": theirs.var(ddof=1) / 10, "n": 10})
        wrong += place(ours, rival)[1:] != (1, 2)
    assert abs(wrong / 2000 - 0.05) < 0.02
    assert np.isnan(half_width(np.array([0.5])))

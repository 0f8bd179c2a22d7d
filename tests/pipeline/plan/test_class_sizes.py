"""Sizes of classes from the catalogue, against those of the labels that `prepare` makes."""

import numpy as np
import pandas as pd
import pytest

from ironbark.pipeline.data import labels
from ironbark.pipeline.plan.config.dataset_checks import smallest_class

COUNTS = {"0": 40, "1": 30, "2": 30, "10": 7, "3": 5}


def prepared(entry, task):
    column = np.repeat(list(COUNTS), list(COUNTS.values()))
    found = labels.encode("d", pd.DataFrame({"target": column}), "target")
    if task == "binary":
        found = labels.binary("d", found, entry.get("positive"), "binary" in entry)
    return dict(zip(found.classes, found.counts, strict=True))


@pytest.mark.parametrize(
    ("entry", "task"),
    [({}, "multiclass"), ({"positive": [10, "2"]}, "binary"), ({"binary": "grouped"}, "binary")],
)
def test_as_prepared(entry, task):
    sizes = prepared(entry, task)
    name, size = smallest_class({**entry, "expect": {"counts": COUNTS}}, task)
    assert size == min(sizes.values())
    assert set(name.split("|")) in [set(other.split("|")) for other, n in sizes.items() if n == size]


def test_unknown():
    assert smallest_class({}, "binary") is None
    assert smallest_class({"expect": {"n": 5}}, "multiclass") is None
    assert smallest_class({"expect": {"counts": {"a": 3, "b": 1, "c": 1}}}, "binary") is None  # no binary task
    assert smallest_class({"expect": {"counts": {"a": 3, "b": 1}}}, "binary") == ("b", 1)

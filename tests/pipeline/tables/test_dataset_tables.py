"""Printed tables of data sets beside prepared ones, against numbers counted by hand."""

from pathlib import Path

import pandas as pd
import pytest

from ironbark.pipeline import tables
from ironbark.pipeline.published import DATASET_TABLES
from ironbark.pipeline.tables import dataset_tables

PUBLISHED = Path(__file__).parents[3] / "data/published"


def meta(**changes):
    """A data set of 8 rows, 4 features and three classes of 4, 3 and 1 rows."""
    return {
        **{"n": 8, "d": 4, "k": 3, "counts": [4, 3, 1], "split": {"train": 6, "test": 2}, "deviations": []},
        **{"tasks": {"binary": {"counts": [5, 3]}, "multiclass": {"counts": [4, 3, 1]}}},
        **changes,
    }


def test_facts_by_hand():
    found = {name: fact(meta()) for name, fact in dataset_tables.FACTS.items()}
    assert found == {
        **{"n_train": 6, "n_test": 2, "n_samples": 8, "n_features": 4, "n_classes": 3},
        **{"imbalance_ratio": 5 / 3, "majority_percent": 50},
    }
    bare = meta(tasks={})
    del bare["split"]
    assert [dataset_tables.FACTS[name](bare) for name in ("n_train", "n_test", "imbalance_ratio")] == [None] * 3


def build(printed, name, ours, note=""):
    """The table of (id, published name, meta.json or None)."""
    data = printed, {id: meta for id, _, meta in ours if meta}
    members = [(id, published_name) for id, published_name, _ in ours]
    return tables.build(data, {"kind": "datasets", "printed": name}, members=members, caption_note=note)


@pytest.fixture
def printed():
    return pd.DataFrame({"dataset": ["a", "b", "c"], "n_samples": ["8", "9", "8"], "n_features": ["4", "2", "1000"]})


def test_ticks_differences_and_footnotes(printed):
    ours = [
        ("a-1", "a", meta()),
        ("b-1", "b", meta(deviations=["Part only.", "Other order."])),
        ("c-1", "c", None),
        ("c-2", "c", meta(d=1234)),
        ("z", "not printed", meta()),
    ]
    table = build(printed, "pg", ours, "Here.")
    assert table.frame.reset_index().to_numpy().tolist() == [
        ["a", "a-1", "8 ✓", "4 ✓", ""],
        ["b", "b-1", "9 (−1)", "2 (+2)", "[1] [2]"],
        ["c", "c-1", "8 –", "1000 –", ""],
        ["c", "c-2", "8 ✓", "1000 (+234)", ""],
    ]
    assert [list(map(bool, row)) for row in table.bold[["Samples", "Features"]].to_numpy()] == [
        [False, False],
        [True, True],
        [False, False],
        [False, True],
    ]
    assert table.notes[:2] == ["[1] b-1: Part only.", "[2] b-1: Other order."] and "–" in table.notes[2]
    assert table.caption.startswith("Table II of the pairwise-gain paper") and table.caption.endswith("Here.")
    values = table.values.set_index(["dataset", "fact"])
    assert values.loc[("b-1", "n_features"), "difference"] == 2
    assert values.loc[("b-1", "n_features"), "deviations"] == "Part only. Other order."
    assert values["agrees"].tolist() == [True, True, False, False, None, None, True, False]


@pytest.mark.parametrize(
    ("name", "column", "value", "changes", "tick"),
    [
        *(
            ("rgbdt-binary", "imbalance_ratio", r, {}, t)
            for r, t in (("1.66", 0), ("1.67", 1), ("1.7", 1), ("1.68", 0))
        ),
        ("rgbdt-multiclass", "majority_percent", "4.06", {"counts": [813], "n": 20000}, 1),  # 4.065 %, a tie
    ],
)
def test_rounding_is_no_difference(name, column, value, changes, tick):
    """Five against three samples: 1.6667."""
    cells = {"dataset": "a", "n_samples": "8", "n_features": "4", "n_classes": "3", column: value}
    table = build(pd.DataFrame([cells]), name, [("a", "a", meta(**changes))])
    assert table.values.set_index("fact")["agrees"][column] == tick


@pytest.mark.parametrize("name", DATASET_TABLES)
def test_every_printed_file_has_its_columns(name):
    frame = dataset_tables.read(PUBLISHED / DATASET_TABLES[name].file, name)
    assert list(frame.columns) == ["dataset", *DATASET_TABLES[name].columns]
    assert frame["dataset"].is_unique
    assert (frame[list(DATASET_TABLES[name].columns)] != "").all(axis=None)
    assert len(frame) == {"ane": 6, "pg": 32, "rmb": 11, "rgbdt-binary": 15, "rgbdt-multiclass": 10}[name]

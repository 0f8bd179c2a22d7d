"""Printed tables of data sets beside prepared ones, against numbers counted by hand."""

from pathlib import Path

import pandas as pd
import pytest

from ironbark.errors import InputError
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


@pytest.mark.parametrize(("ratio", "tick"), [("1.66", False), ("1.67", True), ("1.7", True), ("1.68", False)])
def test_rounding_is_no_difference(ratio, tick):
    """Five against three samples: 1.6667."""
    printed = pd.DataFrame({"dataset": ["a"], "n_samples": ["8"], "n_features": ["4"], "imbalance_ratio": [ratio]})
    table = build(printed, "rgbdt-binary", [("a", "a", meta())])
    assert ("✓" in table.frame["Imbalance"].iloc[0]) == tick


def test_a_tie_may_be_rounded_either_way():
    """813 of 20,000 are 4.065 %, printed as 4.06."""
    printed = pd.DataFrame(
        {"dataset": ["a"], "n_samples": ["8"], "n_features": ["4"], "n_classes": ["3"], "majority_percent": ["4.06"]}
    )
    table = build(printed, "rgbdt-multiclass", [("a", "a", meta(counts=[813], n=20000))])
    assert table.frame["Majority %"].tolist() == ["4.06 ✓"]


@pytest.mark.parametrize("name", DATASET_TABLES)
def test_every_printed_file_has_its_columns(name):
    frame = dataset_tables.read(PUBLISHED / DATASET_TABLES[name].file, name)
    assert list(frame.columns) == ["dataset", *DATASET_TABLES[name].columns]
    assert frame["dataset"].is_unique
    assert (frame[list(DATASET_TABLES[name].columns)] != "").all(axis=None)
    assert len(frame) == {"ane": 6, "pg": 32, "rmb": 11, "rgbdt-binary": 15, "rgbdt-multiclass": 10}[name]


def test_bad_input_is_told(printed, tmp_path):
    with pytest.raises(InputError, match="no data set is in Table II .*check the field `papers`"):
        build(printed, "pg", [("a", "z", meta())])
    with pytest.raises(InputError, match="no published table 'pgg' of data sets; choose one of ane"):
        dataset_tables.read(PUBLISHED / "pg_datasets.csv", "pgg")
    printed.drop(columns="n_features").to_csv(tmp_path / "p.csv", index=False)
    with pytest.raises(InputError, match="has no column n_features; use the tracked file pg_datasets.csv"):
        dataset_tables.read(tmp_path / "p.csv", "pg")
    (tmp_path / "q.csv").write_text("dataset,n_samples,n_features,imbalance_ratio,task\na,1,1,1,multiclass\n", "utf-8")
    with pytest.raises(InputError, match="has no row of Table 3"):
        dataset_tables.read(tmp_path / "q.csv", "rgbdt-binary")

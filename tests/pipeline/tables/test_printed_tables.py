"""Printed tables of data sets next to ours, against numbers counted by hand; files of comparisons."""

import pandas as pd
import pytest
from mirror_tables import ROOT, catalogue

from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.data import catalog
from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.published import DATASET_TABLES, comparison_page
from ironbark.pipeline.published.comparison import COLUMNS
from ironbark.pipeline.tables import dataset_tables


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
    assert table.bold[["Samples", "Features"]].to_numpy().astype(int).tolist() == [[0, 0], [1, 1], [0, 0], [0, 1]]
    assert table.notes[:2] == ["[1] b-1: Part only.", "[2] b-1: Other order."] and "–" in table.notes[2]
    assert table.caption.startswith("Table II of the pairwise-gain paper") and table.caption.endswith("Here.")
    values = table.values.set_index(["dataset", "fact"])
    assert values.loc[("b-1", "n_features"), "difference"] == 2
    assert values.loc[("b-1", "n_features"), "deviations"] == "Part only. Other order."
    assert values["agrees"].tolist() == [True, True, False, False, None, None, True, False]


@pytest.mark.parametrize(
    ("name", "column", "value", "changes", "tick"),
    [
        *(("rgbdt-binary", "imbalance_ratio", r, {}, r in ("1.67", "1.7")) for r in ("1.66", "1.67", "1.7", "1.68")),
        ("rgbdt-multiclass", "majority_percent", "4.06", {"counts": [813], "n": 20000}, 1),  # 4.065 %, a tie
    ],
)
def test_rounding_is_no_difference(name, column, value, changes, tick):
    """Five against three samples: 1.6667."""
    cells = {"dataset": "a", "n_samples": "8", "n_features": "4", "n_classes": "3", column: value}
    table = build(pd.DataFrame([cells]), name, [("a", "a", meta(**changes))])
    assert table.values.set_index("fact")["agrees"][column] == tick


def members(name):
    """[id, printed name] of each data set of a printed table."""
    return dataset_specs.members({"datasets": catalogue()}, name, catalogue())


LENGTHS = {"ane": 6, "pg": 32, "rmb": 11, "rgbdt-binary": 15, "rgbdt-multiclass": 10}


@pytest.mark.parametrize("name", DATASET_TABLES)
def test_every_printed_data_set_has_an_entry_that_expects_its_numbers(name):
    """The entries hold for the real sources, so they must expect what is printed, or say why not."""
    published, columns = dataset_tables.read(ROOT / DATASET_TABLES[name].path, name), list(DATASET_TABLES[name].columns)
    assert list(published.columns) == ["dataset", *columns] and (published[columns] != "").all(axis=None)
    assert published["dataset"].is_unique and len(published) == LENGTHS[name]
    assert set(published["dataset"]) <= {printed_name for _, printed_name in members(name)}
    for row in published.to_dict("records"):
        for entry in (catalog.complete(catalogue()[id]) for id, own in members(name) if own == row["dataset"]):
            expect, wanted = entry["expect"], {"d": int(row["n_features"])}
            wanted["n"] = int(row["n_samples"]) if "n_samples" in row else int(row["n_train"]) + int(row["n_test"])
            if "n_classes" in row:
                wanted["k"] = int(row["n_classes"])
            assert {key: expect[key] for key in wanted} == wanted or entry.get("deviations"), row["dataset"]


def test_the_file_comes_back_and_an_older_one_is_refused(tmp_path):
    comparison = pd.DataFrame({"table": ["2", "3"], "rate": ["0.1", ""]}, columns=COLUMNS)
    comparison.to_csv(tmp_path / "comparison.csv", index=False)
    found = comparison_page.read(tmp_path / "comparison.csv")
    assert found["rate"].tolist() == ["0.1", ""] and found["table"].tolist() == ["2", "3"]
    comparison.drop(columns=["p_holm"]).to_csv(tmp_path / "comparison.csv", index=False)
    with pytest.raises(InputError, match=r"comparison.csv was written by an older version.*: p_holm not recorded"):
        comparison_page.read(tmp_path / "comparison.csv")
    (tmp_path / "comparison.csv").write_text("")
    with pytest.raises(InputError, match="cannot be read"):
        comparison_page.read(tmp_path / "comparison.csv")

"""The tables of data sets, from the sources to the page."""

import numpy as np
import pandas as pd
import pytest

OWN = "\nown: {title: Own, source: file, path: own.csv, papers: {rmb: blood}, deviations: [Made up.]}\n"


@pytest.mark.slow
def test_the_target_datasets(checkout, tmp_path):
    """A mirror without tables leaves what is on this machine."""
    (tmp_path / "mirror").mkdir()
    pd.DataFrame({"a": np.arange(748), "b": 1.5, "target": np.arange(748) % 2}).to_csv(
        checkout / "own.csv", index=False
    )
    checkout.append("config/datasets.yaml", OWN)
    with_mirror = ["--config", f"mirror={tmp_path / 'mirror'}"]
    assert checkout.planned("datasets", *with_mirror) == {"datasets": 1, "dataset_table": 5, "fetch": 1, "prepare": 1}
    checkout.run("results/datasets/rmb.html", *with_mirror)
    text = (checkout / "results/datasets/rmb.md").read_text("utf-8")
    assert "| blood | own | 748 ✓ | **4 (−2)** | [1] |" in text and "[1] own: Made up." in text
    assert "| higgs | higgs | 11000000 – | 21 – |  |" in text
    values = pd.read_csv(checkout / "results/datasets/rmb.csv")
    assert values.loc[values["dataset"] == "own", "agrees"].astype(str).tolist() == ["True", "False"]
    assert checkout.planned("results/datasets/rmb.html", *with_mirror) == {}


def test_every_data_set_of_a_paper_is_planned_without_a_mirror(checkout):
    counts = checkout.planned("results/datasets/rgbdt-binary.md")
    assert counts["dataset_table"] == 1 and counts["prepare"] == counts["fetch"] == 15


@pytest.mark.slow
def test_a_study_has_a_table_of_its_data_sets(checkout):
    checkout.edit("config/studies/tiny.yaml", "tables:\n", "tables:\n  data: {kind: datasets, printed: rmb}\n")
    checkout.edit(
        "config/datasets.yaml", "  loader: breast_cancer\n", "  loader: breast_cancer\n  papers: {rmb: raisin}\n"
    )
    checkout.run("results/tiny/full/tables/data.csv", "results/tiny/full/tables/data.html")
    text = (checkout / "results/tiny/full/tables/data.md").read_text("utf-8")
    assert "| raisin | breast-cancer | **900 (−331)** | **7 (+23)** |  |" in text
    assert text.count("\n|") == 3

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

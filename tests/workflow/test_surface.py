"""What people and scripts lean on: files, columns, formats."""

import json

import pandas as pd

from ironbark.pipeline.results import records

FOLDER = "results/tiny/full"


def test_files(shared):
    found = {str(path.relative_to(shared / FOLDER)) for path in (shared / FOLDER).rglob("*") if path.is_file()}
    expected = {"rows.parquet", "report.html", "provenance.json", "study.json"}
    expected |= {f"figures/curves{suffix}" for suffix in (".png", ".svg", ".pdf")}
    expected |= {f"tables/accuracy{suffix}" for suffix in (".csv", ".md", ".tex", ".html")}
    found = {path for path in found if not path.endswith(".snakemake_timestamp")}
    assert expected <= found
    assert {name.split("/")[0] for name in found - expected} == {"labels", "fits"}
    for path in found:
        assert (shared / FOLDER / path).stat().st_size > 0


def test_rows(shared):
    rows = records.read(shared / FOLDER / "rows.parquet")
    assert list(rows.columns) == list(records.COLUMNS)
    assert (
        len(rows) == 32 and not rows.duplicated(["dataset", "task", "noise", "rate", "method", "repeat", "fold"]).any()
    )
    assert set(rows["status"]) == {"ok"} and set(rows["message"]) == {""}
    assert set(rows["study"]) == {"tiny"} and set(rows["scale"]) == {"full"}
    assert set(zip(rows["noise"], rows["rate"], strict=True)) == {("clean", "0"), ("uniform", "0.2")}
    assert rows["accuracy"].between(0.5, 1).all() and rows["balanced_accuracy"].between(0.5, 1).all()
    assert (rows["fit_seconds"] >= 0).all() and (rows["n_leaves"] >= 2).all() and (rows["depth"] >= 1).all()
    assert (rows.loc[rows["noise"] == "clean", "flipped"] == 0).all()
    assert rows.loc[rows["noise"] == "uniform", "flipped"].between(0.05, 0.35).all()
    for text in rows["versions"].unique():
        assert {"python", "numpy", "scikit-learn", "numba"} <= set(json.loads(text))


def test_seeds_are_shared_by_methods(shared):
    rows = records.read(shared / FOLDER / "rows.parquet")
    groups = rows.groupby(["dataset", "noise_id", "repeat"])
    assert (groups["seed"].nunique() == 1).all() and (groups["flipped"].nunique() == 1).all()
    assert rows["seed"].nunique() == len(groups)


def test_table_is_the_mean_of_the_rows(shared):
    rows = records.read(shared / FOLDER / "rows.parquet")
    table = pd.read_csv(shared / FOLDER / "tables/accuracy.csv", dtype={"rate": "str"})
    means = rows[rows["task"] == "binary"].groupby(["method", "noise", "rate"])["accuracy"].mean()
    assert len(table) == len(means) == 8
    for cell in table.itertuples():
        assert abs(cell.mean - means[cell.method, cell.noise, cell.rate]) < 1e-9

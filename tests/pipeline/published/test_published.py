import csv
from pathlib import Path

import pytest

from ironbark.pipeline.published import readers

FILE = Path(__file__).parents[3] / "data" / "published" / "ane_accuracy.csv"


@pytest.fixture(scope="module")
def printed():
    return readers.ane_cells(FILE)


def test_all_printed_cells_are_read_in_our_terms(printed):
    assert list(printed.columns) == readers.COLUMNS and len(printed) == 1092
    assert printed.groupby("table").size().to_dict() == {"2": 336, "3": 210, "4": 336, "5": 210}
    kinds = printed.groupby(["noise", "rate"]).size().to_dict()
    expected = {("clean", "0"): 166} | {("uniform", f"0.{k}"): 166 for k in range(1, 5)}
    expected |= {("class_conditional", "0.1/0.3"): 96, ("class_conditional", "0.2/0.4"): 96, ("mahalanobis", ""): 70}
    assert kinds == expected


def test_a_printed_cell_becomes_fractions(printed):
    # Table 2, MNIST, ANE, uniform 0.1: 89.92 +- 0.84
    keys = ["table", "dataset", "method", "noise", "rate"]
    cell = printed.set_index(keys).loc[("2", "mnist", "ane", "uniform", "0.1")]
    assert (cell["mean"], cell["spread"], cell["n"]) == (pytest.approx(0.8992), pytest.approx(0.0042), 5)
    assert (cell["task"], cell["model"]) == ("binary", "DT")


PG = FILE.with_name("pg_accuracy.csv")


def test_table_iii_of_pg_in_our_terms():
    printed = readers.pg_cells(PG)
    assert list(printed.columns) == readers.COLUMNS
    assert len(printed) == 32 * 2 * 3
    cell = printed.set_index(["dataset", "method", "rate"]).loc[("german-libsvm", "gini", "0.2/0.4")]
    assert (cell["mean"], cell["spread"], cell["n"]) == (0.5914, 0.0510, 50)
    assert set(printed["noise"]) == {"class_conditional"} and set(printed["model"]) == {"RF"}


RMB = FILE.with_name("rmb_error.csv")


def test_the_boosting_paper():
    printed = readers.rmb_cells(RMB)
    assert list(printed.columns) == readers.COLUMNS
    sizes = {"3": 360, "3, risk": 40, "5": 45, "5, reply": 90, "5, reply, risk": 10, "5, risk": 5}
    assert printed.groupby("table").size().to_dict() == sizes
    cell = printed.query("dataset == 'climate' and method == 'RMBoost' and noise == 'adversarial' and rate == '0.2'")
    assert cell[["mean", "spread", "rounding"]].to_numpy().ravel() == pytest.approx([0.27, 0.055, 0.005])
    assert set(printed.loc[printed["model"] == "risk", "method"]) == {readers.RISK}


def test_points_of_figures_are_the_numbers_of_the_files():
    found = readers.rmb_curves(RMB).set_index(["table", "dataset", "method", "noise", "rate", "metric"])["mean"]
    assert found["3", "climate", "RMBoost", "adversarial", "0.2", "error"] == 0.27
    assert found["3, risk", "german", readers.RISK, "clean", "0", "minimax_risk"] == 0.26
    path = FILE.with_name("ane_lambda.csv")
    found = readers.ane_curves(path).set_index(["task", "metric", "method", "noise", "rate"])["mean"]
    with path.open() as file:
        lines = list(csv.DictReader(file))
    assert len(found) == 3 * len(lines)
    line = next(line for line in lines if line["noise_kind"] == "mahalanobis" and line["lambda"] == "0.5")
    place = found.loc["multiclass", :, "0.5", "mahalanobis", ""]
    for metric, unit in {"accuracy": 100, "validation_accuracy": 100, "n_leaves": 1}.items():
        assert place[metric] == pytest.approx(float(line[metric]) / unit)


def test_trade_off_of_the_boosting_paper():
    printed = readers.rmb_tradeoff(FILE.with_name("rmb_tradeoff.csv")).set_index(["method", "noise", "rate"])
    assert len(printed) == 45
    assert printed.loc[("AdaBoost", "clean", "0"), "value"] == 2.38
    assert printed.loc[("RMBoost", "adversarial", "0.2"), "value"] == pytest.approx(0.1082)

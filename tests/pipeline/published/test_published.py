"""Files of published values in our terms: sizes, and cells read off the papers."""

import csv
from pathlib import Path

import pytest

from ironbark.pipeline.published import readers

FOLDER = Path(__file__).parents[3] / "data/published"
ANE, PG, RMB = (FOLDER / name for name in ("ane_accuracy.csv", "pg_accuracy.csv", "rmb_error.csv"))
SIZES = {
    readers.ane_cells: (ANE, {"2": 336, "3": 210, "4": 336, "5": 210}),
    readers.pg_cells: (PG, {"III": 32 * 2 * 3}),
    readers.rmb_cells: (RMB, {"3": 360, "3, risk": 40, "5": 45, "5, reply": 90, "5, reply, risk": 10, "5, risk": 5}),
}


@pytest.mark.parametrize("read", SIZES)
def test_all_published_cells_are_read(read):
    path, sizes = SIZES[read]
    found = read(path)
    assert list(found.columns) == readers.COLUMNS and found.groupby("table").size().to_dict() == sizes


def test_noises_in_our_terms():
    kinds = readers.ane_cells(ANE).groupby(["noise", "rate"]).size().to_dict()
    expected = {("clean", "0"): 166} | {("uniform", f"0.{k}"): 166 for k in range(1, 5)}
    expected |= {("class_conditional", "0.1/0.3"): 96, ("class_conditional", "0.2/0.4"): 96, ("mahalanobis", ""): 70}
    assert kinds == expected
    assert set(readers.pg_cells(PG)["noise"]) == {"class_conditional"}
    assert set(readers.rmb_cells(RMB).query("model == 'risk'")["method"]) == {readers.RISK}


@pytest.mark.parametrize(
    ("read", "key", "numbers"),  # mean, spread, fits and rounding
    [
        (readers.ane_cells, ("2", "mnist", "binary", "DT", "ane", "uniform", "0.1"), (0.8992, 0.0042, 5, 5e-5)),
        (
            readers.pg_cells,
            ("III", "german-libsvm", "binary", "RF", "gini", "class_conditional", "0.2/0.4"),
            (0.5914, 0.0510, 50, 5e-5),
        ),
        (
            readers.rmb_cells,
            ("3", "climate", "binary", "classifier", "RMBoost", "adversarial", "0.2"),
            (0.27, 0.055, 100, 0.005),
        ),
    ],
)
def test_a_published_cell_becomes_fractions(read, key, numbers):
    cells = read(SIZES[read][0]).set_index(readers.COLUMNS[:7])
    assert cells.loc[key].tolist() == pytest.approx(list(numbers))


def test_points_of_figures_are_the_numbers_of_the_files():
    found = readers.rmb_curves(RMB).set_index(["table", "dataset", "method", "noise", "rate", "metric"])["mean"]
    assert found["3", "climate", "RMBoost", "adversarial", "0.2", "error"] == 0.27
    assert found["3, risk", "german", readers.RISK, "clean", "0", "minimax_risk"] == 0.26
    path = FOLDER / "ane_lambda.csv"
    found = readers.ane_curves(path).set_index(["task", "metric", "method", "noise", "rate"])["mean"]
    with path.open() as file:
        lines = list(csv.DictReader(file))
    assert len(found) == 3 * len(lines)
    line = next(line for line in lines if line["noise_kind"] == "mahalanobis" and line["lambda"] == "0.5")
    place = found.loc["multiclass", :, "0.5", "mahalanobis", ""]
    for metric, unit in {"accuracy": 100, "validation_accuracy": 100, "n_leaves": 1}.items():
        assert place[metric] == pytest.approx(float(line[metric]) / unit)


def test_trade_off_of_the_boosting_paper():
    printed = readers.rmb_tradeoff(FOLDER / "rmb_tradeoff.csv").set_index(["method", "noise", "rate"])
    assert len(printed) == 45
    assert printed.loc[("AdaBoost", "clean", "0"), "value"] == 2.38
    assert printed.loc[("RMBoost", "adversarial", "0.2"), "value"] == pytest.approx(0.1082)

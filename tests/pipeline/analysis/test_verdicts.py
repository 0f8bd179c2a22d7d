"""Verdicts on published tables, from a few lines."""

import pandas as pd
from scipy import stats

from ironbark.pipeline.analysis.published import comparison, verdicts
from ironbark.pipeline.analysis.published.coverage import FULL, LOWER

MAPPING = {"M": {"A": "a", "B": "b"}}


def line(method, mean, *, n=5, capped=False, dataset="d", noise="clean", metric="accuracy"):
    about = {"dataset": dataset, "task": "binary", "noise_id": noise, "method": method, "metric": metric}
    return about | {"noise": noise, "rate": "0", "n": n, "mean": mean, "spread": 0.01, "capped": capped}


def published(method, mean):
    about = {"table": "1", "dataset": "d", "task": "binary", "model": "M", "method": method, "noise": "clean"}
    return about | {"rate": "0", "mean": mean, "spread": 0.01, "n": 5, "rounding": 0.0005}


def compared(*lines, metrics=None):
    cells = pd.DataFrame([published("A", 0.9), published("B", 0.8)])
    return comparison.compare_cells(verdicts.measured(pd.DataFrame(lines)), cells, MAPPING, metrics=metrics)


def test_comparable_cells_are_counted():
    assert verdicts.of_cells(compared(line("a", 0.9), line("b", 0.8))) == "2 of 2 not rejected"
    assert verdicts.of_cells(compared(line("a", 0.9), line("b", 0.2))) == "1 of 2 not rejected"


def test_capped_fits_are_not_compared():
    assert verdicts.of_cells(compared(line("a", 0.9), line("b", 0.8, capped=True))) == "1 of 1 not rejected"
    assert verdicts.of_cells(compared(line("a", 0.9, capped=True))) == "no comparable result"


def test_the_error_is_that_of_the_accuracy():
    found = compared(line("a", 0.1), line("b", 0.2), metrics={"M": "error"})
    assert verdicts.of_cells(found) == "2 of 2 not rejected"


def test_without_a_published_spread_the_difference_is_shown():
    cells = pd.DataFrame([published("A", 0.9) | {"spread": float("nan")}])
    lines = comparison.compare_cells(verdicts.measured(pd.DataFrame([line("a", 0.88)])), cells, MAPPING)
    assert verdicts.of_cells(lines) == "no comparable cell; mean absolute difference 2.0 points in 1 cells"


METHODS = {"A": "a", "B": "b", "C": "c", "D": "d"}


def ranks(status, *values, dataset="d"):
    about = {"dataset": dataset, "status": status}
    return [about | {"method": name, "average_rank": value} for name, value in zip(METHODS, values, strict=True)]


def means(*values, dataset="d", metric="accuracy"):
    return [
        line(own, value, dataset=dataset, metric=metric) for own, value in zip(METHODS.values(), values, strict=True)
    ]


def test_ranks_are_correlated_over_the_data_sets_that_ran_in_full():
    theirs = pd.DataFrame([*ranks(FULL, 1, 2, 3, 4), *ranks(LOWER, 4, 3, 2, 1, dataset="e")])
    ours = pd.DataFrame([*means(0.9, 0.7, 0.8, 0.6), *means(0.9, 0.8, 0.7, 0.6, dataset="e")])
    rho = stats.spearmanr([1, 2, 3, 4], [1, 3, 2, 4]).statistic
    found = verdicts.of_ranks(theirs, ours, METHODS, "accuracy")
    assert found == f"rank correlation {rho:.2f} over 1 data sets, full protocol"
    found = verdicts.of_ranks(theirs[theirs["status"] == LOWER], ours, METHODS, "accuracy")
    assert found == "rank correlation -1.00 over 1 data sets, lower scale"


def test_a_metric_that_no_reference_file_has():
    found = verdicts.of_ranks(pd.DataFrame(ranks(FULL, 1, 2, 3, 4)), pd.DataFrame(means(1, 1, 1, 1)), METHODS, "f1")
    assert found == "`data/reference` has no f1"


def test_nothing_has_run():
    theirs = pd.DataFrame(ranks("not run", 1, 2, 3, 4))
    assert verdicts.of_ranks(theirs, pd.DataFrame(means(1, 1, 1, 1)), METHODS, "accuracy") == "no comparable result"

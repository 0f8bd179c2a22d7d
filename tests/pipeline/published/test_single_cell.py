"""Published values in our terms, and one of them next to ours, against SciPy and ranks by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows
from scipy import stats

from ironbark.errors import InputError
from ironbark.pipeline.jobs import check_cell
from ironbark.pipeline.published import Cell, read, readers, single_cell, values
from ironbark.pipeline.results import records

ROOT = Path(__file__).parents[3]
ANE = Cell("ane", "2", "mushrooms", "binary", "DT", "ane", "uniform", "0.4")
SPEC = {"dataset": "mushrooms", "method": "dt-ane", "metric": "accuracy"}
RANK = Cell("rgbdt", "2", "flare", "multiclass", "", "bagging", "", "")


def published(paper):
    return read(paper, ROOT / values(paper).path)


def fits(values, **further):
    return result_rows({("mushrooms", "uniform-0.4", "dt-ane"): values}, **further)


def test_a_mean_has_the_three_criteria_by_scipy():
    values = [0.96, 0.99, 0.95, 0.97, 0.98]
    found = single_cell.means(fits(values), published("ane"), ANE, SPEC)
    assert found["published"] == {"mean": pytest.approx(98.07), "spread": pytest.approx(1.455), "runs": 5}
    ours, sd = 100 * np.mean(values), 100 * np.std(values, ddof=1)
    assert found["ours"] == {"mean": pytest.approx(ours), "spread": pytest.approx(sd), "runs": 5}
    welch = stats.ttest_ind_from_stats(98.07, 1.455, 5, ours, sd, 5, equal_var=False)
    assert found["p"] == pytest.approx(welch.pvalue, abs=1e-3) and found["verdict"] == "not rejected"  # rounding counts
    assert found["cells_of_table"] == 336 and found["within_two_sd"] is True and found["equivalent"] is False
    assert found["difference"] == pytest.approx(ours - 98.07)
    with pytest.raises(InputError, match="2 published values are ANE Table 2, mushrooms, .*; restore the tracked file"):
        single_cell.means(fits(values), pd.concat([published("ane")] * 2, ignore_index=True), ANE, SPEC)


def test_a_difference_is_rejected_and_the_page_warns_of_one_test_alone():
    result = page_of([0.945, 0.95, 0.955, 0.96, 0.965])
    assert "- **Differs**: p = 0.0" in result["page"] and result["p"] < 0.05 < 336 * result["p"]
    assert "Holm's rule multiplies p by up to 336" in " ".join(result["page"].split())
    far = page_of([0.50, 0.51, 0.52, 0.50, 0.51])
    assert "- **Differs**: p < 0.001 (Welch" in far["page"]
    assert "Holm" not in far["page"] and "**Within 2 published sd**: no" in far["page"]


def page_of(values, **further):
    result = single_cell.means(fits(values), published("ane"), ANE, SPEC, **further)
    protocol = {"kind": "fixed-split", "repeats": 5, "options": {"max_train": None}}
    about = {"title": str(ANE), "cell": ANE._asdict(), "study": "ane", "scale": "full", "protocol": protocol}
    about |= {"differs": "", "fits": 5, "failed": 0, "metric": "accuracy", **SPEC}
    data = {"rows": 8124, "features": 112, "published": [], "deviations": [], "despite": ""}
    return result | {"page": single_cell.page(about | result | {"data": data})}


def test_a_rank_is_the_mean_over_noises_of_the_ranks_of_means():
    rng, noises = np.random.default_rng(0), ["clean", "pair_flip-0.1", "pair_flip-0.4"]
    names = published("rgbdt").query("dataset == 'flare'")["method"].tolist()
    means = rng.random((len(noises), len(names)))
    means[0, 1] = means[0, 0]  # a tie shares the better rank
    runs = {
        ("flare", noise, f"rgbdt-{name}"): [mean - 0.01, mean + 0.01]
        for noise, line in zip(noises, means, strict=True)
        for name, mean in zip(names, line, strict=True)
    }
    rows = result_rows(runs, task="multiclass")
    spec = {"dataset": "flare", "method": "rgbdt-bagging", "metric": "accuracy"}
    spec["methods"] = {name: f"rgbdt-{name}" for name in names}
    found = single_cell.ranks(rows, published("rgbdt"), RANK, spec)
    ours = np.mean([stats.rankdata(-line, method="min") for line in means], axis=0)
    theirs = published("rgbdt").query("dataset == 'flare'")["average_rank"].to_numpy()
    assert found["ours"] == pytest.approx(ours[names.index("bagging")])
    assert found["published"] == theirs[names.index("bagging")] and found["verdict"] == "no test"
    assert found["difference"] == pytest.approx(found["ours"] - found["published"])
    assert [line["ours"] for line in found["ranks"]] == pytest.approx(list(ours))
    assert found["spearman"] == pytest.approx(stats.spearmanr(ours, theirs).statistic)
    assert single_cell.ranks(rows, published("rgbdt"), RANK, spec, "other data")["verdict"] == "not comparable"


def test_fits_that_all_failed_end_the_job_with_the_message(tmp_path):
    rows = fits([np.nan, np.nan], message="out of memory")
    records.write(rows, tmp_path / "rows.parquet")
    spec = {"cell": ANE._asdict(), **SPEC}
    with pytest.raises(InputError, match="all 2 fits of dt-ane failed, the first with 'out of memory'; correct"):
        check_cell.run(spec, tmp_path / "rows.parquet", "unread", [], "unread", tmp_path / "out")


FOLDER = Path(__file__).parents[3] / "data/published"
ANE_FILE, PG, RMB = (FOLDER / name for name in ("ane_accuracy.csv", "pg_accuracy.csv", "rmb_error.csv"))


def test_noises_trade_offs_and_points_of_figures_are_those_of_the_files():
    kinds = readers.ane_cells(ANE_FILE).groupby(["noise", "rate"]).size().to_dict()
    expected = {("clean", "0"): 166} | {("uniform", f"0.{k}"): 166 for k in range(1, 5)}
    expected |= {("class_conditional", "0.1/0.3"): 96, ("class_conditional", "0.2/0.4"): 96, ("mahalanobis", ""): 70}
    assert kinds == expected and set(readers.pg_cells(PG)["noise"]) == {"class_conditional_by_size"}
    assert set(readers.rmb_cells(RMB).query("model == 'risk'")["method"]) == {readers.RISK}
    printed = readers.rmb_tradeoff(FOLDER / "rmb_tradeoff.csv").set_index(["method", "noise", "rate"])
    assert len(printed) == 45 and printed.loc[("AdaBoost", "clean", "0"), "value"] == 2.38
    assert printed.loc[("RMBoost", "adversarial", "0.2"), "value"] == pytest.approx(0.1082)
    found = readers.rmb_curves(RMB).set_index(["table", "dataset", "method", "noise", "rate", "metric"])["mean"]
    assert found["3", "climate", "RMBoost", "adversarial", "0.2", "error"] == 0.27
    assert found["3, risk", "german", readers.RISK, "clean", "0", "minimax_risk"] == 0.26
    found = readers.ane_curves(FOLDER / "ane_lambda.csv")
    place = found[(found["task"] == "multiclass") & (found["method"] == "0.5") & (found["noise"] == "mahalanobis")]
    expected = {"accuracy": 0.529, "validation_accuracy": 0.359, "n_leaves": 15798}
    assert place.set_index("metric")["mean"].to_dict() == pytest.approx(expected)

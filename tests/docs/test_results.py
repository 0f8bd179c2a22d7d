"""Results on pages and in leaderboards are those of the files, or of the code, that they come from."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from docs.reference import config, measured
from docs.tables_arena import STANDARD, leaderboard, scores
from sklearn.datasets import load_wine

from ironbark.cli import main
from ironbark.pipeline.statistics import elo, ranks
from ironbark.pipeline.tables.filter_places import NOISES
from ironbark.pipeline.tables.rankings import normalised

BOARDS = [("leaderboard", "accuracy", None), ("detectors", "detection", None)]
BOARDS += [("leaderboard", "accuracy", part) for part in ("chosen", "reported")]


@pytest.mark.parametrize("task", ["binary", "multiclass"])
@pytest.mark.parametrize(("name", "metric", "part"), BOARDS)
def test_numbers_of_boards_are_those_of_the_pack(task, name, metric, part):
    found = leaderboard(f"{name}-{task}-{part}", STANDARD) if part else leaderboard(f"{name}-{task}")
    complete = scores(task, metric, tuple(found.index), part)
    ratings = elo.ratings(elo.wins(complete).sum(axis=0))
    np.testing.assert_allclose(found["elo"][complete.columns], ratings, rtol=1e-6)
    assert (found["low"] <= found["elo"]).all() and (found["elo"] <= found["high"]).all()
    np.testing.assert_allclose(found["rank"], ranks.dataset_ranks(complete)[found.index], rtol=1e-6)
    np.testing.assert_allclose(found["score"], ranks.by_dataset(normalised(complete)).mean()[found.index], rtol=1e-6)
    np.testing.assert_allclose(found["mean"], ranks.by_dataset(complete).mean()[found.index], rtol=1e-6)


ROOT = Path(__file__).parents[2]
FOUND = pd.read_csv(ROOT / "docs/figures/self-tuning.csv").set_index(["method", "rate"])["accuracy"]
SHOWN = {"docs/choosing.md": (0.0, 0.2, 0.4), "docs/self-tuning.md": (0.0, 0.2, 0.4)}


@pytest.mark.parametrize("method", ["forest, self-tuned", "scikit-learn forest"])
@pytest.mark.parametrize("name", SHOWN)
def test_a_page_has_the_accuracies_of_the_picture(name, method):
    assert all(f"{100 * FOUND[method, rate]:.1f}" in (ROOT / name).read_text("utf-8") for rate in SHOWN[name])


def test_the_readme_has_the_gains_of_the_table():
    gains = pd.read_csv(ROOT / "docs/tables/arena-standard-gains.csv").iloc[0]
    text, found = (ROOT / "README.md").read_text("utf-8"), gains[["Clean", "Uniform 0.2", "Uniform 0.4"]]
    assert gains["Method"] == "Self-tuned forest" and gains["Half"] == "reported"
    boards = [list(leaderboard(f"leaderboard-{task}-reported", STANDARD).index) for task in ("binary", "multiclass")]
    places = [[board.index(name) + 1 for board in boards] for name in ("rf-self-tuned", "ensemble")]
    assert places == [[3, 4], [4, 1]] and "3rd of {} methods on binary and 4th of {}".format(*map(len, boards)) in text
    assert all(cell.partition("; +")[2] in text for cell in found) and f"({gains['Data sets']} data sets" in text


def test_the_forest_that_is_advertised_is_ahead_where_labels_are_wrong():
    ahead = FOUND.unstack("rate")
    rivals = ahead.drop(index="forest, self-tuned")
    assert (ahead.loc["forest, self-tuned", [0.2, 0.3, 0.4]] > rivals[[0.2, 0.3, 0.4]].max()).all()


@pytest.mark.parametrize("name", ["places", "low-noise"])
def test_f1_of_filter_tables_is_that_of_the_reference(name):
    """The reference results have no draws and seconds, so that these tables are copied from a run."""
    entry, found = config()["studies"]["misla"], measured("misla").query("metric == 'called_f1'")
    found = found[found["noise_id"].isin(entry["tables"][name].get("noises", found["noise_id"]))]
    found = found.replace({"noise": NOISES, "dataset": entry["dataset_labels"]})
    labels = {method: config()["methods"][method]["label"] for method in found["method"].unique()}
    f1 = found.groupby(["noise", "dataset", "method"])["mean"].mean().unstack()
    shown = pd.read_csv(ROOT / f"docs/tables/misla-{name}.csv").set_index(["Noise", "Data set"])
    assert sorted(shown.index) == sorted(f1.index)
    for method, label in labels.items():
        assert shown[label].str.partition(" ")[0].to_dict() == f1[method].map("{:.3f}".format).to_dict()


def blocks(kind, text):
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_the_pages_say_what_their_code_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs/label-errors.md").read_text("utf-8").partition("## Options of the command")[0]
    review = (ROOT / "docs/reviewing.md").read_text("utf-8")
    exec("\n".join(blocks("python", text) + blocks("python", review)[:1]), {})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "13" and lines[-3:] == ["11 9", "0.84 0.88", "13 [0.07, 0.17] False"], lines

    def printed(*options):
        assert main(["labels", "wine.csv", "--target", "cultivar", *options]) == 0
        return set(capsys.readouterr().out.splitlines())

    [shown] = blocks("text", text)
    assert set(shown.splitlines()) <= printed()
    printed("--review")
    sheet = pd.read_csv("wine-review.csv", dtype=str)
    right = load_wine().target[sheet["row"].astype(int) - 2].astype(str)
    sheet["verdict"] = np.where(sheet["given"] == right, "keep", right)
    sheet.to_csv("wine-review-answers.csv", index=False)
    [shown] = blocks("text", review)
    assert set(shown.splitlines()) <= printed("--reviewed", "wine-review-answers.csv")

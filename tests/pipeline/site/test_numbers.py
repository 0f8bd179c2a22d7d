"""Which studies the site shows and in what words; its numbers against tables, SciPy and by hand."""

import itertools
import json
import os

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from site_cases import fill, rows, spec, study

from ironbark.pipeline.results import records
from ironbark.pipeline.results.records import FAILED
from ironbark.pipeline.site import numbers, pages
from ironbark.pipeline.statistics import ranks
from ironbark.pipeline.tables import collect
from ironbark.pipeline.tables import rankings as leaderboard

DATASETS, RANKED = [f"d{i}" for i in range(7)], list("abcd")
MODELS = {
    "clean": {"label": "0", "model": "clean"},
    "u2": {"label": "0.2", "model": "uniform", "rate": 0.2},
    "u4": {"label": "0.4", "model": "uniform", "rate": 0.4},
    "p2": {"label": "p", "model": "pair_flip", "rate": 0.2},
}
SELECTIONS = {
    numbers.ALL: list(MODELS),
    "uniform, all rates": ["u2", "u4"],
    "20 %, all kinds": ["u2", "p2"],
    "uniform 40 %": ["u4"],
}


def test_means_spreads_and_tracks(tmp_path):
    found = rows(repeats=3).assign(detection=np.nan)
    found.loc[found["method"] == "rf-c", "detection"] = 0.5
    found.loc[3, "status"] = FAILED
    found.to_parquet(tmp_path / "rows.parquet")
    partial = numbers.rows(tmp_path).frame
    found = numbers.cells(partial)["binary", "accuracy"].set_index(numbers.CELL).sort_index()
    expected = collect.cells(partial, "accuracy").astype({name: "str" for name in numbers.CELL})
    expected = expected.set_index(numbers.CELL).sort_index()
    columns = ["mean", "sd", "n"]
    pd.testing.assert_frame_equal(found[columns], expected[columns], rtol=1e-12)
    found = numbers.cells(partial)
    main = {("binary", "classification"): "accuracy", ("binary", "detection"): "detection"}
    assert numbers.main_metrics(found) == main
    assert set(found["binary", "detection"]["method"]) == {"rf-c"}
    assert "p_holm" in found["binary", "accuracy"] and "p_holm" not in found["binary", "seconds"]


def test_no_method_is_significantly_better_than_one_that_was_better_where_it_did_not_fail():
    cells = pd.DataFrame({"method": ["a", "b"], "mean": [0.4, 0.7], "n": [4, 3], "difference": [np.nan, -0.28]})
    cells = cells.assign(dataset="d", noise_id="u", best="a", sd=0.1, p_holm=[np.nan, 0.01])
    view = {"id": "s", "scale": "full", "methods": {"a": "A", "b": "B"}, "noises": ["u"], "noise_names": {"u": "0.2"}}
    [found] = pages.best("d", view | {"cells": {("binary", "accuracy"): cells}})
    assert "<td>-28</td>\n      <td>0.01</td>\n      <td>no</td>\n      <td>0 of 1</td>" in found["table"]["still"]


@pytest.fixture(scope="module")
def frame():
    rng, found = np.random.default_rng(0), []
    for dataset, noise, method, repeat in itertools.product(DATASETS, MODELS, RANKED, range(2)):
        about = {"dataset": dataset, "task": "binary", "noise_id": noise, "method": method, "repeat": repeat, "fold": 0}
        about |= {"noise": MODELS[noise]["model"], "rate": str(MODELS[noise].get("rate", 0)), "status": "ok"}
        accuracy = 0.9 - 0.05 * RANKED.index(method) + 0.05 * rng.normal()
        found.append(about | {"accuracy": accuracy, "fit_seconds": 1 + rng.random(), "tune_seconds": 0.0})
    return records.frame(found)


def board(frame):
    return numbers.leaderboard(numbers.cells(frame), "binary", "accuracy", numbers.described(MODELS), rated=True)


@pytest.mark.parametrize("name", SELECTIONS)
def test_the_same_as_the_table_of_the_selection(frame, name):
    found = board(frame).query("noise == @name").set_index("method")
    part = frame[frame["noise_id"].isin(SELECTIONS[name])]
    complete, _ = ranks.scores(collect.cells(part))
    expected = leaderboard.board(part, complete, "accuracy").loc[found.index]
    for column, factor in {"rank": 1, "mean": 100, "score": 1, "seconds": 1}.items():
        assert found[column].to_numpy() == pytest.approx(factor * expected[column].to_numpy()), column
    assert found["elo"].notna().all() == (name == numbers.ALL)
    if name == numbers.ALL:
        for column in ("elo", "low", "high"):
            assert found[column].to_numpy() == pytest.approx(expected[column].to_numpy(), abs=1e-6), column
    assert set(found["settings"]) == {len(complete)} and set(found["datasets"]) == {len(DATASETS)}
    assert list(found.index) == list(ranks.dataset_ranks(complete).index)
    assert list(found["place"]) == [1, 2, 3, 4]
    by_dataset = ranks.by_dataset(ranks.setting_ranks(complete))[found.index]
    low, high = stats.t.interval(0.95, len(DATASETS) - 1, by_dataset.mean(), stats.sem(by_dataset))
    assert found["half"].to_numpy() == pytest.approx((high - low) / 2)


def test_selections_and_settings_that_a_method_lacks(frame):
    found = numbers.selections(numbers.described(MODELS))
    assert {name: found[name] for name in SELECTIONS} == SELECTIONS
    assert list(found)[0] == numbers.ALL and found["pair flip 20 %"] == ["p2"] and found["clean"] == ["clean"]
    assert len(set(map(tuple, found.values()))) == len(found) == 8 - 1
    found = board(frame[~((frame["dataset"] == "d1") & (frame["noise_id"] == "u2") & (frame["method"] == "b"))])
    found = found[found["noise"] == numbers.ALL]
    assert board(frame[frame["method"] == "a"]) is None, "of a single method"
    assert set(found["settings"]) == {len(DATASETS) * len(MODELS) - 1}


def test_coverage_counts_fits_that_the_study_asks_for(tmp_path):
    found = rows().drop(index=[0, 1, 7]).reset_index(drop=True)  # two fits of Tree A and one of Tree B, on ducks
    found.loc[[2, 5], ["status", "message"]] = [FAILED, "ValueError: no"]
    found.to_parquet(tmp_path / "rows.parquet")
    known, about = numbers.rows(tmp_path).frame, study()
    assert numbers.causes(known)["message"].tolist()[:1] == ["ValueError: no"]
    lost = rows().iloc[[0, 1, 7]]
    for by in ("dataset", "method"):
        table = numbers.coverage(numbers.within(known, about), about, by)
        for name, line in table.iterrows():
            own = found[found[by] == name]
            counts = [(own["status"] == FAILED).sum(), (own["status"] != FAILED).sum(), (lost[by] == name).sum()]
            assert line[["failed", "done", "missing"]].tolist() == counts and line["asked"] == sum(counts)
            seconds = own[["fit_seconds", "tune_seconds", "score_seconds"]].sum().sum()
            assert line["seconds"] == pytest.approx(seconds)
    rows(repeats=3).to_parquet(tmp_path / "rows.parquet")
    about = study(blocks=[["ducks", "binary", ["clean"], ["dt-a"]], ["geese", "binary", ["uniform-0.2"], ["dt-b"]]])
    left = numbers.within(numbers.rows(tmp_path).frame, about)
    assert len(left) == 4 and set(left["repeat"]) == {0, 1}
    pairs = set(zip(left["dataset"], left["noise_id"], left["method"], strict=True))
    assert pairs == {("ducks", "clean", "dt-a"), ("geese", "uniform-0.2", "dt-b")}


def record(results, id="pond", scale="full", when=None, **changes):
    """Write study.json as a run does."""
    about = {key: value for key, value in spec(study()).items() if key not in ("studies", "problems")}
    path = results / id / scale / "study.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(about | {"study": study(id, scale=scale)} | changes), encoding="utf-8")
    if when:
        os.utime(path, (when, when))
    return path


def test_studies_with_all_that_they_use_the_larger_scale_first(tmp_path):
    assert numbers.studies(tmp_path / "none")["studies"] == []
    record(tmp_path)
    (tmp_path / "site/assets").mkdir(parents=True)
    assert numbers.studies(tmp_path) == spec(study())
    record(tmp_path, "lake", when=2e9, methods={"dt-a": {"label": "New"}}, scale="smoke")
    record(tmp_path, when=1e9, methods={"dt-a": {"label": "Old"}}, scale="lite")
    found = numbers.studies(tmp_path)
    assert [about["scale"] for about in found["studies"] if about["id"] == "pond"] == ["full", "lite"]


def test_results_without_a_description_are_named_with_the_command_that_writes_it(tmp_path):
    (tmp_path / "old/smoke/fits").mkdir(parents=True)
    record(tmp_path).write_text("{", encoding="utf-8")
    found = numbers.studies(tmp_path)
    assert found["studies"] == [] and found["datasets"] == {}
    missing, damaged = found["problems"]
    assert missing.startswith("old (smoke) is left out: ") and damaged.startswith("pond (full) is left out: ")
    assert "run `snakemake --cores 2 old --config scale=smoke` again" in missing


@pytest.fixture
def folder(tmp_path):
    return fill(tmp_path) / "pond/full"


def test_a_study_that_still_runs_shows_the_batches_that_have_ended(folder):
    found = numbers.rows(folder)
    assert found.problems == [] and found.frame["accuracy"].tolist() == rows()["accuracy"].tolist()
    records.write(rows().head(5), folder / "partial.parquet")
    os.utime(folder / "partial.parquet", (1, 1))
    assert numbers.rows(folder).path == folder / "rows.parquet", "older batches are not shown"
    os.utime(folder / "rows.parquet", (0, 0))
    assert len(numbers.rows(folder).frame) == 5


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"PAR1 no", "rows.parquet is damaged"),
        (rows().drop(columns=["n_leaves", "versions"]), "older version of ironbark: it lacks n_leaves, versions; run"),
        (None, None),
    ],
)
def test_files_that_cannot_be_shown_are_named(folder, content, words):
    path = folder / "rows.parquet"
    path.unlink()
    if content is not None:
        path.write_bytes(content) if isinstance(content, bytes) else content.to_parquet(path)
    found = numbers.rows(folder)
    assert found.problems == [] if words is None else words in found.problems[0]
    assert found.frame.empty and "accuracy" in found.frame

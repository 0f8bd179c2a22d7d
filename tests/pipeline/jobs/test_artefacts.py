"""Rows of a study, tables, comparisons and last lines, from hand-made input to files; damaged files."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from result_rows import result_rows

from ironbark.errors import InputError
from ironbark.files import write_text
from ironbark.pipeline.job_specs import Score
from ironbark.pipeline.jobs import artefacts, score, summary
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.results import noisy_labels, parquet, records, store
from ironbark.pipeline.results.store import Store

#: Accuracies of one data set, two noises, two methods and three repeats; one fit failed.
FOUND = {("d", "clean", "a"): [0.9, 0.89, 0.88], ("d", "uniform-0.2", "a"): [0.7, 0.69, 0.68]}
FOUND |= {("d", "clean", "b"): [0.8, 0.79, 0.78], ("d", "uniform-0.2", "b"): [0.6, 0.59, np.nan]}
NAMES = {"labels": {"a": "Method A", "b": "Method B"}, "noise_labels": {"clean": "0", "uniform-0.2": "0.2"}}
SPEC = {
    "cells": [["d", "binary", ["clean", "uniform-0.2"], ["a", "b"]]],
    "repeats": 3,
    "folds": 1,
    "allow_holes": False,
    "names": NAMES,
    "note": "Study s, scale full.",
    "facts": {},
}


def test_one_job_makes_all_tables_and_the_last_lines_say_what_failed(tmp_path):
    found, rows = result_rows(FOUND, study="s", scale="full"), tmp_path / "results/s/full/rows.parquet"
    records.write(found.assign(message=np.where(found["status"] == "failed", "ValueError: why not", "")), rows)
    spec = SPEC | {"table": {"id": "t", "kind": "accuracy"}}
    files, specs = {"t/rows": rows, "u/rows": rows}.items(), {"t": spec, "u": spec | {"repeats": 4}}
    with pytest.raises(InputError, match="table 'u': .*4 fits are missing"):
        artefacts.make(specs, files, tmp_path)
    artefacts.make(specs | {"u": specs["u"] | {"allow_holes": True}}, files, tmp_path)
    assert {path.name for path in tmp_path.glob("*.md")} == {"t.md", "u.md"}
    lacking = {"u": SPEC | {"table": {"id": "u", "kind": "pairs", "pairs": [["a", "z"]]}}, "t": spec}
    artefacts.make(lacking, files, tmp_path)
    assert "no pair of table 'u' has fits of both" in (tmp_path / "u.md").read_text("utf-8")
    lacking = {"u": SPEC | {"figure": {"id": "u", "kind": "critical-difference", "methods": ["a"]}}}
    artefacts.make(lacking, files, tmp_path)
    assert "needs two methods" in (tmp_path / "u.svg").read_text("utf-8")
    results = tmp_path / "results"
    (rows.parent / "report.html").write_text("")
    write_text(rows.parent / "packs/a.json", '{"asked": 12, "in_pack": 9}')
    text = "\n".join(summary.lines(results, ["s", "t"], "full"))
    assert "s (full): 12 fits, 1 FAILED" in text and "a pack had 9 of 12 fits" in text
    assert text.count("failed: b, e.g. d uniform-0.2: ValueError: why not") == 1
    assert summary.lines(results, ["s"], "smoke") == []


MAPPING = {"classifier": {"AdaBoost": "ada", "RMBoost": "rmb", "LPBoost": "lp"}}
ERRORS = {"ada": 0.24, "rmb": 0.27, "lp": 0.28}
PRINTED = Path(__file__).parents[3] / "data/published/rmb_error.csv"


def test_comparison_of_errors_and_risks(tmp_path):
    runs = {
        ("german", noise, method): [error + shift, error + shift + 0.01]
        for noise, shift in (("clean", 0.0), ("uniform-0.1", 0.005))
        for method, error in ERRORS.items()
    }
    found, errors = result_rows(runs, "error", accuracy=0.5), tmp_path / "errors.parquet"
    records.write(found.assign(minimax_risk=np.where(found["method"] == "rmb", 0.3, np.nan)), errors)
    entry = {"published": "rmb", "metrics": {"classifier": "error", "risk": "minimax_risk"}}
    entry["methods"] = MAPPING | {"risk": {"MinimaxRisk": "rmb"}}
    spec = {"study": "s", "scale": "full", "protocol": {"kind": "repeated-cv", "repeats": 2, "options": {}}}
    spec |= {"compare": entry, "datasets": ["german"], "deviations": {"german": []}}
    spec |= dict.fromkeys(["caps", "absent", "capped_fits", "note"], "") | {"added_noises": []}
    artefacts.compare(spec, errors, PRINTED, tmp_path / "c")
    cells = pd.read_csv(tmp_path / "c.csv").dropna(subset="mean").set_index(["table", "method", "noise"])
    assert len(cells) == 8
    assert cells.loc[("3", "ada", "clean"), ["published_mean", "mean"]].tolist() == pytest.approx([24, 24.5])
    assert cells.loc[("3, risk", "rmb", "uniform"), ["published_mean", "mean"]].tolist() == pytest.approx([29, 30])
    assert "; 3 methods, 2 settings) |" in (tmp_path / "c.md").read_text("utf-8"), "rank correlation"


def test_an_added_noise_leaves_the_comparison_where_the_study_has_its_model_and_rate():
    noises = {"uniform-0.2": ("uniform", "0.2"), "exact-0.2": ("uniform", "0.2"), "uniform-0.3": ("uniform", "0.3")}
    rows = pd.DataFrame([(name, *about) for name, about in noises.items()], columns=["noise_id", "noise", "rate"])
    kept = artefacts.without_twins(rows, ["exact-0.2", "uniform-0.3"])
    assert kept["noise_id"].tolist() == ["uniform-0.2", "uniform-0.3"]
    assert len(artefacts.without_twins(rows, [])) == 3


ASKED = {
    "cells": [["d", "binary", ["clean", "uniform-0.2"], ["a", "b"]], ["e", "multiclass", ["clean"], ["a"]]],
    "repeats": 2,
    "folds": 3,
    "allow_holes": False,
    "metrics": [],
}
HEADER = {"study": "s", "scale": "full", "protocol": "p", "versions": {}}
NOISES = {"clean": {"noise": "clean", "rate": "0"}, "uniform-0.2": {"noise": "uniform", "rate": "0.2"}}


def fits():
    """Failed ones, which need neither labels nor data."""
    names = ("dataset", "task", "noise_id", "method", "repeat", "fold")
    record = {"status": "failed", "message": "why not"}
    blocks = (([dataset], [task], *ids) for dataset, task, *ids in ASKED["cells"])
    asked = (one for block in blocks for one in product(*block, range(ASKED["repeats"]), range(ASKED["folds"])))
    return [{**dict(zip(names, one, strict=True)), "key": f"{i:032d}", "record": record} for i, one in enumerate(asked)]


def scored(tmp_path, found, spec=ASKED, out="rows.parquet", turned=False):
    paths = [tmp_path / "1.jsonl.gz", tmp_path / "2.jsonl.gz"]
    noises = {name: {"d binary": about, "e multiclass": about} for name, about in NOISES.items()}
    for i, path in enumerate(paths):
        store.write_batch(path, HEADER | {"noises": noises}, found[i::2])
    score.run(Score(**spec), paths[::-1] if turned else paths, Samples([], []), tmp_path / "store", tmp_path / out)
    return parquet.read(tmp_path / out)


def test_rows_are_complete_and_sorted_or_refused(tmp_path):
    found = scored(tmp_path, fits())
    scored(tmp_path, fits()[::-1], out="other.parquet", turned=True)
    assert len(found) == 30
    by = found[score.ORDER].apply(tuple, axis=1).tolist()
    assert by == sorted(by)
    assert (tmp_path / "rows.parquet").read_bytes() == (tmp_path / "other.parquet").read_bytes()
    found = fits()
    del found[7]
    with pytest.raises(InputError, match=r"1 fits are missing \(d, binary, clean, b, 0, 1\); run them or allow holes"):
        scored(tmp_path, found, out="holes.parquet")
    assert not (tmp_path / "holes.parquet").exists()
    assert len(scored(tmp_path, found, {**ASKED, "allow_holes": True})) == 29


def test_a_store_that_was_out_of_reach_gets_the_fits(tmp_path):
    """As where jobs run without a shared file system; what is there already is not doubled."""
    Store(tmp_path / "store/d/binary/clean/a.jsonl").add("0" * 32, {"status": "failed", "message": "before"})
    for _ in range(2):
        scored(tmp_path, fits())
    lines = [line for path in (tmp_path / "store").rglob("*.jsonl") for line in path.read_text().splitlines()]
    assert len(lines) == 30
    assert Store(tmp_path / "store/d/binary/clean/a.jsonl").get("0" * 32)["message"] == "before"


def cut(path, share):
    """Keep the first part of a file."""
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


@pytest.mark.parametrize("share", [0, 0.99])
def test_files_that_are_cut_short_are_named(run, spec, labels, tmp_path, share):
    records.write(run(spec)[0], tmp_path / "rows.parquet")
    for name, read in (("rows.parquet", records.shown), ("out.jsonl.gz", store.read_batch)):
        cut(tmp_path / name, share)
        with pytest.raises(InputError, match=rf"{name} is damaged \(.*\); remove it and start again"):
            read(tmp_path / name)
    cut(path := labels(), share)
    with pytest.raises(InputError, match=r"multiclass.npz is damaged .* finished fits are kept"):
        noisy_labels.read(path, "uniform-0.2")

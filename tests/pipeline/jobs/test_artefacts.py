"""Tables, figures and the last lines of a run, from hand-made rows to files."""

import pandas as pd
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.jobs import artefacts, summary
from ironbark.pipeline.results import records


@pytest.fixture
def rows(tmp_path):
    """rows.parquet of one data set, two noises, two methods and three repeats; one fit failed."""
    found = []
    for noise, rate in (("clean", "0"), ("uniform", "0.2")):
        for method, level in (("a", 0.9), ("b", 0.8)):
            for repeat in range(3):
                accuracy = level - 0.01 * repeat - float(rate)
                row = {"dataset": "d", "task": "binary", "noise": noise, "rate": rate, "method": method}
                row |= {"noise_id": noise, "repeat": repeat, "fold": 0, "status": "ok", "accuracy": accuracy}
                found.append(row)
    found[-1] |= {"status": "failed", "message": "ValueError: why not", "accuracy": float("nan")}
    path = tmp_path / "results" / "s" / "full" / "rows.parquet"
    records.write(records.frame({"study": "s", "scale": "full", **row} for row in found), path)
    return path


NAMES = {"labels": {"a": "Method A", "b": "Method B"}, "noise_labels": {"clean": "0", "uniform": "0.2"}}
SPEC = {
    "cells": [["d", "binary", ["clean", "uniform"], ["a", "b"]]],
    "repeats": 3,
    "folds": 1,
    "allow_holes": False,
    "names": NAMES,
    "note": "Study s, scale full.",
    "facts": {},
}


def test_table(rows, tmp_path):
    spec = SPEC | {"table": {"id": "t", "kind": "accuracy", "methods": ["b", "a"], "caption": "Numbers."}}
    artefacts.table(spec, {"rows": rows}, tmp_path / "tables" / "t")
    assert {p.name for p in (tmp_path / "tables").iterdir()} == {"t.csv", "t.md", "t.tex", "t.html"}
    values = pd.read_csv(tmp_path / "tables" / "t.csv")
    cell = values[(values["method"] == "a") & (values["noise"] == "uniform")].iloc[0]
    assert cell["mean"] == pytest.approx(0.69)
    for suffix in ("md", "tex", "html"):
        text = (tmp_path / "tables" / f"t.{suffix}").read_text("utf-8")
        assert "Method A" in text and "Study s, scale full." in text and "Numbers." in text


def test_a_table_refuses_holes(rows, tmp_path):
    spec = SPEC | {"repeats": 4, "table": {"id": "t", "kind": "accuracy"}}
    with pytest.raises(InputError, match="4 fits are missing"):
        artefacts.table(spec, {"rows": rows}, tmp_path / "t")
    artefacts.table(spec | {"allow_holes": True}, {"rows": rows}, tmp_path / "t")
    assert (tmp_path / "t.md").exists()


def test_figure(rows, tmp_path):
    spec = {"figure": {"id": "f", "kind": "noise-curves"}, "names": NAMES, "note": "A note.", "facts": {}}
    artefacts.figure(spec, {"rows": rows}, tmp_path / "f")
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "f.svg").read_text("utf-8")[:2000]


def test_last_lines(rows, tmp_path):
    results = tmp_path / "results"
    assert summary.lines(results, ["s", "t"], "full") == []
    (rows.parent / "report.html").write_text("")
    text = "\n".join(summary.lines(results, ["s", "t"], "full"))
    assert "s (full): 12 fits, 1 FAILED" in text
    assert str(rows.parent / "tables") in text and "report.html" not in text
    assert text.count("failed: b, e.g. d uniform: ValueError: why not") == 1
    assert summary.lines(results, ["s"], "smoke") == [] and "site" not in text
    page = results / "site/study/s-full.html"
    page.parent.mkdir(parents=True)
    page.write_text("")
    (results / "site/index.html").write_text("")
    lines = summary.lines(results, ["s"], "full")
    assert f"  open {page}" in lines and lines[-1].endswith("site/index.html")
    assert summary.lines(results, ["s"], "smoke") == []

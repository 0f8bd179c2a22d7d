"""One published cell: which one an id names, and which fits of which study it needs."""

import json
from pathlib import Path

import pytest
from pipeline.jobs.rerun import planned_with

from ironbark.errors import InputError
from ironbark.pipeline.plan import published_cell
from ironbark.pipeline.plan.config.reading import is_id
from ironbark.pipeline.published import CHECKED
from ironbark.pipeline.published import cells as published

ROOT = Path(__file__).parents[3]
EXAMPLE = "ane/table-2/mushrooms/uniform-0.4/dt-ane"


@pytest.fixture
def mirrored(tmp_path, monkeypatch):
    """Function that plans with a mirror of some tables, which need no content."""
    monkeypatch.chdir(tmp_path)  # what was tried is remembered there

    def plan(*names, **settings):
        for name in names:
            (tmp_path / f"{name}.parquet").touch()
        return planned_with(mirror=str(tmp_path), **settings)

    return plan


def find(plan, asked=EXAMPLE):
    return published_cell.find(plan, asked, ROOT)


def judged(plan, asked):
    """Specification of the job of a cell."""
    return json.loads(published_cell.spec(plan, find(plan, asked)))


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("zzzzzz", "has the id 'zzzzzz'; an id has the form ane/table-2"),
        ("ane/table-2/mushroms/uniform-0.4/dt-ane", "did you mean 'ane/table-2/mushrooms/uniform-0.4/dt-ane'?"),
    ],
)
def test_an_unknown_id_is_answered_by_a_near_one(shipped, asked, words):
    with pytest.raises(InputError, match=words):
        find(shipped, asked)


def test_each_published_cell_has_an_id_of_its_own_and_a_study_runs_it(shipped):
    cells = published_cell.ids(shipped.config, ROOT)
    names = [cell for paper in CHECKED for cell in published.names(paper, ROOT / published.values(paper).path)]
    assert len(names) > 2000 and list(cells.values()) == names
    for asked, cell in cells.items():
        assert is_id(asked.replace("/", "-"))
        runs = published_cell.of_study(shipped.config, cell)
        assert runs.method in shipped.config["methods"] and asked.endswith(f"/{runs.method}")
        assert set(runs.printed) >= {cell.method}


def test_a_rank_needs_all_methods_and_noises_of_its_data_set(shipped):
    whole, checked = shipped.study("rgbdt", "full"), find(shipped, "rgbdt/table-1/oil/all/rgbdt-robust-xgb")
    noises, methods = checked.study.cells["oil", "binary"]
    assert noises == ["clean", "balanced-0.1", "balanced-0.2", "balanced-0.3", "balanced-0.4"] and len(methods) == 8
    assert sum(len(ids) * len(names) for *_, ids, names in checked.study.blocks) == 40
    assert checked.study.further == whole.further and "average_precision" in whole.further, "else outputs would miss"
    assert len(find(shipped, "rgbdt/table-1/santander/all/rgbdt-xgboost").study.methods) == 6
    spec = json.loads(published_cell.spec(shipped, checked))
    assert spec["metric"] == "average_precision" and len(spec["methods"]) == 8
    risk = judged(shipped, "rmb/table-3-risk/german/clean/rmboost")
    assert (risk["method"], risk["metric"]) == ("rmboost", "minimax_risk")


def test_other_data_than_the_papers_are_run_with_the_reason(mirrored):
    plan = mirrored("covertype", "mnist", "20news-raw", "mushrooms")
    spec = judged(plan, "rmb/table-5/covertype/clean/adaboost")
    assert spec["study"] == "rmb-large" and "369,711 of the 581,012 rows" in spec["deviations"][0]
    assert spec["despite"].startswith("Each fit draws 5,000 rows")  # so the cell is comparable
    spec = judged(plan, "ane/table-2/covertype/clean/dt-ane")
    assert spec["deviations"] and spec["despite"] == ""
    with pytest.raises(InputError, match=r"RMB Table 5, higgs, .* cannot be had here: there is no table .*higgs.parq"):
        find(plan, "rmb/table-5/higgs/clean/adaboost")
    replaced = find(plan, "ane/table-2/20news/clean/dt-gce")
    assert (replaced.cell.dataset, replaced.dataset) == ("20news", "20news-svd")
    assert any("stand-in" in text for text in json.loads(published_cell.spec(plan, replaced))["deviations"])
    assert find(plan).dataset == "mushrooms", "its table is enough"


def test_what_cannot_be_checked_is_one_sentence(shipped, mirrored):
    with pytest.raises(InputError, match=r"the data of the published cell ANE Table 2, .* cannot be used: .*mushrooms"):
        find(mirrored("mushrooms", bad_data="leave_out"))
    with pytest.raises(InputError, match="a published cell is checked at scale full, .*; leave out --config scale"):
        find(mirrored(scale="lite"))
    cell = next(cell for cell in published_cell.ids(shipped.config, ROOT).values() if cell.paper == "pg")
    with pytest.raises(InputError, match=r"no study runs the published cell PG .*; add its data set and method to a"):
        published_cell.of_study(shipped.config, cell._replace(dataset="iris"))
    runs = published_cell.of_study(shipped.config, cell)
    with pytest.raises(InputError, match="does not run the published cell .*; add its noise to a grid"):
        published_cell.narrowed(shipped, cell, runs, ["mahalanobis"], "check/x")

"""One published cell: which one an id names, and which fits of which study it needs."""

import json
from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan import fit_specs, published_cell
from ironbark.pipeline.plan.config.reading import is_id, read
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.published import CHECKED
from ironbark.pipeline.published import cells as published

ROOT = Path(__file__).parents[3]
EXAMPLE = "ane/table-2/mushrooms/uniform-0.4/dt-ane"


def planned(**settings):
    written = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return Plan(read(ROOT / "config", ROOT / "workflow/schemas", written | settings))


@pytest.fixture(scope="module")
def plan():
    return planned()


def judged(plan, asked):
    """Specification of the job of a cell."""
    return json.loads(published_cell.spec(plan, published_cell.find(plan, asked, ROOT)))


@pytest.fixture(scope="module")
def cells(plan):
    return published_cell.ids(plan.config, ROOT)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("", "has the id ''; an id has the form ane/table-2"),
        ("zzzzzz", "an id has the form"),
        ("ane/table-2/mushroms/uniform-0.4/dt-ane", "did you mean ane/table-2/mushrooms/uniform-0.4/dt-ane, "),
        ("rmb/table-3/german/uniform-0.4/rmboost", "rmb/table-3/german/uniform-0.2/rmboost"),
    ],
)
def test_an_unknown_id_is_answered_by_near_ones(cells, asked, words):
    with pytest.raises(InputError) as raised:
        published_cell.named(asked, cells)
    assert words in str(raised.value)


def test_each_published_cell_has_an_id_of_its_own_and_a_study_runs_it(plan, cells):
    names = [cell for paper in CHECKED for cell in published.names(paper, ROOT / published.values(paper).path)]
    assert len(names) > 2000 and list(cells.values()) == names
    for asked, cell in cells.items():
        assert is_id(asked.replace("/", "-"))
        runs = published_cell.of_study(plan.config, cell)
        assert runs.method in plan.config["methods"] and asked.endswith(f"/{runs.method}")
        assert set(runs.printed) >= {cell.method}


def test_only_the_fits_of_the_cell_are_planned_and_they_are_those_of_the_study(plan):
    checked = published_cell.find(plan, EXAMPLE, ROOT)
    whole, name = plan.study("ane", "full"), checked.study.id
    assert checked.study.blocks == [("mushrooms", "binary", ["uniform-0.4"], ["dt-ane"])]
    assert name not in plan.config["studies"]
    (batch,) = checked.study.batches
    own = json.loads(fit_specs.shard(plan, checked.study, batch.name))
    (theirs,) = [
        json.loads(fit_specs.shard(plan, whole, batch.name))
        for batch in whole.batches
        for part in batch.parts
        if part.dataset == "mushrooms" and "dt-ane" in part.methods and "uniform-0.4" in part.noises
    ]
    for key in ("protocol", "repeats", "code", "retry_failed", "fit_minutes"):
        assert own[key] == theirs[key]
    assert own["methods"] == {"dt-ane": theirs["methods"]["dt-ane"]}
    assert own.get("wanted") == theirs.get("wanted")
    labels = [json.loads(fit_specs.corrupt(plan, study, "mushrooms", "binary")) for study in (checked.study, whole)]
    assert [*labels[0]["noises"]] == ["uniform-0.4"] and labels[0]["protocol"] == labels[1]["protocol"]
    assert labels[0]["noises"]["uniform-0.4"] == labels[1]["noises"]["uniform-0.4"]
    assert "5 fits" in published_cell.cost(plan, checked)
    inputs = published_cell.inputs(plan, checked)
    assert inputs["rows"] == f"results/{name}/full/rows.parquet"
    assert inputs["printed"] == "data/published/ane_accuracy.csv" and inputs["sizes"] == [
        "data/published/ane_datasets.csv"
    ]


def test_a_rank_needs_all_methods_and_noises_of_its_data_set(plan):
    whole, checked = (
        plan.study("rgbdt", "full"),
        published_cell.find(plan, "rgbdt/table-1/oil/all/rgbdt-robust-xgb", ROOT),
    )
    noises, methods = checked.study.cells["oil", "binary"]
    assert noises == ["clean", "balanced-0.1", "balanced-0.2", "balanced-0.3", "balanced-0.4"] and len(methods) == 8
    assert sum(len(ids) * len(names) for *_, ids, names in checked.study.blocks) == 40
    assert (
        checked.study.further == whole.further and "average_precision" in whole.further
    )  # else outputs would be missing
    six = published_cell.find(plan, "rgbdt/table-1/santander/all/rgbdt-xgboost", ROOT)
    assert len(six.study.methods) == 6
    spec = json.loads(published_cell.spec(plan, checked))
    assert spec["metric"] == "average_precision" and len(spec["methods"]) == 8


def test_a_published_risk_is_the_risk_of_the_fits_of_its_method(plan):
    spec = judged(plan, "rmb/table-3-risk/german/clean/rmboost")
    assert (spec["method"], spec["metric"]) == ("rmboost", "minimax_risk")


def test_other_data_than_the_papers_are_run_with_the_reason(tmp_path):
    for name in ("covertype", "mnist"):
        (tmp_path / f"{name}.parquet").touch()
    plan = planned(mirror=str(tmp_path))
    spec = judged(plan, "rmb/table-5/covertype/clean/adaboost")
    assert spec["study"] == "rmb-large" and "369,711 of the 581,012 rows" in spec["deviations"][0]
    assert spec["despite"].startswith("Each fit draws 5,000 rows")  # so the cell is comparable
    spec = judged(plan, "ane/table-2/covertype/clean/dt-ane")
    assert spec["deviations"] and spec["despite"] == ""
    with pytest.raises(
        InputError, match=r"RMB Table 5, higgs, .* cannot be had here: there is no table .*higgs.parquet"
    ):
        published_cell.find(plan, "rmb/table-5/higgs/clean/adaboost", ROOT)


def test_a_mirror_with_the_table_of_the_cell_is_enough(tmp_path):
    (tmp_path / "mushrooms.parquet").touch()
    assert published_cell.find(planned(mirror=str(tmp_path)), EXAMPLE, ROOT).dataset == "mushrooms"


def test_a_table_that_cannot_be_used_is_the_reason(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # what was tried is remembered there
    (tmp_path / "mushrooms.parquet").write_bytes(b"no table")
    with pytest.raises(InputError, match=r"the data of the published cell ANE Table 2, .* cannot be used: .*mushrooms"):
        published_cell.find(planned(mirror=str(tmp_path), bad_data="leave_out"), EXAMPLE, ROOT)


def test_what_replaces_absent_data_is_run_in_their_place(tmp_path):
    for name in ("20news-raw", "mnist"):
        (tmp_path / f"{name}.parquet").touch()
    plan = planned(mirror=str(tmp_path))
    checked = published_cell.find(plan, "ane/table-2/20news/clean/dt-gce", ROOT)
    assert (checked.cell.dataset, checked.dataset) == ("20news", "20news-svd")
    assert any("stand-in" in text for text in json.loads(published_cell.spec(plan, checked))["deviations"])


def test_another_scale_is_refused():
    with pytest.raises(InputError, match="a published cell is checked at scale full, .*; leave out --config scale"):
        published_cell.find(planned(scale="lite"), EXAMPLE, ROOT)


def test_a_cell_that_no_grid_has_is_one_sentence(plan, cells):
    cell = next(cell for cell in cells.values() if cell.paper == "pg")
    with pytest.raises(
        InputError, match=r"no study runs the published cell PG .*; add its data set and method to a grid"
    ):
        published_cell.of_study(plan.config, cell._replace(dataset="iris"))
    found = published_cell.of_study(plan.config, cell)
    with pytest.raises(InputError, match="does not run the published cell .*; add its noise to a grid"):
        published_cell.narrowed(plan, cell, found, ["mahalanobis"], "check/x")

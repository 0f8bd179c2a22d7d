"""One published cell: which one a text names, and which fits of which study it needs."""

import json
from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.reading import is_id, read
from ironbark.pipeline.plan.published_cell import checked_cell, matching, narrowing
from ironbark.pipeline.plan.published_cell.spelling import Spellings, words
from ironbark.pipeline.plan.specs import Plan
from ironbark.pipeline.published import PAPERS

ROOT = Path(__file__).parents[3]
EXAMPLE = "ane table 2, mushrooms, dt, uniform 0.4, ane"


def planned(**settings):
    written = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return Plan(read(ROOT / "config", ROOT / "workflow/schemas", written | settings))


@pytest.fixture(scope="module")
def plan():
    return planned()


@pytest.fixture(scope="module")
def cells():
    return checked_cell.every(ROOT)


@pytest.fixture(scope="module")
def spellings(plan):
    papers = {paper: narrowing.studies(plan.config, paper) for paper in PAPERS}
    return Spellings(plan.config, papers, lambda cell: narrowing.method_id(plan.config, cell))


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        (EXAMPLE, "ane-table-2-mushrooms-dt-uniform-0.4-ane"),
        ("ANE UNIFORM-0.40 dt-ane / Mushrooms!", "ane-table-2-mushrooms-dt-uniform-0.4-ane"),
        ("table 2 mushrooms tree 40% noise-free", None),
        ("mse, forest, mushrooms, none", "ane-table-4-mushrooms-rf-clean-mse"),
        ("rf-gini, mushrooms, clean", "ane-table-4-mushrooms-rf-clean-mse"),
        ("rf, gini, mushrooms, clean", "ane-table-4-mushrooms-rf-clean-mse"),
        ("mahalanobis, mnist, dt, twoing", "ane-table-3-mnist-dt-mahalanobis-twoing"),
        ("Mahalanobis mnist dt dt-twoing-rdts", "ane-table-3-mnist-dt-mahalanobis-twoing"),
        ("pg, table iii, diabetes, 0.1/0.3, gini", "pg-table-iii-diabetes-libsvm-rf-class-conditional-0.1-0.3-gini"),
        ("pg-rf-gini, PG table 3, (0.1, 0.3), diabetes-libsvm",
         "pg-table-iii-diabetes-libsvm-rf-class-conditional-0.1-0.3-gini"),
        ("rmb credit adv. 0.2 rmboost", "rmb-table-3-credit-approval-classifier-adversarial-0.2-rmboost"),
        ("rmb credit-approval adversarial 20% minimax risk",
         "rmb-table-3-risk-credit-approval-risk-adversarial-0.2-minimaxrisk"),
        ("forestcov 0.1 uniform xgb-quad", None),
        ("RGBDT, OI, robust-xgb", "rgbdt-table-1-oil-robust-xgb"),
        ("rgbdt table 1 credit-approval lightgbm", "rgbdt-table-1-credit-approval-lightgbm"),
    ],
)  # fmt: skip
def test_words_in_any_order_and_spelling_name_one_cell(cells, spellings, text, slug):
    if slug is None:
        with pytest.raises(InputError):
            matching.find(text, cells, spellings)
    else:
        assert checked_cell.slug(matching.find(text, cells, spellings)) == slug


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (", ", "names no published cell; write the words of one, such as cell='ane table 2"),
        ("ane table 2, mushroms, dt", "'mushroms' in .* is in the name of no published cell; did you mean 'mush"),
        ("ane mushrooms zzzzzz", "'zzzzzz' in .* is in the name of no published cell; write the words of one"),
        ("mushrooms, dt, uniform 0.4", "8 published cells are .*; add the method: ane, conservative, twoing, credal"),
        ("mnist dt clean gce", "2 published cells are .*; add the table: table 2, table 3; add the task: binary, mul"),
        ("ane table 3, mushrooms, dt, uniform 0.4, ane", "without 'table 3' it is ANE Table 2, mushrooms, DT, unif"),
        ("rmb, german, uniform 0.4, rmboost", "with 'uniform 0.4' left out, the noise may be clean, uniform 0.1, unif"),
        ("sonar libras-move", "with .libras move. left out, the data set may be sonar"),
    ],
)  # fmt: skip
def test_a_text_that_names_no_cell_or_several_is_one_sentence(cells, spellings, text, sentence):
    with pytest.raises(InputError, match=sentence) as raised:
        matching.find(text, cells, spellings)
    assert "\n" not in str(raised.value)


def test_numbers_have_one_spelling():
    assert words("0.40 .4 40% 40 %") == ("0.4",) * 4
    assert words("Uniform-0.0, (0.1/0.3); cod-rna") == ("uniform", "0", "0.1", "0.3", "cod", "rna")


def test_each_published_cell_has_a_name_of_its_own_and_a_study_runs_it(plan, cells):
    assert len(cells) > 2000 and {cell.paper for cell in cells} == set(PAPERS)
    slugs = [checked_cell.slug(cell) for cell in cells]
    assert len(set(slugs)) == len(slugs) and all(map(is_id, slugs))
    for cell in cells:
        found = narrowing.runs(plan.config, cell)
        assert found.method in plan.config["methods"]
        assert set(found.printed) >= {cell.method}


def test_the_name_of_a_cell_finds_it(cells, spellings):
    for cell in cells[::67]:
        assert matching.find(str(cell), cells, spellings) == cell


def test_only_the_fits_of_the_cell_are_planned_and_they_are_those_of_the_study(plan):
    checked = checked_cell.find(plan, EXAMPLE, ROOT)
    whole, name = plan.study("ane", "full"), checked.study.id
    assert checked.study.blocks == [("mushrooms", "binary", ["uniform-0.4"], ["dt-ane"])]
    assert plan.study(name, "full") is checked.study and name not in plan.config["studies"]
    (batch,) = checked.study.batches
    own = json.loads(plan.shard(name, "full", batch.name))
    (theirs,) = [
        json.loads(plan.shard("ane", "full", batch.name))
        for batch in whole.batches
        for part in batch.parts
        if part.dataset == "mushrooms" and "dt-ane" in part.methods and "uniform-0.4" in part.noises
    ]
    for key in ("protocol", "repeats", "code", "retry_failed", "fit_minutes"):
        assert own[key] == theirs[key]
    assert own["methods"] == {"dt-ane": theirs["methods"]["dt-ane"]}
    assert own.get("wanted") == theirs.get("wanted")
    labels = [json.loads(plan.corrupt(study, "full", "mushrooms", "binary")) for study in (name, "ane")]
    assert [*labels[0]["noises"]] == ["uniform-0.4"] and labels[0]["protocol"] == labels[1]["protocol"]
    assert labels[0]["noises"]["uniform-0.4"] == labels[1]["noises"]["uniform-0.4"]
    assert "5 fits" in checked_cell.cost(plan, checked)
    inputs = checked_cell.inputs(plan, checked)
    assert inputs["rows"] == f"results/{name}/full/rows.parquet"
    assert inputs["printed"] == "data/published/ane_accuracy.csv" and inputs["sizes"] == [
        "data/published/ane_datasets.csv"
    ]


def test_a_rank_needs_all_methods_and_noises_of_its_data_set(plan):
    checked, whole = checked_cell.find(plan, "rgbdt oil robust-xgb", ROOT), plan.study("rgbdt", "full")
    noises, methods = checked.study.cells["oil", "binary"]
    assert noises == ["clean", "balanced-0.1", "balanced-0.2", "balanced-0.3", "balanced-0.4"] and len(methods) == 8
    assert sum(len(ids) * len(names) for *_, ids, names in checked.study.blocks) == 40
    assert (
        checked.study.further == whole.further and "average_precision" in whole.further
    )  # else outputs would be missing
    six = checked_cell.find(plan, "rgbdt santander xgboost", ROOT)
    assert len(six.study.methods) == 6
    spec = json.loads(checked_cell.spec(plan, checked))
    assert spec["metric"] == "average_precision" and len(spec["methods"]) == 8


def test_a_published_risk_is_the_risk_of_the_fits_of_its_method(plan):
    spec = json.loads(checked_cell.spec(plan, checked_cell.find(plan, "rmb german clean risk", ROOT)))
    assert (spec["method"], spec["metric"]) == ("rmboost", "minimax_risk")


def test_other_data_than_the_papers_are_run_with_the_reason(tmp_path):
    for name in ("covertype", "mnist"):
        (tmp_path / f"{name}.parquet").touch()
    plan = planned(mirror=str(tmp_path))
    spec = json.loads(checked_cell.spec(plan, checked_cell.find(plan, "rmb forestcov clean adaboost", ROOT)))
    assert spec["study"] == "rmb-large" and "369,711 of the 581,012 rows" in spec["deviations"][0]
    assert spec["despite"].startswith("Each fit draws 5,000 rows")  # so the cell is comparable
    spec = json.loads(checked_cell.spec(plan, checked_cell.find(plan, "ane covertype table 2 dt clean ane", ROOT)))
    assert spec["deviations"] and spec["despite"] == ""
    with pytest.raises(
        InputError, match=r"RMB Table 5, higgs, .* cannot be had here: there is no table .*higgs.parquet"
    ):
        checked_cell.find(plan, "rmb higgs clean adaboost", ROOT)


def test_a_mirror_with_the_table_of_the_cell_is_enough(tmp_path):
    (tmp_path / "mushrooms.parquet").touch()
    assert checked_cell.find(planned(mirror=str(tmp_path)), EXAMPLE, ROOT).dataset == "mushrooms"


def test_a_table_that_cannot_be_used_is_the_reason(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # what was tried is remembered there
    (tmp_path / "mushrooms.parquet").write_bytes(b"no table")
    with pytest.raises(InputError, match=r"the data of the published cell ANE Table 2, .* cannot be used: .*mushrooms"):
        checked_cell.find(planned(mirror=str(tmp_path), bad_data="leave_out"), EXAMPLE, ROOT)


def test_what_replaces_absent_data_is_run_in_their_place(tmp_path):
    for name in ("20news-raw", "mnist"):
        (tmp_path / f"{name}.parquet").touch()
    plan = planned(mirror=str(tmp_path))
    checked = checked_cell.find(plan, "ane table 2 20news dt clean gce", ROOT)
    assert (checked.cell.dataset, checked.dataset) == ("20news", "20news-svd")
    assert any("stand-in" in text for text in json.loads(checked_cell.spec(plan, checked))["deviations"])


def test_another_scale_is_refused():
    with pytest.raises(InputError, match="a published cell is checked at scale full, .*; leave out --config scale"):
        checked_cell.find(planned(scale="lite"), EXAMPLE, ROOT)


def test_a_cell_that_no_grid_has_is_one_sentence(plan, cells):
    cell = next(cell for cell in cells if cell.paper == "pg")
    with pytest.raises(
        InputError, match=r"no study runs the published cell PG .*; add its data set and method to a grid"
    ):
        narrowing.runs(plan.config, cell._replace(dataset="iris"))
    found = narrowing.runs(plan.config, cell)
    with pytest.raises(InputError, match="does not run the published cell .*; add its noise to a grid"):
        narrowing.narrowed(plan, cell, found, ["mahalanobis"], "check/x")

"""Studies of the papers: what they ask for, all tables and figures, and which fits one published cell needs."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest
from docs.artefacts import ARTEFACTS, numbered
from mirror_tables import MIRROR, table_of
from pipeline.jobs.rerun import planned_with

from ironbark.errors import InputError
from ironbark.pipeline.plan import artefact_specs, published_cell
from ironbark.pipeline.plan.config.reading import is_id
from ironbark.pipeline.plan.study import parts
from ironbark.pipeline.published import CHECKED, names, of_artefact, readers, values

ROOT = Path(__file__).parents[3]
PARTS = [
    *("rmb-large", "rmb-curves", "rmb-times-credit", "rmb-times-qsar", "rmb-lambda"),
    *("rmb-adversarial", "rmb-trees", "rmb-vertex", "rmb-variants", "rmb-collapse"),
]


def fits(study):
    splits = study.protocol["repeats"] * len(study.protocol["options"].get("sizes") or [0])
    return splits * sum(len(noises) * len(methods) for _, _, noises, methods in study.blocks)


def test_parts_and_counts_are_those_of_the_boosting_papers(shipped):
    assert parts.built(shipped, ["rmb"]) == (["rmb", *PARTS], [])
    counts = {name: fits(shipped.study(name, "full")) for name in ["rmb", *PARTS]}
    assert counts["rmb"] == 8 * 5 * 100 * (9 + 5)  # and Python rivals with scaled samples, slow
    assert counts["rmb-adversarial"] == 8 * 2 * 100 * 9 and counts["rmb-vertex"] == 8 * 5 * 100 * 2
    assert counts["rmb-large"] == 4 * 5 * 100 * (9 + 5) and counts["rmb-curves"] == 3 * 21 * 500 * 2
    assert counts["rmb-times-credit"] + counts["rmb-times-qsar"] == 16 * 100 * 3
    assert counts["rmb-lambda"] == 3 * 3 * 7 * 200
    study = shipped.study("rgbdt", "full")
    eight = {f"rgbdt-{name}" for name in EIGHT}
    counts = {True: 0, False: 0}
    for _, _, noises, methods in study.blocks:
        for method in methods:
            counts[method in eight] += len(noises) * study.protocol["repeats"]
    dashes = 4 * 5 * 5  # AdaBoost and LogitBoost on the two largest sets
    assert counts[True] == 25 * 5 * 5 * 8 - dashes
    ablations, scores = 4 + 4, 3 + 2  # of two classes and of more; accuracy is the score of more anyway
    assert counts[False] == 3 * 5 * 5 * (ablations + scores) + (14 + 9) * 5 * 5 * 6  # rivals untuned
    printed = readers.rgbdt_ranks(ROOT / "data/published/rgbdt_rank.csv")
    wanted = set(printed[["task", "dataset"]].itertuples(index=False, name=None))
    assert {(task, dataset) for dataset, task in shipped.study("rgbdt", "full").cells} == wanted
    dashes = printed[printed["average_rank"].isna() & (printed["dataset"] != "credit-approval")]
    assert set(dashes["dataset"]) == {"santander", "covertype"} and set(dashes["method"]) == set(EIGHT[:2])
    methods = shipped.study("rgbdt", "full").methods
    tunes = {name: method["tune"] for name, method in methods.items() if not name.endswith("-untuned")}
    assert {(tune["trials"], tune["cv"], tune["prune"]) for tune in tunes.values()} == {(10, 5, True)}
    assert {tunes[f"rgbdt-{name}"]["score"] for name in EIGHT} == {"roc_auc"}
    for library, robust in (("xgboost", "robust-xgb"), ("lightgbm", "robust-lgb")):
        plain, full = tunes[f"rgbdt-{library}"]["space"], tunes[f"rgbdt-{robust}"]["space"]
        assert full == plain | {"r": [0.0, 0.5, 1.0], "q": [0.0, 0.1, 0.3, 0.5]}
        for fixed, free in (("r", "q"), ("q", "r")):
            own = f"rgbdt-{robust}-{fixed}0"
            assert tunes[own]["space"] == plain | {free: full[free]} and methods[own]["params"][fixed] == 0


EIGHT = ["adaboost", "logitboost", "random-forest", "bagging", "xgboost", "lightgbm", "robust-xgb", "robust-lgb"]


def specs(config):
    """(study, id, spec) of all tables and figures."""
    for name, entry in config["studies"].items():
        yield from ((name, id, spec) for kind in ("tables", "figures") for id, spec in entry.get(kind, {}).items())


def test_a_study_makes_each_but_table_i_of_pg(shipped):
    config = shipped.config
    assert Counter(map(of_artefact, ARTEFACTS)) == {"ane": 13, "pg": 4, "rmb": 11, "rgbdt": 10}
    assert all(ARTEFACTS[numbered(name)].values for name in ARTEFACTS if numbered(name))
    assert {spec["artefact"] for *_, spec in specs(config) if "artefact" in spec} == set(ARTEFACTS)
    assert "artefact" not in str(shipped.study("rmb", "full").shown), "no job depends on it"
    for study, name, label in (("ane", "table-2", "MSE"), ("ane-switches", "switches", "Gini")):
        spec = artefact_specs.spec(shipped, shipped.study(study, "full"), "table", name)
        assert spec["names"]["labels"]["dt-gini"] == label, "named as in the paper, in its own tables only"


def test_the_unavailable_data_sets_are_those_that_the_mirror_lacks(shipped):
    config = shipped.config
    if not MIRROR.is_dir():
        pytest.skip("there is no mirror on this machine; set IRONBARK_MIRROR to its folder")
    grids = [grid for name, _, spec in specs(config) if "artefact" in spec for grid in config["studies"][name]["grids"]]
    asked = {dataset for grid in grids for dataset in grid["datasets"]}
    made = {"cifar-10", "cifar-10-vgg11", "20news-svd"}  # computed from images or texts
    with open(ROOT / "data/unavailable.csv", encoding="utf-8", newline="") as stream:
        unavailable = {row["dataset"] for row in csv.DictReader(stream)}
    assert {name for name in asked - made if not table_of(name).is_file()} == unavailable


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


def test_each_published_cell_has_an_id_and_a_study_runs_it_with_all_that_a_rank_needs(shipped):
    cells = published_cell.ids(shipped.config, ROOT)
    known = [cell for paper in CHECKED for cell in names(paper, ROOT / values(paper).path)]
    assert len(known) > 2000 and list(cells.values()) == known
    for asked, cell in cells.items():
        assert is_id(asked.replace("/", "-"))
        checked = published_cell.of_study(shipped.config, cell)
        assert checked.method in shipped.config["methods"] and asked.endswith(f"/{checked.method}")
        assert set(checked.printed) >= {cell.method}
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
    checked = published_cell.of_study(shipped.config, cell)
    with pytest.raises(InputError, match="does not run the published cell .*; add its noise to a grid"):
        published_cell.narrowed(shipped, checked, ["mahalanobis"], "check/x")

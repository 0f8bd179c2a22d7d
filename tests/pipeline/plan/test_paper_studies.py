"""What the shipped studies of the papers ask for, and that they make all tables and figures of the papers."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from mirror_tables import MIRROR, table_of

from ironbark.pipeline.plan.study import parts
from ironbark.pipeline.published import readers
from ironbark.pipeline.published.artefacts import ARTEFACTS, numbered, paper

ROOT = Path(__file__).parents[3]
PARTS = [
    *("rmb-large", "rmb-curves", "rmb-times-credit", "rmb-times-qsar", "rmb-lambda"),
    *("rmb-adversarial", "rmb-trees", "rmb-vertex", "rmb-variants", "rmb-collapse"),
]


def fits(study):
    splits = study.protocol["repeats"] * len(study.protocol["options"].get("sizes") or [0])
    return splits * sum(len(noises) * len(methods) for _, _, noises, methods in study.blocks)


def test_parts_and_counts_are_those_of_the_rmboost_paper(shipped):
    assert parts.built(shipped, ["rmb"]) == (["rmb", *PARTS], [])
    counts = {name: fits(shipped.study(name, "full")) for name in ["rmb", *PARTS]}
    assert counts["rmb"] == 8 * 5 * 100 * 9
    assert counts["rmb-adversarial"] == 8 * 2 * 100 * 9
    assert counts["rmb-vertex"] == 8 * 5 * 100 * 2
    assert counts["rmb-large"] == 3 * 5 * 100 * 9
    assert counts["rmb-curves"] == 3 * 21 * 500 * 2
    assert counts["rmb-times-credit"] + counts["rmb-times-qsar"] == 16 * 100 * 3
    assert counts["rmb-lambda"] == 3 * 3 * 7 * 200


EIGHT = ["adaboost", "logitboost", "random-forest", "bagging", "xgboost", "lightgbm", "robust-xgb", "robust-lgb"]


def test_the_study_of_the_robust_gbdt_paper(shipped):
    study = shipped.study("rgbdt", "full")
    eight = {f"rgbdt-{name}" for name in EIGHT}
    counts = {True: 0, False: 0}
    for _, _, noises, methods in study.blocks:
        for method in methods:
            counts[method in eight] += len(noises) * study.protocol["repeats"]
    dashes = 4 * 5 * 5  # AdaBoost and LogitBoost on the two largest sets
    assert counts[True] == 25 * 5 * 5 * 8 - dashes
    ablations, scores = 4 + 4, 3 + 2  # of two classes and of more; accuracy is the score of more anyway
    assert counts[False] == 3 * 5 * 5 * (ablations + scores)
    printed = readers.rgbdt_ranks(ROOT / "data/published/rgbdt_rank.csv")
    wanted = set(printed[["task", "dataset"]].itertuples(index=False, name=None))
    assert {(task, dataset) for dataset, task in shipped.study("rgbdt", "full").cells} == wanted
    dashes = printed[printed["average_rank"].isna() & (printed["dataset"] != "credit-approval")]
    assert set(dashes["dataset"]) == {"santander", "covertype"} and set(dashes["method"]) == set(EIGHT[:2])
    methods = shipped.study("rgbdt", "full").methods
    tunes = {name: method["tune"] for name, method in methods.items()}
    assert {(tune["trials"], tune["cv"], tune["prune"]) for tune in tunes.values()} == {(10, 5, True)}
    assert {tunes[f"rgbdt-{name}"]["score"] for name in EIGHT} == {"roc_auc"}
    for library, robust in (("xgboost", "robust-xgb"), ("lightgbm", "robust-lgb")):
        plain, full = tunes[f"rgbdt-{library}"]["space"], tunes[f"rgbdt-{robust}"]["space"]
        assert full == plain | {"r": [0.0, 0.5, 1.0], "q": [0.0, 0.1, 0.3, 0.5]}
        for fixed, free in (("r", "q"), ("q", "r")):
            own = f"rgbdt-{robust}-{fixed}0"
            assert tunes[own]["space"] == plain | {free: full[free]} and methods[own]["params"][fixed] == 0


def specs(config):
    """(study, id, spec) of all tables and figures."""
    for name, entry in config["studies"].items():
        yield from ((name, id, spec) for kind in ("tables", "figures") for id, spec in entry.get(kind, {}).items())


def test_a_study_makes_each_but_table_i_of_pg(shipped):
    config = shipped.config
    assert Counter(map(paper, ARTEFACTS)) == {"ane": 13, "pg": 4, "rmb": 11, "rgbdt": 10}
    assert all(ARTEFACTS[numbered(name)].values for name in ARTEFACTS if numbered(name))
    assert {spec["artefact"] for *_, spec in specs(config) if "artefact" in spec} == set(ARTEFACTS)
    found = shipped.study("rmb", "full")
    assert "artefact" not in str([found.tables, found.figures]), "no job depends on it"


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

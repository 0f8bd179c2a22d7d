"""The tables and figures of the papers: all are made by a study, and no job's specification names them."""

import csv
from collections import Counter
from pathlib import Path

import pytest
from mirror_tables import MIRROR, table_of

from ironbark.pipeline.published.artefacts import ARTEFACTS, numbered, paper

ROOT = Path(__file__).parents[3]


def specs(config):
    """(study, id, spec) of all tables and figures."""
    for name, entry in config["studies"].items():
        yield from ((name, id, spec) for kind in ("tables", "figures") for id, spec in entry.get(kind, {}).items())


def test_a_study_makes_each_but_table_i_of_pg(shipped):
    config = shipped.config
    assert Counter(map(paper, ARTEFACTS)) == {"ane": 13, "pg": 4, "rmb": 11, "rgbdt": 10}
    assert all(ARTEFACTS[numbered(name)].values for name in ARTEFACTS if numbered(name))
    assert {spec["artefact"] for *_, spec in specs(config) if "artefact" in spec} == set(ARTEFACTS)


def test_no_job_is_told_of_artefacts(shipped):
    found = shipped.study("rmb", "full")
    assert "artefact" not in str([found.tables, found.figures])


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

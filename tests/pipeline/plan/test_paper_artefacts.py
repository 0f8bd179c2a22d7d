"""The tables and figures of the papers: all are made by a study, and no job's specification names them."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml
from mirror_tables import MIRROR, table_of

from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.study import study
from ironbark.pipeline.published.artefacts import ARTEFACTS, numbered, paper

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def config():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    return read(ROOT / "config", ROOT / "workflow/schemas", settings)


def specs(config):
    """(study, id, spec) of all tables and figures."""
    for name, entry in config["studies"].items():
        yield from ((name, id, spec) for kind in ("tables", "figures") for id, spec in entry.get(kind, {}).items())


def test_a_study_makes_each_but_table_i_of_pg(config):
    assert Counter(map(paper, ARTEFACTS)) == {"ane": 13, "pg": 4, "rmb": 11, "rgbdt": 10}
    assert all(ARTEFACTS[numbered(name)].values for name in ARTEFACTS if numbered(name))
    assert {spec["artefact"] for *_, spec in specs(config) if "artefact" in spec} == set(ARTEFACTS)


def test_a_caption_names_the_artefact_that_the_spec_names(config):
    for name, id, spec in specs(config):
        found = re.search(r"the paper's (Table|Figure) (\d+|[IV]+)", spec.get("caption", ""), re.IGNORECASE)
        artefact = spec.get("artefact")
        assert not artefact or not found or artefact.split()[1:] == list(found.groups()), (name, id)


def test_no_job_is_told_of_artefacts(config):
    found = study.plan(config, "rmb", "full")
    assert "artefact" not in str([found.tables, found.figures])


def test_the_unavailable_data_sets_are_those_that_the_mirror_lacks(config):
    if not MIRROR.is_dir():
        pytest.skip("there is no mirror on this machine; set IRONBARK_MIRROR to its folder")
    grids = [grid for name, _, spec in specs(config) if "artefact" in spec for grid in config["studies"][name]["grids"]]
    asked = {dataset for grid in grids for dataset in grid["datasets"]}
    made = {"cifar-10", "cifar-10-vgg11", "20news-svd"}  # computed from images or texts
    with open(ROOT / "data/unavailable.csv", encoding="utf-8", newline="") as stream:
        unavailable = {row["dataset"] for row in csv.DictReader(stream)}
    assert {name for name in asked - made if not table_of(name).is_file()} == unavailable

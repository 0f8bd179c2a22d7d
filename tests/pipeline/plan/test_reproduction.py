"""The tables and figures of the papers, and the status of every published cell."""

import csv
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from mirror_tables import MIRROR, table_of

from ironbark.errors import InputError
from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.analysis.published.coverage import DIFFERENT, FULL, LOWER, NO_DATA, NOT_RUN
from ironbark.pipeline.analysis.published.papers.artefacts import ARTEFACTS, CELLS, RANKS, numbered, paper
from ironbark.pipeline.plan.documents import reproduction_page
from ironbark.pipeline.plan.documents.reproduction import UNAVAILABLE, Reproduction
from ironbark.pipeline.plan.study import study

ROOT = Path(__file__).parents[3]
COUNTED = [name for name, about in ARTEFACTS.items() if about.values in (CELLS, RANKS)]


@pytest.fixture(scope="module")
def reproduction():
    return Reproduction.of_repository(ROOT)


def lines(path):
    with open(ROOT / path, encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_papers_have_39_tables_and_figures():
    numbers = Counter((paper(name), name.split()[1]) for name in ARTEFACTS)
    assert numbers == {
        ("ane", "Table"): 5, ("ane", "Figure"): 8, ("pg", "Table"): 3, ("pg", "Figure"): 2, ("rmb", "Table"): 5,
        ("rmb", "Figure"): 6, ("rgbdt", "Table"): 4, ("rgbdt", "Figure"): 6,
    }  # fmt: skip
    assert numbers.total() == 39
    assert all(ARTEFACTS[numbered(name)].values for name in ARTEFACTS if numbered(name))


def test_a_study_makes_each_of_them(reproduction):
    for name, makers in reproduction.makers.items():
        assert makers, name
        assert makers[0].study.split("-")[0] in (paper(name), "mushrooms")


def test_a_caption_names_the_artefact_that_the_spec_names(reproduction):
    starts, named = r"(?:Rows of t|T)he paper's (Table|Figure) (\w+)", r"the paper's (Table|Figure) (\d+|[IV]+)"
    for study_id, entry in reproduction.config["studies"].items():
        for kind in ("tables", "figures"):
            for id, spec in entry.get(kind, {}).items():
                caption, artefact = spec.get("caption", ""), spec.get("artefact", "")
                assert artefact or not re.match(starts, caption), f"{study_id} {id}: add the key artefact"
                found = re.search(named, caption, re.IGNORECASE)
                assert not artefact or not found or artefact.split()[1:] == list(found.groups()), (study_id, id)


def test_every_published_cell_has_one_status(reproduction):
    files = ("ane_accuracy", "pg_accuracy", "rmb_error", "rgbdt_rank")
    assert sum(len(lines(f"data/published/{name}.csv")) for name in files) == 2034
    assert sum(len(reproduction.published(name)) for name in COUNTED) == 2034
    for name in COUNTED:
        cells = reproduction.published(name).drop(columns=["ran", "status"])
        assert not cells.duplicated().any()


def reference(study_id):
    """Scale of a reference file, and its cells -> number of fits."""
    found = [line for line in lines(f"data/reference/{study_id}.csv") if line["metric"] == "accuracy"]
    cells = {(line["dataset"], line["noise"], line["rate"], line["method"]): int(line["n"]) for line in found}
    return found[0]["scale"], cells


def test_table_iii_by_a_walk_over_the_files(reproduction):
    """Another way to the same counts: plain loops, and names of data sets as the catalogue has them."""
    missing = {line["dataset"] for line in lines(UNAVAILABLE)}
    differ = {name for name in reproduction.config["datasets"] if reproduction.deviations(name)}
    names = ("pg", "pg-laptop", "pg-medium", "pg-large", "pg-stand-ins", "pg-claims")
    files = [reference(name) for name in names if (ROOT / f"data/reference/{name}.csv").is_file()]
    counts = Counter()
    renamed = {"diabetes": "diabetes-libsvm", "german": "german-libsvm", "mnist": "mnist-libsvm"}
    for line in lines("data/published/pg_accuracy.csv"):
        dataset = renamed.get(line["dataset"], line["dataset"])
        key = dataset, "class_conditional", f"{line['tau_minus']}/{line['tau_plus']}", f"pg-rf-{line['method']}"
        ran = [scale == "full" and cells[key] >= 50 for scale, cells in files if key in cells]
        status = NO_DATA if dataset in missing else NOT_RUN if not ran else FULL if any(ran) else LOWER
        counts[DIFFERENT if ran and dataset in differ else status] += 1
    assert counts == Counter(reproduction.published("PG Table III")["status"])


def test_table_1_is_the_part_of_table_3_that_the_paper_prints_twice(reproduction):
    twice = [line for line in lines("data/published/rmb_error.csv") if line["source"] == "tables1+3"]
    assert len(reproduction.published("RMB Table 1")) == len(twice) == 80


def test_figures_show_the_errors_and_not_the_risks(reproduction):
    assert set(reproduction.published("RMB Figure 1")["model"]) == {"classifier"}
    assert set(reproduction.published("RMB Table 3")["model"]) == {"classifier", "risk"}


def test_the_page_adds_up(reproduction):
    text = reproduction_page.artefacts(reproduction)
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if re.match(r"\| [A-Z]+ (Table|Figure) ", line)]
    assert [row[0] for row in rows] == list(ARTEFACTS)
    shown = [row[4:10] for row in rows if row[4] != reproduction_page.NONE]
    assert all(int(cells) == sum(map(int, counts)) for cells, *counts in shown)
    whole = sum(row[1] != "0" and row[2] == row[4] == "0" for row in shown)
    none = sum(row[1] == row[2] == row[3] == "0" for row in shown)
    assert (
        f"Of the other {len(shown)}, " in text and f"full protocol in {whole}, " in text and f"none in {none}." in text
    )


@pytest.fixture
def repository(tmp_path, reproduction):
    """A function of reference files, name -> text, that gives what follows in a repository with these."""

    def make(**files):
        shutil.copytree(ROOT / "data/published", tmp_path / "data/published")
        shutil.copy(ROOT / UNAVAILABLE, tmp_path / UNAVAILABLE)
        (tmp_path / "data/reference").mkdir()
        for name, text in files.items():
            (tmp_path / f"data/reference/{name.replace('_', '-')}.csv").write_text(text, encoding="utf-8")
        return Reproduction(tmp_path, reproduction.config)

    return make


def test_without_results_nothing_has_run(repository):
    found = repository()
    statuses = {status for name in COUNTED for status in found.published(name)["status"]}
    assert statuses == {NOT_RUN, NO_DATA}
    assert found.unavailable.keys() >= {"susy", "higgs"}
    text = reproduction_page.artefacts(found)
    assert "not rejected" not in text and "drawn" not in text
    assert "full protocol in 0, some cells in 0 and none in 30." in text


def test_a_line_of_a_reference_file_counts_in_its_cell(repository):
    heads, line = (ROOT / "data/reference/rmb.csv").read_text("utf-8").splitlines()[:2]
    found = repository(rmb=f"{heads}\n{line}\n")
    cells = found.published("RMB Table 3")
    ran = cells[cells["status"] != NO_DATA].query("status != 'not run'")
    about = dict(zip(heads.split(","), line.split(","), strict=True))
    assert list(ran["status"]) == [FULL] and ran["own"].item() == about["method"]
    assert ran["noise_id"].item() == about["noise_id"] and ran["dataset"].item() == about["dataset"]


def test_cells_at_the_full_protocol_are_counted_on_any_data(repository):
    heads, *found = (ROOT / "data/reference/ane-laptop.csv").read_text("utf-8").splitlines()
    chosen = [
        next(line for line in found if f",{dataset},binary,clean,clean,0,dt-gini," in line)
        for dataset in ("mnist", "unsw-nb15", "unsw-nb15")
    ]
    chosen[2] = chosen[2].replace(",clean,clean,0,", ",uniform-0.1,uniform,0.1,").replace("accuracy,5,", "accuracy,2,")
    text = reproduction_page.cells(repository(ane_laptop="\n".join([heads, *chosen])))
    assert "| **Sum** | **2,034** | **1** | **0** | **2** |" in text
    assert "In all, 2 cells have run at the full protocol: the 1 comparable ones and 1 others." in text


def test_a_study_that_names_no_artefact_counts_nowhere(repository):
    text = (ROOT / "data/reference/rmb-variants.csv").read_text("utf-8")
    found = repository(rmb_variants=text)
    assert set(found.published("RMB Table 3")["status"]) == {NOT_RUN}


def test_no_job_is_told_of_artefacts(reproduction):
    found = study.plan(reproduction.config, "rmb", "full")
    assert "artefact" not in str([found.tables, found.figures])


def test_an_unknown_artefact_is_refused_with_the_nearest(tmp_path):
    for folder in ("config", "workflow/schemas"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    path = tmp_path / "config/studies/rmb-lambda.yaml"
    path.write_text(path.read_text("utf-8").replace("RMB Figure 6", "RMB Figure 66"), encoding="utf-8")
    with pytest.raises(InputError, match=r"rmb-lambda.yaml, figures.figure-6.artefact: 'RMB Figure 66' is not one of"):
        Reproduction.of_repository(tmp_path)


def test_the_unavailable_data_sets_are_those_that_the_mirror_lacks(reproduction):
    if not MIRROR.is_dir():
        pytest.skip("there is no mirror on this machine; set IRONBARK_MIRROR to its folder")
    papers = {maker.study for makers in reproduction.makers.values() for maker in makers}
    grids = [grid for name in papers for grid in reproduction.config["studies"][name]["grids"]]
    asked = {dataset for grid in grids for dataset in grid["datasets"]}
    made = {"cifar-10", "cifar-10-vgg11", "20news-svd"}  # computed from images or texts
    lacking = {name for name in asked - made if not table_of(name).is_file()}
    assert lacking == set(reproduction.unavailable)


def test_the_unavailable_data_sets_are_in_the_catalogue(reproduction):
    assert reproduction.unavailable.keys() <= reproduction.config["datasets"].keys()
    assert all(reproduction.unavailable.values())


def test_every_paper_has_a_study_of_its_own(reproduction):
    assert PAPERS.keys() <= reproduction.config["studies"].keys()

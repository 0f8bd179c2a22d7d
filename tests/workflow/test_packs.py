"""Packs in a run, and nothing is done twice: what an edit plans, and what the store gives back."""

import re
import shutil
import subprocess
import sys

import pack_files
import pandas
import pytest
from checkouts import Checkout, copy_of

from ironbark.pipeline.results import parquet, records

ROWS = "results/tiny/full/rows.parquet"


def given(path):
    return "--config", f"packs={path}", "--"


@pytest.mark.slow
def test_another_checkout_trains_only_another_method(built, compiled):
    done, packed = built.run("pack", "--config", "studies=tiny"), built / "results/packs/tiny-full.pack"
    assert "results/packs/tiny-full.pack: 32 fits, " in done.stdout + done.stderr
    compiled.edit("config/studies/tiny.yaml", "sklearn-dt]", "sklearn-dt, dt-twoing]")
    counts = compiled.planned(*given(packed), ROWS)
    assert counts["import_pack"] == 1 and counts["shard"] == 2
    compiled.run(*given(packed), ROWS)
    (log,) = (compiled / "results/logs/import_pack").rglob("*.log")
    assert log.read_text() == "asked: 40, in pack: 32, trained again: 20, imported: 32\n"
    text = "".join(path.read_text() for path in (compiled / "results/logs/shard").rglob("*.log"))
    new = re.findall(r"^\S+ \S+ \S+ (\S+): 2 fits, (\d) of them new$", text, re.MULTILINE)
    assert len(new) == 20 and all((count == "2") == (method == "dt-twoing") for method, count in new)
    before, after = parquet.read(built / ROWS), parquet.read(compiled / ROWS)
    both = before[list(records.COLUMNS)].merge(after, on=list(records.COLUMNS))  # timings too: they were not run again
    assert len(before) == len(both) == 32 and len(after) == 40
    assert compiled.planned(*given(packed), ROWS) == compiled.planned(ROWS) == {}
    compiled.edit("config/studies/tiny.yaml", "dt-twoing]", "dt-twoing, rf-gini]")
    assert "import_pack" not in compiled.planned(*given(packed), ROWS)  # imported once, not checked again


def test_a_study_that_has_not_run_makes_no_fits(shared, tmp_path):
    checkout = copy_of(shared.folder, tmp_path / "other")
    assert set(checkout.planned("pack", "--config", "studies=tiny")) == {"fetch", "prepare", "corrupt", "pack"}


MINE = "mine: {label: Mine, estimator: mine.Tree, params: {max_depth: 2}}\n"


def asked(checkout, pack):
    """What the command says of a pack, and its errors."""
    command, where = [sys.executable, "workflow/board.py", pack], {"cwd": checkout.folder, "env": checkout.environment}
    done = subprocess.run(command, check=False, capture_output=True, text=True, **where)
    return done.stdout, done.stderr


@pytest.mark.slow
def test_a_new_method_gets_its_place_and_a_forged_one_none(built, compiled):
    for checkout in (built, compiled):
        (checkout / "config/methods/own.yaml").write_text(MINE)
        (checkout / "mine.py").write_text("from sklearn.tree import DecisionTreeClassifier as Tree\n")
        checkout.edit("config/studies/tiny.yaml", "tables:", "tables:\n  best: {kind: leaderboard, task: binary}")
    mine, settings = compiled / "data/packs/tiny-full/mine.pack", ("--config", "studies=tiny", "pack_content=scores")
    mine.parent.mkdir(parents=True)
    built.run("pack", *settings)
    (built / "results/packs/tiny-full.pack").rename(compiled / "data/packs/tiny-full.pack")
    built.run("tiny", *settings, "methods=mine")
    built.run("pack", *settings, "methods=mine", "only=mine")
    (built / "results/packs/only-mine-tiny-full.pack").rename(mine)
    said, errors = asked(compiled, "data/packs/tiny-full/mine.pack")
    assert "8 fits, as the study asks for; 8 trained again here" in said, errors
    table = pandas.read_csv(built / "results/tiny/full/tables/best.csv")
    assert f"### Place {table['method'].tolist().index('mine') + 1} of 5\n" in said and "| Mine |" in said
    pack_files.edit(mine, "store/iris/multiclass/clean.jsonl", b'"depth":2.0', b'"depth":3.0')
    said, errors = asked(compiled, "data/packs/tiny-full/mine.pack")
    assert not said and "has depth 3.0, the store has 2.0" in errors
    built.run("pack", *settings, "methods=mine", "only=[mine,iris]")
    (built / "results/packs/only-iris+mine-tiny-full.pack").rename(mine)
    said, errors = asked(compiled, "data/packs/tiny-full/mine.pack")
    assert not said and "asks for 8 fits, of which none may fail, but the pack has 4; add the others" in errors
    said, errors = asked(compiled, "data/packs/tiny-full.pack")
    assert not said and "there is no board data/packs.pack; move the pack" in errors


STUDY = "config/studies/tiny.yaml"

#: What follows when rows change: both the table and the curves, and what stands above them.
TAIL = {"score": 1, "tables": 1, "figures": 1, "report": 1, "publish": 1, "tiny": 1}


@pytest.fixture(scope="module")
def replica(shared, tmp_path_factory):
    """A copy of `shared` in which runs are only planned."""
    folder = tmp_path_factory.mktemp("replica") / "built"
    shutil.copytree(shared.folder, folder, symlinks=True)
    return Checkout(folder)


@pytest.fixture
def edited(replica, shared):
    """The replica, for a test to edit; its files are as they were before."""
    for part in ("config", "src", "results/tiny/full/tables"):
        shutil.rmtree(replica / part)
        shutil.copytree(shared / part, replica / part)
    return replica


ON_IRIS = "[iris], tasks: [multiclass], noises: [clean"


@pytest.mark.parametrize(
    ("before", "after", "jobs"),
    [
        (ON_IRIS, f"{ON_IRIS}, uniform-0.1", {"describe": 1, "corrupt": 1, "shard": 1, **TAIL}),
        ("Accuracy.", "Other words.", {"describe": 1, "tables": 1, "report": 1, "publish": 1, "tiny": 1}),
    ],
)
def test_an_edit_of_the_study_plans_what_depends_on_it(edited, before, after, jobs):
    edited.edit(STUDY, before, after)
    assert edited.planned("tiny") == jobs


def test_edits_of_the_code_plan_what_they_make_and_no_fits(edited):
    """Fits depend on versions; `tests/pipeline/plan/test_keys.py` has what depends on which file."""
    for file in ("criteria/gini.py", "tree/growing/nodes.py", "pipeline/protocols/fit.py", "pipeline/figures/style.py"):
        edited.append(f"src/ironbark/{file}", "\nSOMETHING = 1\n")
    assert edited.planned("tiny") == {"figures": 1, "report": 1, "publish": 1, "tiny": 1}
    edited.edit("src/ironbark/versions.py", '"trees": Family(\n        1,', '"trees": Family(\n        99,')
    assert {"corrupt", "shard"} <= set(edited.planned("tiny"))  # labels too: adversarial noise fits a booster of trees


def test_a_lost_folder_is_made_again(edited):
    assert edited.planned("tiny") == {}
    shutil.rmtree(edited / "results/tiny/full/tables")
    assert edited.planned("tiny") == {"tables": 1, "report": 1, "publish": 1, "tiny": 1}

"""Nothing is done twice, nothing stale survives: what an edit plans, and what the store gives back."""

import re
import shutil

import pytest
from checkouts import Checkout

from ironbark.pipeline.results import store

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


ON_IRIS = "[iris]\n    tasks: [multiclass]\n    noises: [clean"


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


def test_more_work_runs_the_new_fits_and_keeps_the_old_rows(built):
    shard = "results/tiny/full/fits/iris/multiclass/gini.jsonl.gz"
    before = store.read_batch(built / shard)[1]
    built.edit(STUDY, "repeats: 2", "repeats: 3")
    built.edit(STUDY, "sklearn-dt]", "sklearn-dt, rf-gini]")
    built.edit(STUDY, "noises: [clean,", "noises: [clean, uniform-0.1,")
    built.run(shard)
    after = store.read_batch(built / shard)[1]
    assert len(before) == 4 * 2 * 2 and len(after) == 5 * 3 * 3
    log = (built / "results/logs/shard/tiny/full/iris/multiclass/gini.log").read_text()
    new = dict(re.findall(r"^iris multiclass (\S+ \S+): 3 fits, (\d) of them new$", log, re.MULTILINE))
    old = {f"{one['noise_id']} {one['method']}" for one in before}
    assert len(new) == 15
    assert new == {name: "1" if name in old else "3" for name in new}
    assert all(one in after for one in before)  # timings too: not run again

"""Nothing is done twice, nothing stale survives: what an edit plans, and what the store gives back."""

import re
import shutil

import pytest
from checkouts import Checkout

from ironbark.pipeline.results import store

STUDY = "config/studies/tiny.yaml"

#: What follows when rows change: both the table and the curves, and what stands above them.
TAIL = {"score": 1, "table": 1, "figure": 1, "report": 1, "publish": 1, "tiny": 1}


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


def test_a_second_run_does_nothing(edited, shared):
    assert edited.planned("tiny") == {}
    text = (shared / "done").read_text("utf-8")
    assert "tiny (full): 32 fits" in text and "results/tiny/full/report.html" in text and "FAILED" not in text


ON_IRIS = "[iris]\n    tasks: [multiclass]\n    noises: [clean"
EDITS = {
    "method": ("sklearn-dt]", "sklearn-dt, dt-twoing]", {"describe": 1, "shard": 2, **TAIL}),
    "noise": (ON_IRIS, f"{ON_IRIS}, uniform-0.1", {"describe": 1, "corrupt": 1, "shard": 4, **TAIL}),
    "repeat": ("repeats: 2", "repeats: 3", {"describe": 1, "corrupt": 2, "shard": 8, **TAIL}),
    "caption": (
        "caption: Accuracy.",
        "caption: Other words.",
        {"describe": 1, "table": 1, "report": 1, "publish": 1, "tiny": 1},
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_the_study_plans_what_depends_on_it(edited, name):
    before, after, jobs = EDITS[name]
    edited.edit(STUDY, before, after)
    assert edited.planned("tiny") == jobs


@pytest.mark.parametrize(
    ("files", "jobs"),
    [
        (["criteria/gini.py", "tree/growing/nodes.py", "pipeline/protocols/fit.py"], {}),
        (["pipeline/site/render.py"], {"publish": 1, "tiny": 1}),
        (["pipeline/figures/style.py"], {"figure": 1, "report": 1, "publish": 1, "tiny": 1}),
        (["pipeline/tables/layout.py"], TAIL),
        (["pipeline/jobs/artefacts.py"], TAIL),
    ],
)
def test_an_edit_of_the_code_plans_what_it_makes(edited, files, jobs):
    for file in files:
        edited.append(f"src/ironbark/{file}", "\nSOMETHING = 1\n")
    assert edited.planned("tiny") == jobs


def test_a_raised_version_plans_the_fits_of_its_family(edited):
    edited.edit("src/ironbark/versions.py", '"trees": Family(\n        1,', '"trees": Family(\n        99,')
    assert {"corrupt", "shard"} <= set(edited.planned("tiny"))  # labels too: adversarial noise fits a booster of trees


def test_an_edit_of_a_noise_plans_its_labels(edited):
    edited.append("src/ironbark/noise/transition.py", "\nSOMETHING = 1\n")  # uniform and clean
    assert edited.planned("tiny")["corrupt"] == 2


def test_a_lost_file_is_made_again(edited):
    (edited / "results/tiny/full/tables/accuracy.tex").unlink()
    assert edited.planned("tiny") == {"table": 1, "report": 1, "publish": 1, "tiny": 1}


def test_more_work_runs_the_new_fits_and_keeps_the_old_rows(built):
    shards = [f"results/tiny/full/fits/multiclass/{name}.jsonl.gz" for name in ("gini", "sklearn-dt")]
    before = [one for shard in shards for one in store.read_batch(built / shard)[1]]
    built.edit(STUDY, "repeats: 2", "repeats: 3")
    built.edit(STUDY, "sklearn-dt]", "sklearn-dt, rf-gini]")  # of the same batch as dt-gini
    built.edit(STUDY, "noises: [clean,", "noises: [clean, uniform-0.1,")
    built.run(*shards)
    after = [one for shard in shards for one in store.read_batch(built / shard)[1]]
    assert len(before) == 2 * 2 * 2 and len(after) == 3 * 3 * 3
    said = [(built / f"results/logs/shard/tiny/full/multiclass/{n}.log").read_text() for n in ("gini", "sklearn-dt")]
    new = dict(re.findall(r"^iris multiclass (\S+ \S+): 3 fits, (\d) of them new$", "".join(said), re.MULTILINE))
    old = {f"{noise} {method}" for noise in ("clean", "uniform-0.2") for method in ("dt-gini", "sklearn-dt")}
    assert len(new) == 9
    assert new == {name: "1" if name in old else "3" for name in new}
    assert all(one in after for one in before)  # timings too: not run again

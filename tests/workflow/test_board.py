"""The check of a pull request: a pack of a new method is trained again in part, and gets its place."""

import subprocess
import sys

import pack_files
import pytest

MINE = "mine: {label: Mine, estimator: sklearn.tree.DecisionTreeClassifier, params: {max_depth: 2}}\n"


def asked(checkout, pack):
    """What the command says of a pack, and its errors."""
    command, where = [sys.executable, "workflow/board.py", pack], {"cwd": checkout.folder, "env": checkout.environment}
    done = subprocess.run(command, check=False, capture_output=True, text=True, **where)
    return done.stdout, done.stderr


@pytest.mark.slow
def test_a_new_method_gets_its_place_and_a_forged_one_none(built, compiled):
    for checkout in (built, compiled):
        (checkout / "config/methods/own.yaml").write_text(MINE)
    mine, settings = compiled / "data/packs/tiny-full/mine.pack", ("--config", "studies=tiny", "pack_content=scores")
    mine.parent.mkdir(parents=True)
    built.run("pack", *settings)
    (built / "results/packs/tiny-full.pack").rename(compiled / "data/packs/tiny-full.pack")
    built.run("tiny", *settings, "methods=mine")
    built.run("pack", *settings, "methods=mine", "only=mine")
    (built / "results/packs/only-mine-tiny-full.pack").rename(mine)
    said, errors = asked(compiled, "data/packs/tiny-full/mine.pack")
    assert "8 fits of 8 that the study asks for; 8 trained again here" in said, errors
    assert "of 5 on binary tasks, 1 data sets: accuracy" in said and "| **mine** |" in said
    pack_files.edit(mine, "store/iris/multiclass/clean.jsonl", b'"depth":2.0', b'"depth":3.0')
    said, errors = asked(compiled, "data/packs/tiny-full/mine.pack")
    assert not said and "has depth 3.0, the store has 2.0" in errors
    said, errors = asked(compiled, "data/packs/tiny-full.pack")
    assert not said and "there is no board data/packs.pack; move the pack" in errors

"""The check of a pull request: a pack of a new method is trained again in part, and gets its place."""

import subprocess
import sys

import pack_files
import pytest

MINE = "\nmine:\n  label: Mine\n  estimator: sklearn.tree.DecisionTreeClassifier\n  params: {max_depth: 2}\n"


def asked(checkout, *arguments):
    """Result of the command in a checkout, as its output and errors."""
    command = [sys.executable, "workflow/board.py", *arguments]
    run = {"cwd": checkout.folder, "env": checkout.environment, "capture_output": True, "text": True}
    done = subprocess.run(command, check=False, **run)
    return done.stdout, done.stderr


@pytest.mark.slow
def test_a_new_method_gets_its_place_and_a_forged_one_none(built, compiled):
    board, mine = compiled / "data/packs/tiny-full.pack", compiled / "data/packs/tiny-full/mine.pack"
    mine.parent.mkdir(parents=True)
    settings = "--config", "studies=tiny", "pack_content=scores"
    built.run("pack", *settings)
    board.write_bytes((built / "results/packs/tiny-full.pack").read_bytes())
    for checkout in (built, compiled):
        (checkout / "config/methods/own.yaml").write_text(MINE)
    settings = *settings, "methods=mine", "only=mine"
    built.run(*settings, "--", "results/only/mine/tiny/full/rows.parquet")
    built.run("pack", *settings)
    mine.write_bytes((built / "results/packs/only-mine-tiny-full.pack").read_bytes())
    said, errors = asked(compiled, str(mine.relative_to(compiled.folder)))
    assert "8 fits of 8 that the study asks for; 8 trained again here" in said, errors
    assert "of 5 on binary tasks, 1 data sets: accuracy" in said and "| **mine** |" in said
    pack_files.edit(mine, "store/iris/multiclass/clean.jsonl", b'"depth":2.0', b'"depth":3.0')
    said, errors = asked(compiled, str(mine.relative_to(compiled.folder)))
    assert not said and "has depth 3.0, the store has 2.0" in errors
    said, errors = asked(compiled, "data/packs/tiny-full.pack")
    assert not said and "there is no board data/packs.pack; move the pack" in errors

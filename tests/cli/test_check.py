"""`ironbark check` calls Snakemake in a checkout; what it then does is tested in tests/workflow."""

import pytest

from ironbark import cli
from ironbark.cli import main

CELL = "ane table 2, mushrooms, dt, uniform 0.4, ane"


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    for name in ("config/studies", "data/published"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "Snakefile").touch()
    monkeypatch.chdir(tmp_path)


def test_without_checkout_or_snakemake_it_says_so(checkout, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    assert main(["check", CELL]) == 1
    said = capsys.readouterr().err
    assert "it needs snakemake, which is not installed; run `pip install 'ironbark-learn[pipeline]'`" in said
    (tmp_path / "Snakefile").unlink()
    assert main(["check", CELL]) == 1
    assert "call it in the folder of a clone of ironbark's repository" in capsys.readouterr().err

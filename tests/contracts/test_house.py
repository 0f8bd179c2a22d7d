"""Rules of the repository that no linter checks."""

import ast
import re
from pathlib import Path

import pytest

from ironbark.pipeline.results.records import COLUMNS

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src/ironbark").rglob("*.py"))
SCRIPTS = sorted((ROOT / "workflow/scripts").glob("*.py"))

#: Files -> most lines of one.
LONGEST = {"src/ironbark/**/*.py": 300, "workflow/rules/*.smk": 120, "Snakefile": 60, "workflow/scripts/*.py": 50}

TRACKED = ["README.md", "Snakefile", "pyproject.toml", "src", "workflow", "config", "tests", "docs", "envs", "slurm"]
TEXTS = {".py", ".smk", ".yaml", ".toml", ".md", ".rst", ".in", ".lock", ".cff", ""}


@pytest.mark.parametrize(("pattern", "most"), LONGEST.items())
def test_length_of_files(pattern, most):
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in ROOT.glob(pattern)}
    assert lengths and not {name for name, lines in lengths.items() if lines > most}, "split it: one noun a file"


def test_no_collections_without_a_subject():
    assert {path.stem for path in SOURCES}.isdisjoint({"utils", "helpers", "common", "misc", "core", "tools"})


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_contain_no_logic(path):
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    assert not [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.For, ast.If))]


def test_no_machine_path():
    for place in TRACKED:
        for path in [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"):
            if path.is_file() and path.suffix in TEXTS and "__pycache__" not in path.parts:
                text = path.read_text(encoding="utf-8")
                for part in ("/wo" + "rk/", "/tm" + "p/", "/ho" + "me/"):
                    assert part not in text, f"{path.relative_to(ROOT)} names the folder {part}"


def test_all_columns_of_the_rows_are_documented():
    text = (ROOT / "results/README.md").read_text("utf-8").partition("## Columns of rows.parquet")[2]
    lines = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = [name for line in lines for name in re.findall(r"`(\w+)`", line)]
    assert sorted(named) == sorted(COLUMNS)

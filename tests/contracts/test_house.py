"""The rules of the house that no linter knows."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src/ironbark").rglob("*.py"))
SCRIPTS = sorted((ROOT / "workflow").rglob("*.py"))
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow").rglob("*.smk"))]
MOST_FILE, MOST_FUNCTION, MOST_SCRIPT, MOST_SNAKEFILE = 300, 60, 50, 60

#: Loops over the nodes that are kept whole for the compiler.
LONG_KERNELS = {"driver.py", "presorted.py", "nodewise.py", "scan.py"}


def name(path):
    return str(path.relative_to(ROOT))


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def test_tests_run_in_parallel_by_default():
    options = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]["addopts"]
    assert {"-n=logical", "--dist=worksteal"} <= set(options)


def test_files_were_found():
    assert len(SOURCES) > 60 and len(SCRIPTS) >= 8 and len(RULES) >= 5


def test_length_of_files():
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_FILE} == {}, "split it: one noun a file"


def own_lines(function):
    """Lines of a function without its docstring and without those of functions within it."""
    lines = set(range(function.lineno, function.end_lineno + 1))
    if ast.get_docstring(function):
        lines -= set(range(function.body[0].lineno, function.body[0].end_lineno + 1))
    return len(lines)


def test_length_of_functions():
    long = {
        f"{name(path)}: {node.name}": own_lines(node)
        for path in SOURCES
        if path.name not in LONG_KERNELS
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and own_lines(node) > MOST_FUNCTION
    }
    assert long == {}


def test_no_collections_without_a_subject():
    assert {path.stem for path in SOURCES}.isdisjoint({"utils", "helpers", "common", "misc", "core", "tools"})


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_scripts_are_thin(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_SCRIPT
    assert ast.get_docstring(tree_of(path))
    assert not [node for node in ast.walk(tree_of(path)) if isinstance(node, (ast.FunctionDef, ast.For, ast.If))]


@pytest.mark.parametrize("path", RULES, ids=name)
def test_rules_have_no_run_block_and_are_short(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= (MOST_SNAKEFILE if path.name == "Snakefile" else 120)
    assert "    run:" not in text


TRACKED = ["README.md", "Snakefile", "pyproject.toml", "src", "workflow", "config", "tests", "docs", "envs", "slurm"]
TEXTS = {".py", ".smk", ".yaml", ".toml", ".md", ".rst", ".in", ".lock", ".cff", ""}


def test_no_machine_path():
    for place in TRACKED:
        for path in [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"):
            if path.is_file() and path.suffix in TEXTS and "__pycache__" not in path.parts:
                text = path.read_text(encoding="utf-8")
                for part in ("/wo" + "rk/", "/tm" + "p/", "/ho" + "me/"):
                    assert part not in text, f"{path.relative_to(ROOT)} names the folder {part}"

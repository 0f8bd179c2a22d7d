"""The benchmarks import, name only what the library has, and say what they do."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "benchmarks").glob("*.py"))
LISTED = (ROOT / "benchmarks/README.md").read_text("utf-8")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_imports_and_has_a_docstring(path, monkeypatch):
    monkeypatch.syspath_prepend(path.parent)
    try:
        module = importlib.import_module(path.stem)
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] == "ironbark":
            raise
        pytest.skip(f"needs the package {error.name}")
    assert module.__doc__


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_readme_names_every_script(path):
    assert path.name in LISTED

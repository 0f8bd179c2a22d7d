"""What users, their editors and their type checkers find of the public names."""

import ast
import doctest
import importlib
from pathlib import Path

import pytest

import ironbark
from ironbark.noise import corrupt

ROOT = Path(__file__).parents[2]
PUBLIC = {name: getattr(ironbark, name) for name in ironbark.__all__} | {"corrupt": corrupt}


def test_type_checkers_see_every_name():
    """What the package reads of its stub is what the stub means."""
    tree = ast.parse((ROOT / "src/ironbark/__init__.pyi").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    seen = {(alias.asname, node.module) for node in imports for alias in node.names if alias.asname == alias.name}
    assert seen == set(ironbark._PUBLIC.items()) and len(seen) == sum(len(node.names) for node in imports)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PUBLIC)
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    thing = PUBLIC[name]
    module = importlib.import_module(thing.__module__)
    tests = doctest.DocTestFinder(recurse=False).find(thing, name, module=False, globs=vars(module).copy())
    assert sum(len(test.examples) for test in tests), f"{name} has no example"
    runner = doctest.DocTestRunner(verbose=False)
    for test in tests:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0

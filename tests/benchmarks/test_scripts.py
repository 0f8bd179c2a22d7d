"""The benchmarks import, name only what the library has, and say what they do; ratios and means of their tables."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))

#: Scripts change the environment and register what they compare, so they are imported in a process of their own.
IMPORTS = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] in ("ironbark", *sys.argv[1:]):
            raise
    else:
        print(name)
"""


def test_scripts_import():
    command = [sys.executable, "-c", IMPORTS, *NAMES]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) > len(NAMES) / 2


def test_the_readme_names_every_script():
    text = (FOLDER / "README.md").read_text("utf-8")
    assert [name for name in NAMES if f"{name}.py" not in text] == []


def test_a_ratio_is_the_median_over_complete_pairs():
    ratio = import_module("measure").ratio
    assert ratio([2.0, 6.0, 100.0], [1.0, 2.0, 1.0]) == 3.0
    with pytest.raises(ValueError, match="shorter"):
        ratio([1.0, 2.0], [1.0])


def rounds(prepared, array):
    return {"prepared": prepared, "array": array, "accuracy": [0.5, 0.7], "nodes": [11, 2001]}


TOOLS = ["ironbark", "baseline", "scikit-learn"]
FOUND = {
    ("a", 0.0): [rounds([1.0, 2.0], [2.0, 4.0]), rounds([0.9, 1.8], [2.0, 4.0]), rounds([8.0, 16.0], [8.0, 16.0])],
    ("b", 0.4): [rounds([1.0, 1.0], [1.0, 1.0]), rounds([1.0, 1.0], [1.0, 1.0]), rounds([2.0, 2.0], [9.0, 9.0])],
}


def test_the_summary_has_geometric_means_and_the_worst_ratio_to_the_baseline():
    found = {(*key, "tree", "gini", "plain"): dict(zip(TOOLS, times, strict=True)) for key, times in FOUND.items()}
    lines = list(import_module("trees").summary(found, TOOLS))
    assert "- tree, gini, plain: scikit-learn / ironbark 4.00 (6.00), geometric mean of 2 rows" in lines
    assert "- worst baseline / ironbark, prepared: 0.900 (a, 0.0, tree, gini, plain)" in lines

"""The benchmarks import, name only what the library has, and say what they do."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "benchmarks").glob("*.py"))
LISTED = (ROOT / "benchmarks/README.md").read_text("utf-8")

#: Scripts change the environment and register what they compare, so they are imported in a process of their own.
IMPORTS = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name.partition(".")[0] in ("ironbark", *sys.argv[1:]):
            raise
        print("needs", error.name)
        continue
    print("imported", name)
"""


def test_scripts_import():
    names = [path.stem for path in SCRIPTS]
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS, *names],
        cwd=ROOT / "benchmarks",
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == len(names)
    assert done.stdout.count("imported") > len(names) / 2


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_readme_names_every_script(path):
    assert path.name in LISTED

"""The benchmarks import, name only what the library has, and say what they do."""

import subprocess
import sys
from pathlib import Path

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

"""docs/adding.md, followed word for word in a copy of the repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ironbark.pipeline import published

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?:python|yaml)\n# (\S+?)(?:, in (\w+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PARTS = ["Snakefile", "config", "workflow", "src", "docs", "data/published", "data/reference", "data/unavailable.csv"]
PARTS += ["tests", "pyproject.toml"]


def blocks():
    """(file, name of the list of entries or empty, text) of each block that names its file."""
    return [found.groups(default="") for found in BLOCK.finditer((ROOT / "docs/adding.md").read_text("utf-8"))]


def test_everything_but_yaml_takes_a_module_and_an_entry():
    modules = [file for file, name, _ in blocks() if file.startswith("src/") and not name]
    entries = [name for _, name, _ in blocks() if name]
    assert entries == ["CRITERIA", "NOISE_MODELS", "TABLES", "FIGURES", "PROTOCOLS"]
    assert len(modules) == len(entries)
    page = (ROOT / "docs/adding.md").read_text("utf-8")
    entry = re.search(r'^( +"mine": Paper\(.*?)^```$', page, re.MULTILINE | re.DOTALL)[1]
    paper = eval(f"{{{entry}}}", vars(published))["mine"]
    files = [*paper.values.values(), *paper.datasets.values()]
    assert {Path(file.path).parent for file in files} == {Path("data/published")}


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adding")
    for part in PARTS:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / part, folder / part)
    for file, name, text in blocks():
        path = folder / file
        if name:
            before, start, rest = path.read_text("utf-8").partition(f"\n{name} = {{")
            entries, end, after = rest.partition("\n}\n")
            assert start and end, file
            path.write_text(before + start + entries + "\n" + text.rstrip() + end + after, "utf-8")
        else:
            assert path.suffix == ".yaml" or not path.exists(), file
            with path.open("a", encoding="utf-8") as added:
                added.write(text)
    return folder


def run(folder, *command):
    env = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout + done.stderr


@pytest.mark.slow
def test_the_page_can_be_followed(followed):
    run(followed, sys.executable, "docs/render_pages.py")
    for table, name in {"noise-models": "fallback", "criteria": "tsallis", "kinds-of-figures": "fit-boxes"}.items():
        assert f"\n`{name}`," in (followed / f"docs/tables/{table}.csv").read_text("utf-8")
    tests = [file for file, _, _ in blocks() if file.startswith("tests/")]
    contracts = ["tests/contracts/test_registries.py", "tests/noise/test_models.py"]
    run(followed, sys.executable, "-m", "pytest", "-q", "-n", "0", *tests, *contracts, "-p", "no:cacheprovider")
    asked = ["later", "--config", "scale=smoke"]
    planned = run(followed, sys.executable, "-m", "snakemake", "-n", "--cores", "1", *asked)
    assert "results/later/smoke/tables" in planned and "results/later/smoke/figures" in planned

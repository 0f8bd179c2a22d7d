"""The distribution: its name, its metadata, and the commands that install it or its packages."""

import email
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import ironbark

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NAME, EXTRAS = "ironbark-learn", PROJECT["optional-dependencies"]
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[([a-z,]+)\])?(?:[<>=~!].*)?")

#: Where commands are given to users.
TEXTS = ("README.md", "CITATION.cff", ".ci/*", ".github/**/*.yaml", "config/**/*", "docs/**/*.md", "src/**/*.py")
TEXTS += ("benchmarks/**/*.md", "slurm/**/*", "workflow/**/*")


def test_commands_that_install_name_what_exists():
    paths = {path for pattern in TEXTS for path in ROOT.glob(pattern) if path.is_file()}
    texts = [path for path in paths if path.suffix != ".pyc"]
    lines = [line for path in texts for line in re.findall(r"\bpip install ([^`\n]+)", path.read_text("utf-8"))]
    files = {name for line in lines for name in re.findall(r"-r (envs/[\w.-]+)", line)}
    assert files >= {f"envs/{name}.lock" for name in ("run", "test", "images", "arena")}
    assert not [name for name in files if not (ROOT / name).is_file()]
    named = [match for line in lines for match in re.findall(r"\b(ironbark[\w-]*)\b(?:\[([a-z,]+)\])?", line)]
    assert named and {name for name, _ in named} == {NAME}
    assert {extra for _, extras in named for extra in extras.split(",")} <= {"", *EXTRAS}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Folder of an installed wheel, as built by setuptools."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "src/ironbark", folder / "src/ironbark", ignore=shutil.ignore_patterns("__pycache__"))
    build = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
    done = subprocess.run([sys.executable, "-c", build], cwd=folder, check=True, capture_output=True, text=True)
    shutil.unpack_archive(folder / done.stdout.split()[-1], folder / "installed", "zip")
    return folder / "installed"


def test_the_built_distribution(installed):
    (info,) = installed.glob("*.dist-info")
    found = email.message_from_string((info / "METADATA").read_text("utf-8"))
    assert (found["Name"], (info / "top_level.txt").read_text().split()) == (NAME, ["ironbark"])
    assert found["Version"] == ironbark.__version__
    extras = {"labels", "pipeline", "gbdt", "openml", "images", "arena", "docs", "test"}
    assert set(found.get_all("Provides-Extra")) == set(EXTRAS) == extras
    lines = [line for line in found.get_all("Requires-Dist") if "extra ==" not in line]
    without = {"numpy", "scipy", "scikit-learn", "numba", "joblib", "highspy", "threadpoolctl"}
    assert {REQUIREMENT.match(line).group(1) for line in lines} == without


def test_the_wheel_has_all_that_an_import_reads(installed):
    code = "import ironbark; print(ironbark.__file__, len(ironbark.__all__), ironbark.encode)"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=installed, env=environment, check=True, capture_output=True, text=True)
    path, number, *_ = done.stdout.split()
    assert Path(path).is_relative_to(installed) and int(number) == len(ironbark.__all__)
    assert (installed / "ironbark/py.typed").is_file()


def test_the_archive_s_metadata_are_those_of_the_citation():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert NAME in citation["title"] + citation["message"] + citation.get("abstract", "")
    assert citation["version"] == ironbark.__version__
    archive = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    for name in ("title", "version", "license", "keywords"):
        assert archive[name] == citation[name]
    assert [creator["name"] for creator in archive["creators"]] == [author["name"] for author in citation["authors"]]
    assert archive["upload_type"] == citation["type"] and NAME in archive["description"]

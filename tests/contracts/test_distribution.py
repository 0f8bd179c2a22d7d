"""The distribution: its name, its metadata, and the commands that install it or its packages."""

import email
import importlib.metadata
import json
import os
import re
import shlex
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
TOOLS = {"pre-commit", "ydf", "scikit-learn-intelex"}  # of those who work on the project

#: Where commands are given to users.
TEXTS = ("README.md", "CITATION.cff", ".ci/*", ".github/**/*.yaml", "config/**/*", "docs/**/*.md", "src/**/*.py")
TEXTS += ("benchmarks/**/*.md", "slurm/**/*", "workflow/**/*")


def commands():
    """(file, arguments) of each ``pip install``."""
    for path in sorted({path for pattern in TEXTS for path in ROOT.glob(pattern) if path.is_file()}):
        if path.suffix == ".pyc":
            continue
        for line in re.findall(r'\bpip install ([^`"&#;\n]+)', path.read_text("utf-8")):
            if "{" not in line:  # filled in by the code, see test_environments.py
                yield path.relative_to(ROOT).as_posix(), shlex.split(line)


def wrong(arguments):
    """What of the arguments does not exist: options, files, distributions or extras."""
    declared = {REQUIREMENT.match(line).group(1) for line in sum(EXTRAS.values(), PROJECT["dependencies"])}
    found, words = [], iter(arguments)
    for word in words:
        if word in ("-q", "--no-deps", "--no-build-isolation"):
            continue
        if word in ("-r", "-e"):
            target = next(words, "")
            good = (
                target == "."
                if word == "-e"
                else (ROOT / target).is_file() and target.endswith((".lock", "oldest.txt"))
            )
        else:
            name, extras = REQUIREMENT.fullmatch(word).groups() if REQUIREMENT.fullmatch(word) else (None, None)
            good = name in declared | TOOLS | {NAME} and set((extras or "").split(",")) <= {"", *EXTRAS}
        found += [] if good else [word]
    return found


@pytest.mark.parametrize(("file", "arguments"), [pytest.param(*pair, id=str(pair)) for pair in commands()])
def test_a_command_that_installs_names_what_exists(file, arguments):
    assert arguments and not wrong(arguments), f"{file}: pip install {shlex.join(arguments)}"


def test_wrong_commands_are_found():
    assert wrong(["ironbark[openml]", f"{NAME}[torch]"]) == ["ironbark[openml]", f"{NAME}[torch]"]
    assert wrong(["-q", "-r", "envs/none.lock"]) == ["-r"]
    assert not wrong([f"{NAME}[images]"]) and not wrong(["-r", "envs/run.lock"])


def test_the_readme_installs_by_its_lock_files():
    files = {arguments[-1] for file, arguments in commands() if file == "README.md" and "-r" in arguments}
    assert files == {f"envs/{name}.lock" for name in ("run", "test", "images", "arena")}


@pytest.fixture(scope="module")
def metadata(tmp_path_factory):
    """Metadata as built by setuptools, and the names that the distribution installs."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("src/ironbark", "out"):
        (folder / name).mkdir(parents=True)
    shutil.copy(ROOT / "src/ironbark/__init__.py", folder / "src/ironbark")
    build = "from setuptools import build_meta; print(build_meta.prepare_metadata_for_build_wheel('out'))"
    done = subprocess.run([sys.executable, "-c", build], cwd=folder, check=True, capture_output=True, text=True)
    info = folder / "out" / done.stdout.split()[-1]
    return email.message_from_string((info / "METADATA").read_text("utf-8")), (
        info / "top_level.txt"
    ).read_text().split()


def test_the_built_distribution(metadata):
    found, packages = metadata
    assert (found["Name"], packages) == (NAME, ["ironbark"])
    assert found["Version"] == ironbark.__version__
    assert set(found.get_all("Provides-Extra")) == set(EXTRAS)
    assert set(EXTRAS) == {"labels", "pipeline", "gbdt", "openml", "images", "arena", "docs", "test"}


def test_without_extras_nothing_is_installed_that_draws_plans_or_stores(metadata):
    lines = [line for line in metadata[0].get_all("Requires-Dist") if "extra ==" not in line]
    found = {REQUIREMENT.match(line).group(1) for line in lines}
    found -= {"threadpoolctl"}  # which scikit-learn brings anyway
    assert found == {"numpy", "scipy", "scikit-learn", "numba", "joblib", "highspy"}


def test_the_wheel_has_all_that_an_import_reads(tmp_path):
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src/ironbark", tmp_path / "src/ironbark", ignore=shutil.ignore_patterns("__pycache__"))
    build = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
    done = subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True, text=True)
    shutil.unpack_archive(tmp_path / done.stdout.split()[-1], tmp_path / "installed", "zip")
    code = "import ironbark; print(ironbark.__file__, len(ironbark.__all__), ironbark.encode)"
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert (tmp_path / "installed/ironbark/py.typed").is_file()
    assert Path(found[0]).is_relative_to(tmp_path / "installed") and int(found[1]) == len(ironbark.__all__)


def test_the_installed_distribution():
    try:
        assert importlib.metadata.version(NAME) == ironbark.__version__
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{NAME} is not installed")


def test_readme_and_citation_give_the_name():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert NAME in citation["title"] + citation["message"] + citation.get("abstract", "")
    assert citation["version"] == ironbark.__version__
    assert f"`{NAME}`" in (ROOT / "README.md").read_text("utf-8")


def test_the_archive_s_metadata_are_those_of_the_citation():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    archive = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    for name in ("title", "version", "license", "keywords"):
        assert archive[name] == citation[name]
    assert [creator["name"] for creator in archive["creators"]] == [author["name"] for author in citation["authors"]]
    assert archive["upload_type"] == citation["type"] and NAME in archive["description"]

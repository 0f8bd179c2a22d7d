"""The repository: metadata, commands that install it, dependencies, workflows, public names, rules of its own."""

import ast
import doctest
import email
import importlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import ironbark
from ironbark.noise import corrupt
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.results.records import COLUMNS

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NAME, EXTRAS = "ironbark-learn", PROJECT["optional-dependencies"]
RUN = ("labels", "pipeline", "gbdt", "openml")  # extras that the README's commands install
LOCKS = {name: "run" for name in RUN} | {name: name for name in ("test", "images", "arena", "docs")}
OUTSIDE_JOBS = {"snakemake-executor-plugin-slurm", "xgboost"}  # the scheduler's part; xgboost-cpu's name on macOS
CONDA_NAMES = {"snakemake-minimal": "snakemake", "py-xgboost-cpu": "xgboost-cpu"}
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)

#: Where commands are given to users.
TEXTS = ("README.md", "CITATION.cff", ".ci/*", ".github/**/*.yaml", "config/**/*", "docs/**/*.md", "src/**/*.py")
TEXTS += ("benchmarks/**/*.md", "slurm/**/*", "workflow/**/*")

#: Import -> distribution, where the two differ.
DISTRIBUTIONS = {"arff": "liac-arff", "imblearn": "imbalanced-learn", "interpret": "interpret-core"}
DISTRIBUTIONS |= {"sklearn": "scikit-learn", "vl_convert": "vl-convert-python", "yaml": "pyyaml"}


def pins(file):
    found = PIN.findall((ROOT / "envs" / file).read_text("utf-8"))
    return {canonicalize_name(name): version for name, version in found}


def bounds(requirements):
    """Distribution -> lower bound of requirements, without the project, which its extras name to include others."""
    found = {canonicalize_name(found.name): found.specifier for found in map(Requirement, requirements)}
    return {name: str(low).removeprefix(">=") for name, low in found.items() if name != NAME}


def test_commands_that_install_name_what_exists():
    paths = {path for pattern in TEXTS for path in ROOT.glob(pattern) if path.is_file() and path.suffix != ".pyc"}
    lines = [line for path in paths for line in re.findall(r"\bpip install ([^`\n]+)", path.read_text("utf-8"))]
    files = {name for line in lines for name in re.findall(r"-r (envs/[\w.-]+)", line)}
    assert files >= {f"envs/{name}.lock" for name in ("run", "test", "images", "arena")}
    assert not [name for name in files if not (ROOT / name).is_file()]
    named = [match for line in lines for match in re.findall(r"\b(ironbark[\w-]*)\b(?:\[([a-z,]+)\])?", line)]
    assert named and {name for name, _ in named} == {NAME}
    assert {extra for _, extras in named for extra in extras.split(",")} <= {"", *EXTRAS}


def test_the_built_distribution_has_all_that_an_import_reads(tmp_path):
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src/ironbark", tmp_path / "src/ironbark", ignore=shutil.ignore_patterns("__pycache__"))
    build = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
    done = subprocess.run([sys.executable, "-c", build], cwd=tmp_path, check=True, capture_output=True, text=True)
    installed = tmp_path / "installed"
    shutil.unpack_archive(tmp_path / done.stdout.split()[-1], installed, "zip")
    (info,) = installed.glob("*.dist-info")
    found = email.message_from_string((info / "METADATA").read_text("utf-8"))
    assert (found["Name"], (info / "top_level.txt").read_text().split()) == (NAME, ["ironbark"])
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert found["Version"] == ironbark.__version__ == citation["version"]
    assert set(found.get_all("Provides-Extra")) == set(EXTRAS)
    code = "import ironbark; print(ironbark.__file__, len(ironbark.__all__), ironbark.encode)"
    command, environment = [sys.executable, "-c", code], {**os.environ, "PYTHONPATH": str(installed)}
    done = subprocess.run(command, cwd=installed, env=environment, check=True, capture_output=True, text=True)
    path, number, *_ = done.stdout.split()
    assert Path(path).is_relative_to(installed) and int(number) == len(ironbark.__all__)
    assert (installed / "ironbark/py.typed").is_file()


@pytest.mark.parametrize("name", ["run", "test", "images", "arena", "docs"])
def test_a_lock_holds_what_its_input_asks_for_with_hashes(name):
    asked, locked = pins(f"{name}.in"), pins(f"{name}.lock")
    assert len(locked) > 40 and asked.items() <= locked.items()
    assert name == "run" or (ROOT / f"envs/{name}.in").read_text("utf-8").startswith("-r run.in\n")
    assert pins("run.lock").items() <= locked.items()
    blocks = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / f"envs/{name}.lock").read_text("utf-8").strip())
    assert not [block for block in blocks if PIN.match(block) and "--hash=sha256:" not in block]


def test_conda_environment_agrees_with_the_lock():
    entries = yaml.safe_load((ROOT / "envs/ironbark.yaml").read_text("utf-8"))["dependencies"]
    by_pip = [line for entry in entries if isinstance(entry, dict) for line in entry["pip"]]
    lines = [entry for entry in entries if isinstance(entry, str) and entry != "pip"] + by_pip
    pinned = dict(re.match(r"([^ ]+) =+(.+)", line).groups() for line in lines)
    found = {CONDA_NAMES.get(name, name): version for name, version in pinned.items()}
    assert found.pop("python") == "3.11" and found.items() <= pins("run.lock").items()
    assert not set(pins("run.in")) - set(found) - OUTSIDE_JOBS, "pin it in envs/ironbark.yaml, too"


@pytest.mark.parametrize(("extra", "lock"), [("", "run"), *LOCKS.items()])
def test_locks_satisfy_the_declared_dependencies(extra, lock):
    locked = pins(f"{lock}.lock")
    for name, low in bounds(EXTRAS[extra] if extra else PROJECT["dependencies"]).items():
        assert Version(locked[name]) >= Version(low), f"{name} is pinned to {locked[name]}, but >={low} is declared"


def test_the_locks_that_errors_name_hold_the_packages():
    for name, lock in packages.LOCKS.items():
        assert DISTRIBUTIONS.get(name, name) in pins(Path(lock).name) and (ROOT / lock).is_file()


def test_the_oldest_versions_are_the_lower_bounds():
    script = runpy.run_path(str(ROOT / ".ci/oldest.py"))
    assert (ROOT / "envs/oldest.txt").read_text("utf-8") == script["oldest"](PROJECT)
    assert (ROOT / "envs/extras-oldest.txt").read_text("utf-8") == script["oldest_extras"](PROJECT)
    assert pins("oldest.txt") == bounds(PROJECT["dependencies"])
    assert pins("extras-oldest.txt") == bounds(sum((EXTRAS[name] for name in RUN), []))


def test_no_host_is_named():
    host = re.compile(r"https?://|--index-url|--extra-index|--find-links|--trusted-host|@ file")
    assert not [path.name for path in (ROOT / "envs").iterdir() if host.search(path.read_text("utf-8"))]


def imported(without=()):
    """Distributions that our files import, without those in some folders of the package."""
    found, base = set(), ROOT / "src/ironbark"
    for path in (path for path in base.rglob("*.py") if path.relative_to(base).parts[0] not in without):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
                modules = [a.value for a in node.args if isinstance(a, ast.Constant)]
            found |= {module.split(".")[0] for module in modules if isinstance(module, str)}
    return {canonicalize_name(DISTRIBUTIONS.get(name, name)) for name in found - sys.stdlib_module_names - {"ironbark"}}


def test_what_the_sources_import_is_declared():
    """And the library needs what it uses: pandas and boosters late, with one sentence if they are absent."""
    assert imported() <= set(bounds(sum(EXTRAS.values(), PROJECT["dependencies"])))
    optional = {"pandas", *bounds(EXTRAS["gbdt"])}
    assert set(bounds(PROJECT["dependencies"])) == imported(without=("pipeline", "cli")) - optional


@pytest.mark.parametrize("path", sorted((ROOT / ".github/workflows").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_workflow_has_limits_and_runs_what_exists(path):
    found = yaml.safe_load(path.read_text("utf-8"))
    assert found["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 120 for job in found["jobs"].values())
    tokens = {name for name, job in found["jobs"].items() if "permissions" in job}
    assert tokens == ({"publish"} if path.stem == "release" else set()), "only the job that publishes asks for a token"
    commands = [step["run"] for job in found["jobs"].values() for step in job["steps"] if "run" in step]
    for command in commands:
        for name in re.findall(r"(?:bash |-r | )((?:\.ci|envs|tests|src)/\S+)", command):
            assert (ROOT / name).exists(), f"{path.name}: {command}"


SOURCES = sorted((ROOT / "src/ironbark").rglob("*.py"))
SCRIPTS = sorted((ROOT / "workflow/scripts").glob("*.py"))

#: Files -> most lines of one.
LONGEST = {"src/ironbark/**/*.py": 300, "workflow/rules/*.smk": 120, "Snakefile": 60, "workflow/scripts/*.py": 50}

TRACKED = ["README.md", "Snakefile", "pyproject.toml", "src", "workflow", "config", "tests", "docs", "envs", "slurm"]
SUFFIXES = {".py", ".smk", ".yaml", ".toml", ".md", ".rst", ".in", ".lock", ".cff", ""}


@pytest.mark.parametrize(("pattern", "most"), LONGEST.items())
def test_length_of_files(pattern, most):
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in ROOT.glob(pattern)}
    assert lengths and not {name for name, lines in lengths.items() if lines > most}, "split it: one noun a file"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_contain_no_logic(path):
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    assert not [node for node in nodes if isinstance(node, (ast.FunctionDef, ast.For, ast.If))]


def test_no_machine_path():
    for place in TRACKED:
        for path in [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"):
            if path.is_file() and path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                text = path.read_text(encoding="utf-8")
                for part in ("/wo" + "rk/", "/tm" + "p/", "/ho" + "me/"):
                    assert part not in text, f"{path.relative_to(ROOT)} names the folder {part}"


def test_all_columns_of_the_rows_are_documented():
    text = (ROOT / "results/README.md").read_text("utf-8").partition("## Columns of rows.parquet")[2]
    lines = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = [name for line in lines for name in re.findall(r"`(\w+)`", line)]
    assert sorted(named) == sorted(COLUMNS)


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

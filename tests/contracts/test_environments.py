"""The dependencies: what is declared, pinned and imported agree, and no file names a host."""

import ast
import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.plan.config import packages

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OUTSIDE_JOBS = {"snakemake-executor-plugin-slurm", "xgboost"}  # the scheduler's part; xgboost-cpu's name on macOS
CONDA_NAMES = {"snakemake-minimal": "snakemake", "py-xgboost-cpu": "xgboost-cpu"}
RUN = ("labels", "pipeline", "gbdt", "openml")  # extras that the README's commands install
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)

#: Import -> distribution, where the two differ.
DISTRIBUTIONS = {
    "arff": "liac-arff",
    "imblearn": "imbalanced-learn",
    "interpret": "interpret-core",
    "sklearn": "scikit-learn",
    "vl_convert": "vl-convert-python",
    "yaml": "pyyaml",
}


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(file):
    return {canonical(name): version for name, version in PIN.findall((ROOT / "envs" / file).read_text("utf-8"))}


def names(requirements):
    """Distributions of requirements, without the project itself, which its extras name to include others."""
    return {canonical(re.match(r"[A-Za-z0-9._-]+", line).group()) for line in requirements} - {PROJECT["name"]}


def conda():
    entries = yaml.safe_load((ROOT / "envs/ironbark.yaml").read_text("utf-8"))["dependencies"]
    entries = [entry for entry in entries if entry != "pip"]
    by_pip = [line for entry in entries if isinstance(entry, dict) for line in entry["pip"]]
    lines = [entry for entry in entries if isinstance(entry, str)] + by_pip
    found = dict(re.match(r"([^ ]+) =+(.+)", line).groups() for line in lines)
    return {CONDA_NAMES.get(name, name): version for name, version in found.items()}


@pytest.mark.parametrize("name", ["run", "test", "images", "arena", "docs"])
def test_a_lock_holds_what_its_input_asks_for_with_hashes(name):
    asked, locked = pins(f"{name}.in"), pins(f"{name}.lock")
    assert len(locked) > 40 and asked.items() <= locked.items()
    assert name == "run" or (ROOT / f"envs/{name}.in").read_text("utf-8").startswith("-r run.in\n")
    assert pins("run.lock").items() <= locked.items()
    blocks = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / f"envs/{name}.lock").read_text("utf-8").strip())
    assert not [block for block in blocks if PIN.match(block) and "--hash=sha256:" not in block]


def test_conda_environment_agrees_with_the_lock():
    found = conda()
    assert found.pop("python") == "3.11"
    assert found.items() <= pins("run.lock").items()
    missing = set(pins("run.in")) - set(found) - OUTSIDE_JOBS
    assert not missing, "what envs/run.in pins is pinned in envs/ironbark.yaml, too"


def test_locks_cover_the_declared_dependencies():
    extras = PROJECT["optional-dependencies"]
    declared = names([*PROJECT["dependencies"], *sum((extras[name] for name in RUN), [])])
    assert declared <= set(pins("run.lock"))
    assert names(extras["test"]) <= set(pins("test.lock"))
    for name in ("images", "arena", "docs"):
        assert names(extras[name]) <= set(pins(f"{name}.lock"))


def test_the_locks_that_errors_name_hold_the_packages():
    for name, lock in packages.LOCKS.items():
        assert DISTRIBUTIONS.get(name, name) in pins(Path(lock).name) and (ROOT / lock).is_file()


def test_pins_satisfy_the_declared_bounds():
    locked = {**pins("test.lock"), **pins("images.lock"), **pins("arena.lock"), **pins("docs.lock")}
    for line in sum(PROJECT["optional-dependencies"].values(), PROJECT["dependencies"]):
        if line.startswith(PROJECT["name"]):
            continue
        name, low = re.match(r"([A-Za-z0-9._-]+)>=([0-9.]+)", line).groups()
        found = locked[canonical(name)]
        assert _numbers(found) >= _numbers(low), f"{name} is pinned to {found}, but {line} is declared"


def test_the_oldest_versions_are_the_lower_bounds():
    script = runpy.run_path(str(ROOT / ".ci/oldest.py"))
    assert (ROOT / "envs/oldest.txt").read_text("utf-8") == script["oldest"](PROJECT)
    assert [f"{name}>={version}" for name, version in pins("oldest.txt").items()] == PROJECT["dependencies"]
    assert (ROOT / "envs/extras-oldest.txt").read_text("utf-8") == script["oldest_extras"](PROJECT)
    extras = set(sum((PROJECT["optional-dependencies"][name] for name in RUN), []))
    found = {f"{name}>={version}" for name, version in pins("extras-oldest.txt").items()}
    assert extras - found == {f"{PROJECT['name']}[labels]"} and found <= extras


def _numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def test_no_host_is_named():
    host = re.compile(r"https?://|--index-url|--extra-index|--find-links|--trusted-host|@ file")
    assert not [path.name for path in (ROOT / "envs").iterdir() if host.search(path.read_text("utf-8"))]


PIPELINE = ("pipeline", "cli")  # folders of ironbark that need extras


def imported(folders=lambda name: True):
    """Top-level package -> files of ours that import it, in those folders of the package."""
    found, base = {}, ROOT / "src/ironbark"
    for path in (path for path in base.rglob("*.py") if folders(path.relative_to(base).parts[0])):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "import_module":
                modules = [a.value for a in node.args if isinstance(a, ast.Constant)]
            for module in modules:
                if isinstance(module, str):
                    found.setdefault(module.split(".")[0], set()).add(path.name)
    return {name: files for name, files in found.items() if name not in sys.stdlib_module_names | {"ironbark"}}


def test_what_the_sources_import_is_declared():
    declared = names(PROJECT["dependencies"]).union(*map(names, PROJECT["optional-dependencies"].values()))
    found = {DISTRIBUTIONS.get(name, name): files for name, files in imported().items()}
    assert {"numpy", "numba", "scikit-learn", "openml"} <= set(found)
    missing = {name: files for name, files in found.items() if canonical(name) not in declared}
    assert not missing


def test_what_the_library_needs_is_what_it_uses():
    used = {canonical(DISTRIBUTIONS.get(name, name)) for name in imported(lambda name: name not in PIPELINE)}
    optional = {"pandas"} | names(PROJECT["optional-dependencies"]["gbdt"])  # late, with one sentence if absent
    assert names(PROJECT["dependencies"]) == used - optional

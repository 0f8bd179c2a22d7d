"""The workflows of the continuous integration run what exists here."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / ".github/workflows").glob("*.yaml"))


def workflow(name):
    return yaml.safe_load((ROOT / f".github/workflows/{name}.yaml").read_text("utf-8"))


def commands(jobs):
    return [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_workflow_has_limits_and_runs_what_exists(path):
    found = yaml.safe_load(path.read_text("utf-8"))
    assert found["permissions"] == {"contents": "read"}
    assert all(job["timeout-minutes"] <= 120 for job in found["jobs"].values())
    for command in commands(found["jobs"]):
        for name in re.findall(r"(?:bash |-r | )((?:\.ci|envs|tests|src)/\S+)", command):
            assert (ROOT / name).exists(), f"{path.name}: {command}"


def test_the_wheel_is_tested_on_every_python():
    matrix = workflow("ci")["jobs"]["wheel"]["strategy"]["matrix"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f">={matrix['python'][0]}" == project["requires-python"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos"}


def test_the_cluster_has_the_packages_of_the_guide():
    text = " ".join((ROOT / "docs/cluster.md").read_text("utf-8").split())
    packages = re.search(r"Debian's packages `([a-z -]+)`", text)[1].split()
    assert set(packages) <= set(" ".join(commands(workflow("nightly")["jobs"])).split())


def test_only_the_job_that_publishes_may_ask_for_a_token():
    jobs = workflow("release")["jobs"]
    assert {name for name, job in jobs.items() if "permissions" in job} == {"publish"}
    assert jobs["publish"]["needs"] == "build" and "bash .ci/wheel dist" in commands(jobs)

"""The workflows of the continuous integration run what exists here."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / ".github/workflows").glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
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

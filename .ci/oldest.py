"""Write envs/oldest.txt, the lowest versions of the library's dependencies that pyproject.toml allows."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = "# The lowest versions that pyproject.toml allows, for Python 3.11; made by `python .ci/oldest.py`.\n"


def oldest(project):
    """Pins of the lower bounds of the dependencies of a project, one per line."""
    bounds = [re.fullmatch(r"([A-Za-z0-9._-]+)>=([0-9.]+)", line).groups() for line in project["dependencies"]]
    return HEAD + "".join(f"{name}=={version}\n" for name, version in bounds)


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (ROOT / "envs/oldest.txt").write_text(oldest(project), encoding="utf-8")

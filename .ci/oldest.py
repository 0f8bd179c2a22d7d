"""Write the lowest versions that pyproject.toml allows: envs/oldest.txt, and of extras envs/extras-oldest.txt.

They are two files since the executor of `pipeline` needs a later numpy than the library.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = "# The lowest versions that pyproject.toml allows, for Python 3.11; made by `python .ci/oldest.py`.\n"
EXTRAS = ("labels", "pipeline", "openml", "gbdt")  # the others are for single methods and for developers


def pins(lines):
    """Pins of the lower bounds of requirements, one per line."""
    bounds = [re.fullmatch(r"([A-Za-z0-9._-]+)>=([0-9.]+)", line).groups() for line in lines]
    return HEAD + "".join(f"{name}=={version}\n" for name, version in bounds)


def oldest(project):
    """Pins of the dependencies of a project."""
    return pins(project["dependencies"])


def oldest_extras(project):
    """Pins of its `EXTRAS`, without what they take of each other."""
    lines = [line for name in EXTRAS for line in project["optional-dependencies"][name]]
    return pins(line for line in lines if not line.startswith(f"{project['name']}["))


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for name, write in (("oldest", oldest), ("extras-oldest", oldest_extras)):
        (ROOT / f"envs/{name}.txt").write_text(write(project), encoding="utf-8")

"""Fits of committed packs, made again."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ironbark.pipeline.results import packs

ROOT = Path(__file__).parents[2]
PARTS = ("LICENSE", "Snakefile", "config", "data", "envs", "profiles", "pyproject.toml", "src", "workflow")
UNUSED = shutil.ignore_patterns("__pycache__", "prepared", "raw")
#: The pack with fits of most families, and a part of its study that small tables are enough for.
STUDY, SCALE = "arena", "lite"
PART = ("datasets=[heart]", "noises=[uniform-0.2]")


def make_again(mirror):
    """Import a pack into an empty store, which makes a random sample again; raise unless all bits agree."""
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, Path(folder, part), ignore=UNUSED)
            else:
                shutil.copy(ROOT / part, folder)
        _imported(Path(folder), mirror)


def _imported(folder, mirror):
    pack = ROOT / f"data/packs/{STUDY}-{SCALE}.pack"
    with packs.Pack(pack) as opened:
        target = f"results/{STUDY}/{SCALE}/packs/{opened.digest}.json"
    settings = [f"packs={pack}", f"mirror={Path(mirror).absolute()}", f"scale={SCALE}", *PART]
    command = [sys.executable, "-m", "snakemake", "--cores", "2", target, "--config", *settings]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    subprocess.run(command, cwd=folder, env=environment, check=True)
    print((folder / target).read_text(encoding="utf-8"))

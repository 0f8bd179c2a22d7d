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
#: Family -> study and scale of a pack that has fits of it on few tables; the others are in that of the arena.
SMALL = {"trees": ("ane-lambda", "full"), "minimax": ("rmb-vertex", "full")}
ARENA = ("arena", "lite")


def make_again(mirror, families):
    """Import packs with fits of these families into an empty store, which makes a random sample of each again.

    Raises
    ------
    CalledProcessError
        If a bit differs, or tables are not those of the catalogue.
    """
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, Path(folder, part), ignore=UNUSED)
            else:
                shutil.copy(ROOT / part, folder)
        for study, scale in sorted({SMALL.get(family, ARENA) for family in families}):
            _imported(Path(folder), mirror, study, scale)


def _imported(folder, mirror, study, scale):
    pack = ROOT / f"data/packs/{study}-{scale}.pack"
    with packs.Pack(pack) as opened:
        target = f"results/{study}/{scale}/packs/{opened.digest}.json"
    settings = [f"packs={pack}", f"mirror={Path(mirror).absolute()}", f"scale={scale}"]
    command = [sys.executable, "-m", "snakemake", "--cores", "2", target, "--config", *settings]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    subprocess.run(command, cwd=folder, env=environment, check=True)
    print((folder / target).read_text(encoding="utf-8"))

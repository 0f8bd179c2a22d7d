"""Where results come from: versions, seeds, data hashes, commit, machine, date."""

import datetime
import importlib.metadata
import json
import os
import platform
import re
import subprocess
from pathlib import Path

from ironbark import __version__
from ironbark.files import sha256

PACKAGES = "numpy scipy pandas pyarrow scikit-learn numba matplotlib highspy xgboost lightgbm optuna torch torchvision"
PACKAGES = (*PACKAGES.split(), "xgboost-cpu", "snakemake", "altair", "itables", "vl-convert-python")
FACTS = ("digest", "n", "d", "k", "source")  # of a data set
SEEDS = (
    "Every stream of random numbers is numpy's SeedSequence of a hash (blake2) of ids: data set, task, protocol, "
    "repeat, fold, noise and role. The same ids give the same numbers on every machine; no other seed is set."
)


def sheet(studies, metas: dict, source: Path) -> dict:
    """Everything that is needed to make the same results again."""
    versions = {one.name: one.version for one in importlib.metadata.distributions()}
    return {
        "written": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "ironbark": __version__,
        "git": git(source),
        "machine": machine(),
        "python": platform.python_version(),
        "packages": {name: versions[name] for name in PACKAGES if name in versions},
        "seeds": SEEDS,
        "studies": [_study(about, rows) for about, rows in studies],
        "datasets": {name: {key: meta[key] for key in FACTS} for name, meta in sorted(metas.items()) if meta},
    }


def git(folder):
    """Commit of a checkout and whether files differ from it or are new; None for what is no checkout."""
    options = {"cwd": folder, "capture_output": True, "text": True, "timeout": 20}
    try:
        commit, changes = (
            subprocess.run(["git", *command.split()], check=True, **options).stdout.strip()
            for command in ("rev-parse HEAD", "status --porcelain --untracked-files=normal")
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return {"commit": commit, "changed": bool(changes)}


def machine():
    """System, processor, cores and memory; no name of host or user."""
    path, memory = Path("/proc/cpuinfo"), os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    found = re.search(r"^model name\s*: (.+)$", path.read_text(encoding="utf-8") if path.exists() else "", re.MULTILINE)
    processor = found[1] if found else platform.processor() or platform.machine()
    about = {"system": platform.platform(), "processor": processor, "cores": os.cpu_count()}
    return about | {"memory_gb": round(memory / 1e9, 1)}


def _study(about, rows):
    frame = rows.frame
    versions = sorted(filter(None, frame["versions"].astype("str").unique()))
    newest = rows.path and rows.path.stat().st_mtime
    return {
        "study": about["id"],
        "scale": about["scale"],
        "rows": len(frame),
        "files": {rows.path.name: sha256(rows.path)} if rows.path else {},
        "finished": newest and datetime.datetime.fromtimestamp(newest, datetime.UTC).isoformat(timespec="seconds"),
        "versions_of_fits": list(map(json.loads, versions)),
        "seeds": frame["seed"].nunique(),
    }

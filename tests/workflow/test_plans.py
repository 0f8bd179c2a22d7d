"""What Snakemake plans: every study, the linter, the cluster profile."""

import importlib.util
from pathlib import Path

import pytest
import yaml

from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.plan.config import packages
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.specs import Plan

ROOT = Path(__file__).parents[2]
STUDIES = sorted(path.stem for path in (ROOT / "config/studies").glob("*.yaml"))


def test_every_study_plans(checkout):
    """All at once, since most of a dry run's time goes into reading rules; parts that studies share count once.

    The smallest scale has all rules; `tests/contracts/test_config.py` plans the studies at every scale without them.
    """
    settings = yaml.safe_load((checkout / "config/config.yaml").read_text("utf-8")) | {"scale": "smoke"}
    plan = Plan(read(checkout / "config", checkout / "workflow/schemas", settings), shares_packages=False)
    studies = [name for name in STUDIES if not _needs_pytorch(plan.config, name)]
    assert len(studies) >= len(STUDIES) - 2
    counts = checkout.planned(*studies, "--config", "scale=smoke")
    assert {name: counts[name] for name in studies} == dict.fromkeys(studies, 1)
    assert counts["report"] == counts["score"] == len(studies)
    assert counts["shard"] > len(studies) and counts["corrupt"] > 0
    for kind in ("table", "figure"):
        assert counts[f"{kind}s"] == sum(bool(plan.study(name, "smoke").shown(kind)) for name in studies)


def _needs_pytorch(config, study):
    """Whether a study has embeddings only, and their packages are missing, which it then says."""
    datasets = {name for grid in config["studies"][study]["grids"] for name in grid["datasets"]}
    missing = packages.missing(SOURCES["vgg11"].packages)
    return bool(missing) and {config["datasets"][name]["source"] for name in datasets} == {"vgg11"}


def test_lint(checkout):
    done = checkout.run("--lint")
    assert "Congratulations" in done.stdout + done.stderr


def test_cluster_profile(checkout):
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("snakemake-executor-plugin-slurm is not installed")
    done = checkout.run("-n", "tiny", "--profile", "slurm")
    assert checkout.counts(done) == checkout.planned("tiny")
    assert "mem_mb" in done.stdout and "runtime" in done.stdout

"""What Snakemake plans: every study, the linter, the cluster profile."""

import importlib.util
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
STUDIES = sorted(path.stem for path in (ROOT / "config/studies").glob("*.yaml"))


def test_every_study_plans(checkout):
    """All at once, since most of a dry run's time goes into reading rules; parts that studies share count once.

    The smallest scale has all rules; `tests/contracts/test_config.py` plans the studies at every scale without them.
    """
    counts = checkout.planned(*STUDIES, "--config", "scale=smoke")
    studies = {name: entry_of(checkout, name) for name in STUDIES}
    assert {name: counts[name] for name in STUDIES} == dict.fromkeys(STUDIES, 1)
    assert counts["report"] == counts["score"] == len(studies)
    assert counts["shard"] > len(studies) and counts["corrupt"] > 0
    absent = absent_here(checkout)
    for kind in ("table", "figure"):
        specs = [spec for entry in studies.values() for spec in entry.get(f"{kind}s", {}).values()]
        sure = sum(not shown or not shown <= absent for shown in map(datasets_of, specs))
        assert sure <= counts.get(kind, 0) <= len(specs)


def datasets_of(spec):
    return {*spec.get("datasets", ()), *([spec["dataset"]] if "dataset" in spec else ())}


def absent_here(checkout):
    """Data sets that need PyTorch or files of the user's own."""
    texts = [path.read_text("utf-8") for path in (checkout / "config/datasets").glob("*.yaml")]
    entries = {name: entry for text in texts for name, entry in (yaml.safe_load(text) or {}).items()}
    return {name for name, entry in entries.items() if entry["source"] in ("unsw-nb15", "vgg11")}


def entry_of(checkout, study):
    return yaml.safe_load((checkout / f"config/studies/{study}.yaml").read_text("utf-8"))


def test_quickstart_is_the_default(checkout):
    counts = checkout.planned()
    assert counts.pop("all") == 1
    named = checkout.planned("quickstart")
    assert named.pop("quickstart") == 1
    assert counts == named


def test_scales_have_folders_of_their_own(checkout):
    files = checkout.run("--summary", "tiny", "--config", "scale=smoke").stdout
    assert "results/tiny/smoke/rows.parquet" in files
    assert "results/tiny/full" not in files


def test_lint(checkout):
    done = checkout.run("--lint")
    assert "Congratulations" in done.stdout + done.stderr


def test_cluster_profile(checkout):
    if importlib.util.find_spec("snakemake_executor_plugin_slurm") is None:
        pytest.skip("snakemake-executor-plugin-slurm is not installed")
    done = checkout.run("-n", "tiny", "--profile", "slurm")
    assert checkout.counts(done) == checkout.planned("tiny")
    assert "mem_mb" in done.stdout and "runtime" in done.stdout

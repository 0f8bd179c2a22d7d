"""What Snakemake plans: every study, the linter, the cluster profile."""

import importlib.util
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
STUDIES = sorted(path.stem for path in (ROOT / "config/studies").glob("*.yaml"))


@pytest.mark.parametrize("study", STUDIES)
def test_every_study_plans(checkout, study):
    counts = checkout.planned(study)
    entries = [entry_of(checkout, study)]
    entries += [entry_of(checkout, part) for part in entries[0].get("parts", ())]
    assert counts[study] == 1 and counts["report"] == counts["collect"] == len(entries)
    assert counts["shard"] > 0 and counts["corrupt"] > 0
    for kind in ("table", "figure"):  # without the figures of data sets that need PyTorch
        most = sum(len(entry.get(f"{kind}s", {})) for entry in entries)
        sure = sum(
            spec.get("dataset") not in entry.get("if_absent", {})
            for entry in entries
            for spec in entry.get(f"{kind}s", {}).values()
        )
        assert sure <= counts.get(kind, 0) <= most


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

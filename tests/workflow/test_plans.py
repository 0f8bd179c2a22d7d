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
    assert counts[study] == counts["report"] == counts["collect"] == 1
    assert counts["shard"] > 0 and counts["corrupt"] > 0 and counts["table"] > 0
    entry = yaml.safe_load((checkout / f"config/studies/{study}.yaml").read_text("utf-8"))
    for kind in ("table", "figure"):  # without the figures of data sets that need PyTorch
        most = entry.get(f"{kind}s", {})
        sure = [name for name, spec in most.items() if spec.get("dataset") not in entry.get("if_absent", {})]
        assert len(sure) <= counts.get(kind, 0) <= len(most)


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

"""A cluster, and a checkout whose study is run on it; `pytest -m slurm tests/slurm` runs what needs them."""

import shutil

import pandas as pd
import pytest
from checkouts import FEW_ROWS as ROWS
from checkouts import ROOT, SAME, Checkout, Running, copy_of, with_few
from cluster import Cluster, missing

from ironbark.pipeline.results import parquet

PROFILE = ("--profile", "slurm", "--slurm-init-seconds-before-status-checks", "1")
PROFILE += ("--seconds-between-status-checks", "1", "--latency-wait", "10")


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A running cluster, or a skip that says why there is none."""
    if missing():
        pytest.skip(missing())
    found = Cluster(tmp_path_factory.mktemp("slurm") / "cluster")
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """A checkout in which the study has run on this machine."""
    found = with_few(copy_of(ROOT, tmp_path_factory.mktemp("undisturbed") / "checkout"))
    found.run(ROWS)
    return found


@pytest.fixture
def run(cluster, undisturbed, tmp_path):
    """The same with the fits still to be run, on a cluster without jobs."""
    shutil.copytree(undisturbed.folder, tmp_path / "checkout", symlinks=True)
    for name in ("results/store", "results/few/full/fits"):
        shutil.rmtree(tmp_path / "checkout" / name)
    (tmp_path / "checkout" / ROWS).unlink()
    found = Running(Checkout(tmp_path / "checkout"), ROWS, *PROFILE, PATH=cluster.path)
    yield found
    found.kill()
    cluster.ask("scancel", "--user=root")


@pytest.fixture
def same(run, undisturbed):
    """Function that waits for the end of a run and holds its rows against those of the undisturbed one."""

    def check():
        assert run.wait() == 0, run.said()
        rows, expected = (parquet.read(checkout / ROWS)[SAME] for checkout in (run.checkout, undisturbed))
        pd.testing.assert_frame_equal(rows, expected, check_exact=True)
        assert run.checkout.fits() == 16, "a fit was run twice, or not at all"

    return check

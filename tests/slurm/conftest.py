"""A cluster, and a checkout whose study is run on it; `pytest -m slurm tests/slurm` runs what needs them."""

import os
import shutil
import signal
import subprocess
import time

import pandas as pd
import psutil
import pytest
from checkouts import FEW_ROWS as ROWS
from checkouts import ROOT, SAME, Checkout, copy_of, heeding_ctrl_c, with_few
from cluster import Cluster, missing

from ironbark.pipeline.results import records

PROFILE = ("--profile", "slurm", "--slurm-init-seconds-before-status-checks", "1")
PROFILE += ("--seconds-between-status-checks", "1", "--latency-wait", "10")


class Run:
    """A checkout on a cluster."""

    def __init__(self, checkout, cluster):
        self.checkout, self.cluster, self.log = checkout, cluster, checkout / "run.log"
        self.process = None

    def tell(self, **values):
        """How many ``seconds`` and ``megabytes`` a fit takes."""
        for name, value in values.items():
            (self.checkout / name).write_text(str(value), encoding="utf-8")

    def start(self, *arguments):
        """Start Snakemake on the cluster, in a group of its own as a terminal would."""
        command, environment = self.checkout.command(ROWS, *PROFILE, *arguments)
        command.remove("--cores")
        command.remove("2")
        with open(self.log, "ab") as stream:
            self.process = subprocess.Popen(
                heeding_ctrl_c(command),
                cwd=self.checkout.folder,
                env=environment | {"PATH": self.cluster.path},
                stdout=stream,
                stderr=stream,
                start_new_session=True,
            )

    def wait(self, seconds=1500):
        """Exit code of Snakemake."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"not over after {seconds} s: {self.said()[-3000:]}") from None

    def until(self, condition, seconds=900):
        """Wait until something is so while Snakemake runs."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.said()[-3000:]
            assert time.monotonic() < deadline, self.said()[-3000:]
            time.sleep(0.2)

    def until_fits(self, number):
        """Wait until so many fits are in the store."""
        self.until(lambda: self.fits() >= number)

    def fits(self):
        """Number of fits that have been run: lines of the store."""
        stores = (self.checkout / "results/store").rglob("*.jsonl")
        return sum(path.read_bytes().count(b"\n") for path in stores)

    def interrupt(self):
        """SIGINT, as Ctrl-C sends it to Snakemake and all that it has started here."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill(self):
        """SIGKILL to Snakemake and all that it has started here; its jobs on the cluster live on."""
        for one in [*psutil.Process(self.process.pid).children(recursive=True), psutil.Process(self.process.pid)]:
            one.kill()
        self.process.wait()

    def said(self):
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def rows(self):
        return records.read(self.checkout / ROWS)[SAME]


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
    found = Run(Checkout(tmp_path / "checkout"), cluster)
    yield found
    if found.process and found.process.poll() is None:
        found.kill()
    cluster.ask("scancel", "--user=root")


@pytest.fixture
def same(run, undisturbed):
    """Function that holds the rows of a run against those of the undisturbed one."""

    def check(fits=16):
        pd.testing.assert_frame_equal(run.rows(), records.read(undisturbed / ROWS)[SAME], check_exact=True)
        assert run.fits() == fits, "a fit was run twice, or not at all"

    return check

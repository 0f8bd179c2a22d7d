"""What clusters do to jobs: the run goes on, or is taken up again, and its rows are those of an undisturbed run.

Not part of the ordinary tests: `pytest -m slurm tests/slurm`, as root and with Debian's packages of Slurm.
"""

import time

import pytest

pytestmark = pytest.mark.slurm


def test_the_same_rows_as_on_this_machine(run, same):
    run.start()
    assert run.wait() == 0, run.said()
    same()
    logs = run.checkout / "results/logs"
    assert list((logs / "shard/few/full/multiclass").glob("*.log"))
    assert not list((logs / "slurm").rglob("*.log")), "only jobs that failed leave a log of Slurm behind"


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_cancels_the_jobs_and_the_next_run_goes_on(run, same, cluster, times):
    run.tell(seconds=2)
    run.start()
    run.until_fits(2)
    for _ in range(times):
        run.interrupt()
        time.sleep(0.5)
    assert run.wait(200) != 0
    _wait_until(lambda: cluster.jobs("running", "pending", "completing") == [])
    done = run.fits()
    assert 2 <= done < 16
    run.tell(seconds=0)
    run.start()  # no --unlock is needed
    assert run.wait() == 0, run.said()
    same()


def test_scancel(run, same, cluster):
    run.tell(seconds=1)
    run.start()
    run.until_fits(2)
    cluster.ask("scancel", str(cluster.jobs("running")[0]))
    run.tell(seconds=0)
    assert run.wait() == 0, run.said()
    assert "CANCELLED" in run.said()
    same()


def test_a_killed_snakemake_whose_jobs_live_on(run, same, cluster):
    run.tell(seconds=2)
    run.start()
    run.until_fits(2)
    run.kill()
    assert cluster.jobs("running")
    run.tell(seconds=0)
    _wait_until(lambda: cluster.jobs("running", "pending", "completing") == [])
    run.checkout.run("--unlock")
    run.start()
    assert run.wait() == 0, run.said()
    same()


def test_a_second_snakemake_in_the_same_folder_is_refused(run, same):
    run.tell(seconds=1)
    run.start()
    run.until_fits(1)
    second = run.checkout.run("few", check=False)
    assert second.returncode != 0 and "lock" in second.stderr.lower()
    run.tell(seconds=0)
    assert run.wait() == 0, run.said()
    same()


def test_a_killed_slurmctld(run, same, cluster):
    run.tell(seconds=2)
    run.start()
    run.until_fits(2)
    cluster.kill("slurmctld")
    time.sleep(5)
    cluster.start_controller()
    run.tell(seconds=0)
    assert run.wait() == 0, run.said()
    same()


def test_killed_slurmds(run, same, cluster):
    run.tell(seconds=2)
    run.start()
    run.until_fits(2)
    cluster.kill("slurmd")
    time.sleep(3)
    for node in ("ironbark1", "ironbark2"):
        cluster.start_node(node)
    run.tell(seconds=0)
    assert run.wait() == 0, run.said()
    same()


def test_a_drained_node(run, same, cluster):
    cluster.ask("scontrol", "update", "nodename=ironbark1", "state=drain", "reason=test")
    try:
        run.start()
        assert run.wait() == 0, run.said()
    finally:
        cluster.ask("scontrol", "update", "nodename=ironbark1", "state=resume")
    same()


def test_over_its_memory(run, same, cluster):
    """A job asks for 1000 MB at first, then for 2000."""
    run.tell(megabytes=1200, seconds=3)
    run.start("--set-resources", "collect:mem_mb=1000", "--config", "fit_minutes=5")
    run.until(lambda: "Trying to restart job" in run.said())
    run.tell(seconds=0)
    assert run.wait() == 0, run.said()
    assert "exceeded memory limit" in _slurm_logs(run)
    assert set(run.rows()["status"]) == {"ok"}
    same()


def test_over_its_time(run, same, cluster):
    """A job of a minute that needs more loses no fit that it has finished."""
    run.tell(seconds=12)
    run.start("--set-resources", "shard:runtime=1")
    run.until(lambda: "Trying to restart job" in run.said())
    run.tell(seconds=0)
    assert run.wait() == 0, run.said()
    assert "TIMEOUT" in run.said() and "DUE TO TIME LIMIT" in _slurm_logs(run)
    same()


def _slurm_logs(run):
    return "".join(path.read_text("utf-8", "replace") for path in (run.checkout / "results/logs/slurm").rglob("*.log"))


def _wait_until(condition, seconds=200):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)

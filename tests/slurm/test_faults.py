"""What clusters do to jobs: the run goes on, or is taken up again, and its rows are those of an undisturbed run.

Not part of the ordinary tests: `pytest -m slurm tests/slurm`, as root with Debian's Slurm. Runs meet several faults.
"""

import time

import pytest

pytestmark = pytest.mark.slurm


def test_the_same_rows_as_on_this_machine(run, same):
    """Settings travel through sbatch and srun as they are: no shell reads them."""
    evil = '$(touch pwned); `touch pwned`" x'
    (run.checkout / evil).mkdir()
    run.start("--config", f"mirror={evil}")
    same()
    assert not list(run.checkout.folder.rglob("pwned"))
    logs = run.checkout / "results/logs"
    assert list((logs / "shard/few/full/iris/multiclass").glob("*.log"))
    assert not list((logs / "slurm").rglob("*.log")), "only jobs that failed leave a log of Slurm behind"


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_cancels_the_jobs_and_the_next_run_goes_on(run, same, cluster, times):
    run.tell(seconds=2)
    run.start()
    run.until_fits(2)
    for _ in range(times):
        run.interrupt()
        time.sleep(0.5)
    assert run.wait(600) != 0
    cluster.wait_for_no_jobs()
    done = run.checkout.fits()
    assert 2 <= done < 16
    run.tell(seconds=0)
    run.start()  # no --unlock is needed
    same()


def test_a_killed_snakemake_whose_jobs_live_on(run, same, cluster):
    """Meanwhile a second Snakemake in the folder is refused; then the lock of the dead one has to be removed."""
    run.tell(seconds=2)
    run.start()
    run.until_fits(2)
    second = run.checkout.run("few", check=False)
    assert second.returncode != 0 and "lock" in (second.stdout + second.stderr).lower()
    run.kill()
    assert cluster.jobs("running")
    run.tell(seconds=0)
    cluster.wait_for_no_jobs()
    run.checkout.run("--unlock")
    run.start()
    same()


def test_a_stormy_day(run, same, cluster):
    """A job is cancelled, a node drained, the controller killed, the daemons of both nodes killed: one run bears it."""
    run.tell(seconds=2)
    run.start()
    run.until_fits(2)
    cluster.ask("scancel", str(cluster.jobs("running")[0]))
    cluster.ask("scontrol", "update", "nodename=ironbark1", "state=drain", "reason=test")
    run.until(lambda: "CANCELLED" in run.said())
    cluster.kill("slurmctld")
    time.sleep(3)
    cluster.start_controller()
    cluster.kill("slurmd")
    time.sleep(3)
    for node in ("ironbark1", "ironbark2"):
        cluster.start_node(node)
    run.tell(seconds=0)
    try:
        same()
    finally:
        cluster.ask("scontrol", "update", "nodename=ironbark1", "state=resume")


def test_over_its_memory(run, same):
    """A job asks for 1000 MB, then for 2000."""
    run.tell(megabytes=1200, seconds=5)
    run.start()
    run.until(lambda: "Trying to restart job" in run.said())
    assert "exceeded memory limit" in _slurm_logs(run)
    run.tell(seconds=0)
    same()


def test_over_its_time(run, same):
    """A job of two minutes that needs four loses no fit that it has finished."""
    run.tell(seconds=30)
    run.start("--set-resources", "shard:runtime=2")
    run.until(lambda: "Trying to restart job" in run.said())
    assert "TIMEOUT" in run.said() and "DUE TO TIME LIMIT" in _slurm_logs(run)
    run.tell(seconds=0)
    same()


def _slurm_logs(run):
    return "".join(path.read_text("utf-8", "replace") for path in (run.checkout / "results/logs/slurm").rglob("*.log"))

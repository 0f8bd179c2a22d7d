# Slurm forgets a job that was sent just before its controller was killed, and any job a while after its end. The executor
# waits for such a job for ever; here it has failed after some minutes, and is sent again.
import subprocess
import sys
import time

FORGOTTEN = 300  # seconds; a controller that starts knows its jobs sooner


def known_jobs(run):
    """Ids of the jobs of a run that Slurm knows, or None if it does not answer."""
    command = ["squeue", "--noheader", "--states=all", "--format=%i", "--name", run]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return (
        {job.split("_")[0] for job in done.stdout.split()}
        if done.returncode == 0
        else None
    )


def watched(check, clock=time.monotonic):
    missed = {}  # id -> since when

    async def checked(executor, active_jobs):
        waiting = [job async for job in check(executor, active_jobs)]
        known = known_jobs(executor.run_uuid) if waiting else None
        for job in waiting:
            number = job.external_jobid.split("_")[0]
            if known is None or number in known:
                missed.pop(number, None)
                yield job
            elif clock() - missed.setdefault(number, clock()) < FORGOTTEN:
                yield job
            else:
                minutes = FORGOTTEN // 60
                executor.report_job_error(
                    job,
                    msg=f"Slurm has not known its job {number} for {minutes} minutes.",
                )

    return checked


slurm_plugin = sys.modules.get("snakemake_executor_plugin_slurm")
if hasattr(getattr(slurm_plugin, "Executor", None), "check_active_jobs"):
    slurm_plugin.Executor.check_active_jobs = watched(
        slurm_plugin.Executor.check_active_jobs
    )

"""Slurm: its commands on the machine that starts a run, and jobs that it has forgotten.

Forgotten jobs were sent just before its controller was killed, or ended a while ago. Snakemake's executor waits for
such a job for ever; here it has failed after some minutes, and is sent again.
"""

import shutil
import subprocess
import time

from ironbark.errors import InputError

COMMANDS = ("sbatch", "squeue")
FORGOTTEN = 300  # seconds; a controller that starts knows its jobs sooner


def check(executor: str):
    """Refuse to send jobs to Slurm where its commands are missing."""
    missing = [name for name in COMMANDS if executor == "slurm" and shutil.which(name) is None]
    if missing:
        raise InputError(
            f"jobs cannot be sent to Slurm, because {' and '.join(missing)} cannot be found here; start on a "
            "login node of the cluster (perhaps after `module load slurm`), or leave out `--profile slurm` to run here"
        )


def known_jobs(run):
    """Ids of the jobs of a run that Slurm lists, or None if it does not answer."""
    command = ["squeue", "--noheader", "--states=all", "--format=%i", "--name", run]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {job.split("_")[0] for job in done.stdout.split()} if done.returncode == 0 else None


def watched(check, clock=time.monotonic):
    """An executor's check of its active jobs, which reports the forgotten ones as failed."""
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
                executor.report_job_error(job, msg=f"Slurm has not known its job {number} for {minutes} minutes.")

    return checked

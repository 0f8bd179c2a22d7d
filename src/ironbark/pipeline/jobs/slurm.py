"""Slurm: its commands on the machine that starts a run, and jobs that would never start or end.

Forgotten jobs were sent just before its controller was killed, or ended a while ago; others ask for more than their
partition allows. Snakemake's executor waits for both for ever; here they count as failed, and are sent again.
"""

import shutil
import subprocess
import time

from ironbark.errors import InputError

COMMANDS = ("sbatch", "squeue")
FORGOTTEN = 300  # seconds; a controller that starts knows its jobs sooner
#: Reasons for which a job waits until it is cancelled.
HOPELESS = {"PartitionTimeLimit", "BadConstraints", "QOSMaxWallDurationPerJobLimit", "AssocMaxWallDurationPerJobLimit"}


def check(executor: str):
    """Refuse to send jobs to Slurm where its commands are missing."""
    missing = [name for name in COMMANDS if executor == "slurm" and shutil.which(name) is None]
    if missing:
        raise InputError(
            f"jobs cannot be sent to Slurm, because {' and '.join(missing)} cannot be found here; start on a "
            "login node of the cluster (perhaps after `module load slurm`), or leave out `--profile slurm` to run here"
        )


def known_jobs(run, clusters=()):
    """Ids of the jobs of a run that Slurm lists, with the reasons why they wait; None if it does not answer."""
    command = ["squeue", "--noheader", "--states=all", "--format=%i %r", "--name", run]
    command += ["--clusters", ",".join(sorted(clusters))] if clusters else []
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = [line.split() for line in done.stdout.splitlines() if line[:1].isdigit()]  # not the names of clusters
    return {job.split("_")[0]: " ".join(reason) for job, *reason in lines} if done.returncode == 0 else None


def _number(job):
    """Id of a job, without that of a task of an array."""
    return job.external_jobid.split("_")[0]


def watched(check, clock=time.monotonic):
    """An executor's check of its active jobs, which reports those that would never end as failed."""
    missed = {}  # id -> since when

    async def checked(executor, active_jobs):
        waiting = [job async for job in check(executor, active_jobs)]
        known = known_jobs(executor.run_uuid, executor._submitted_job_clusters) if waiting else None
        executor.cancel_jobs([job for job in waiting if (known or {}).get(_number(job)) in HOPELESS])
        for job in waiting:
            number, fault = _number(job), None
            if known is None or number in known:
                missed.pop(number, None)
                if (reason := (known or {}).get(number)) in HOPELESS:
                    fault = f"asks for more than Slurm allows ({reason}); lower its resources by --set-resources"
            elif clock() - missed.setdefault(number, clock()) >= FORGOTTEN:
                fault = f"has not been known for {FORGOTTEN // 60} minutes"
            if fault:
                executor.report_job_error(job, msg=f"Slurm's job {number} {fault}. ")
            else:
                yield job

    return checked

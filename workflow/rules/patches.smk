# Faults of Snakemake and of its Slurm plugin that no option avoids, corrected in the versions that have them.
import sys
from importlib.metadata import version
from threading import Timer

import snakemake.logging
from packaging.version import Version
from snakemake.scheduling.job_scheduler import JobScheduler

from ironbark.pipeline.jobs import slurm


# With --max-jobs-per-timespan, each pass of the scheduler starts a timer that starts the next pass, and each job that
# ends starts a further chain of them. Hundreds of jobs then keep a core busy; one chain is enough. The profile needs that
# option (https://github.com/snakemake/snakemake/pull/3067), and --scheduler-subsample makes passes shorter, but not fewer.
def wake_once(scheduler, delay):
    def wake():
        scheduler.ironbark_timer = None
        scheduler._open_jobs.release()

    if getattr(scheduler, "ironbark_timer", None) is None:
        scheduler.ironbark_timer = Timer(delay, wake)
        scheduler.ironbark_timer.daemon = True  # the last one is not waited for
        scheduler.ironbark_timer.start()


# Logs of a failed job are shown up to the first that is empty or missing: without those of Slurm, which come last.
def show_each(logs, show=getattr(snakemake.logging, "show_logs", None)):
    for log in logs:
        yield from show([log])


if Version("9") <= Version(version("snakemake")) < Version("10"):
    if hasattr(JobScheduler, "_schedule_reevalutation"):
        JobScheduler._schedule_reevalutation = wake_once
    if hasattr(snakemake.logging, "show_logs"):
        snakemake.logging.show_logs = show_each


# The plugin waits for ever for a job that Slurm does not know any more or will never start, and no option sets a limit. An
# empty answer of Slurm has the same effect in https://github.com/snakemake/snakemake-executor-plugin-slurm/issues/12.
slurm_plugin = sys.modules.get("snakemake_executor_plugin_slurm")

if slurm_plugin and Version("2") <= Version(
    version("snakemake-executor-plugin-slurm")
) < Version("3"):
    if hasattr(slurm_plugin.Executor, "check_active_jobs"):
        slurm_plugin.Executor.check_active_jobs = slurm.watched(
            slurm_plugin.Executor.check_active_jobs
        )

# Slurm forgets jobs, which the executor would wait for for ever.
import sys

from ironbark.pipeline.jobs import lost_slurm_jobs

slurm_plugin = sys.modules.get("snakemake_executor_plugin_slurm")
if hasattr(getattr(slurm_plugin, "Executor", None), "check_active_jobs"):
    slurm_plugin.Executor.check_active_jobs = lost_slurm_jobs.watched(
        slurm_plugin.Executor.check_active_jobs
    )

"""Requirements of a cluster run on the machine that starts it."""

import shutil

from ironbark.errors import InputError

COMMANDS = ("sbatch", "squeue")


def check(executor):
    """Refuse to send jobs to Slurm where its commands are missing.

    Parameters
    ----------
    executor : str
        Name of Snakemake's executor; only ``slurm`` is checked.
    """
    missing = [name for name in COMMANDS if executor == "slurm" and shutil.which(name) is None]
    if missing:
        raise InputError(
            f"jobs cannot be sent to Slurm, because {' and '.join(missing)} cannot be found here; start on a "
            "login node of the cluster (perhaps after `module load slurm`), or leave out `--profile slurm` to run here"
        )

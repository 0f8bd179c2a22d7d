"""`ironbark check`: a published number next to ours, computed by the pipeline of a checkout."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ironbark.errors import InputError

#: Options of Snakemake: a line for each job, and the log of one that fails.
SHOWN = ["--quiet", "progress", "host", "reason", "--show-failed-logs"]


def run(arguments) -> int:
    """Run the target `check` of the Snakefile in this folder."""
    if not all(Path(name).exists() for name in ("Snakefile", "config/studies", "data/published")):
        raise InputError(
            "`ironbark check` runs the pipeline; call it in the folder of a clone of ironbark's repository"
        )
    if find_spec("snakemake") is None:
        raise InputError("it needs snakemake, which is not installed; run `pip install 'ironbark-learn[pipeline]'`")
    settings = [f"cell={arguments.cell}"]
    if arguments.mirror:
        settings.append(f"mirror={arguments.mirror}")
    command = [sys.executable, "-m", "snakemake", "--cores", str(arguments.cores), *SHOWN]
    return subprocess.run([*command, "--config", *settings, "--", "check"], check=False).returncode

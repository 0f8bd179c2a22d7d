"""Runs of Snakemake in processes that are forked from one that has imported it: imports are most of a dry run."""

import atexit
import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import warm_jobs

ROOT = Path(__file__).parents[1]

#: What takes longest to import.
MODULES = ["pytest", "snakemake.cli", "snakemake.scheduling.milp", "snakemake_executor_plugin_slurm"]
MODULES += ["snakemake.report.html_reporter", "nbformat", "smart_open", "platformdirs"]
MODULES += ["jsonschema", "pandas", "pyarrow.parquet", "requests", "sklearn.model_selection"]

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(MODULES)  # modules that are not installed are left out


def run(arguments, folder, environment, timeout):
    """Do what ``python -m snakemake`` does, and return a `subprocess.CompletedProcess`."""
    with tempfile.TemporaryDirectory() as logs:
        streams = [Path(logs, name) for name in ("stdout", "stderr")]
        process = _CONTEXT.Process(
            target=_main, args=(arguments, str(folder), environment, streams, warm_jobs.server())
        )
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            raise subprocess.TimeoutExpired(["snakemake", *arguments], timeout)
        return subprocess.CompletedProcess(arguments, process.exitcode, *(path.read_text("utf-8") for path in streams))


def _main(arguments, folder, environment, streams, jobs):
    """In the new process: make it what the command line would have started."""
    for number, path in enumerate([os.devnull, *streams]):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    own = tuple(str(ROOT / part) for part in ("src", "tests"))
    sys.path[:] = [folder, *(place for place in sys.path if place != str(ROOT) and not place.startswith(own))]
    sys.argv[:] = ["snakemake", *arguments]
    for name in [name for name in sys.modules if name.partition(".")[0] == "ironbark"]:
        del sys.modules[name]  # each checkout has its own
    from snakemake.cli import main

    warm_jobs.use(*jobs)
    try:
        main()
    finally:
        atexit._run_exitfuncs()  # multiprocessing leaves them out

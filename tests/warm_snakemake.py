"""Runs of Snakemake, and scripts of its rules, in processes that are forked from one that has imported the libraries.

Imports are most of a dry run and of a small job. Each process has the folder, the variables and the streams that the
command line would give it. A job whose variables a library reads when it is imported is started in the usual way, as
are all jobs of `checkouts.Running` and of the command line (`test_published_cell.py`).
"""

import atexit
import functools
import gc
import multiprocessing.forkserver
import os
import re
import runpy
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).parents[1]

#: What takes longest to import.
MODULES = ["pytest", "snakemake.cli", "snakemake.scheduling.milp", "snakemake_executor_plugin_slurm"]
MODULES += ["snakemake.report.html_reporter", "nbformat", "smart_open", "platformdirs", "jsonschema", "requests"]
MODULES += ["pandas", "pyarrow.parquet", "numba", "joblib", "threadpoolctl", "yaml", "jinja2", "pygments"]
MODULES += ["sklearn.ensemble", "sklearn.model_selection", "sklearn.datasets", "scipy.stats", "scipy.optimize"]
MODULES += ["matplotlib.figure", "matplotlib.backends.backend_agg"]
MODULES += [__name__]  # a job has no folder `tests` among its places of modules

#: Variables that a library reads once; others are those of each job.
READ_ONCE = re.compile(r"(NPY|OPENBLAS|OMP|MKL|GOTO|VECLIB|NUMEXPR|NUMBA)_|PYTHON(?!PATH)|LD_|MPL|MALLOC_")
THREADS = ("OMP_NUM", "GOTO_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMEXPR_NUM", "VECLIB_MAXIMUM")

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(MODULES)  # modules that are not installed are left out


def run(arguments, folder, environment, timeout):
    """Do what ``python -m snakemake`` does, and return a `subprocess.CompletedProcess`."""
    known = started()
    with tempfile.TemporaryDirectory() as logs:
        streams = [Path(logs, name) for name in ("stdout", "stderr")]
        process = _CONTEXT.Process(target=_main, args=(arguments, str(folder), environment, streams, known))
        process.start()
        process.join(timeout)
        if process.is_alive():
            process.kill()
            raise subprocess.TimeoutExpired(["snakemake", *arguments], timeout)
        return subprocess.CompletedProcess(arguments, process.exitcode, *(path.read_text("utf-8") for path in streams))


@functools.cache
def started():
    """Start the process that has imported the libraries; returns the variables of a job that they have read."""
    from ironbark.pipeline.jobs import cpu_dispatch

    environment = variables(os.environ | cpu_dispatch.environment())
    with mock.patch.dict(os.environ, environment | {"PYTHONPATH": str(ROOT / "tests")}):
        multiprocessing.forkserver.ensure_running()
    return read_once(environment)


def variables(environment, threads=1):
    """Variables of a job, as Snakemake's `shell` sets them."""
    return {**environment, **dict.fromkeys([f"{name}_THREADS" for name in THREADS], str(threads))}


def read_once(environment):
    return {name: value for name, value in environment.items() if READ_ONCE.match(name)}


def _main(arguments, folder, environment, streams, known):
    """In the new process: make it what the command line would have started."""
    own = tuple(str(ROOT / part) for part in ("src", "tests"))
    places = [place for place in sys.path if place and place != str(ROOT) and not place.startswith(own)]
    as_started(folder, environment, streams, [folder, *places], ["snakemake", *arguments])
    from snakemake.cli import main

    use(streams, places, known)
    try:
        main()
    finally:
        atexit._run_exitfuncs()  # multiprocessing leaves them out


def as_started(folder, environment, streams, places, arguments):
    """Give this process what a command has: folder, variables, streams, places of modules and arguments."""
    gc.freeze()  # the garbage collector would look at all of it, and so copy the memory
    for number, path in enumerate([os.devnull, *streams]):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:] = places
    sys.argv[:] = arguments
    tempfile.tempdir = None  # is found anew
    for name in [name for name in sys.modules if name.partition(".")[0] == "ironbark"]:
        del sys.modules[name]  # each checkout has its own


def use(streams, places, known):
    """Let the Snakemake of this process run its scripts in processes that are forked as it was."""
    from snakemake.benchmark import benchmarked
    from snakemake.script import PythonScript

    start = PythonScript.execute_script
    multiprocessing.forkserver._forkserver.ensure_running = int  # it runs; Python 3.11 would start another one

    def execute_script(script, name, edit=False):
        environment = variables(os.environ, script.threads)
        if script.conda_env or script.container_img or script.env_modules or read_once(environment) != known:
            return start(script, name, edit)
        temporary = script.resources.get("tmpdir")
        if temporary:
            environment |= dict.fromkeys(["TMPDIR", "TMP", "TEMPDIR", "TEMP"], temporary)
        ours, theirs = _CONTEXT.Pipe()
        job = _CONTEXT.Process(target=_job, args=(name, os.getcwd(), environment, streams, places, theirs))
        job.start()
        theirs.close()
        with ours, benchmarked(job.pid, script.bench_record):
            ours.send("watched")
            try:
                status = ours.recv()
            except EOFError:
                status = -9
        if status:
            raise subprocess.CalledProcessError(status, [sys.executable, name])

    PythonScript.execute_script = execute_script


def _job(script, folder, environment, streams, places, connection):
    """In a new process: run a script, and send the status that Python would end with."""
    connection.recv()  # Snakemake has looked the process up; before that it must not be gone
    first = [os.path.dirname(os.path.abspath(script)), *environment.get("PYTHONPATH", "").split(os.pathsep)]
    as_started(folder, environment, streams, [*filter(None, first), *places], [script])
    status = 0
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    connection.send(status)
    os._exit(status)  # to take all modules apart would copy their memory

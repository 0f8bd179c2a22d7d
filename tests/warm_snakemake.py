"""Runs of Snakemake, and scripts of its rules, in processes that are forked from one that has imported the libraries.

Imports are most of a dry run and of a small job. Each process has the folder, the variables and the streams that the
command line would give it. A job whose variables a library reads when it is imported is started in the usual way, as
are all jobs of `checkouts.Running` and of the command line (`test_published_cell.py`).
"""

import atexit
import contextlib
import functools
import gc
import json
import multiprocessing.forkserver
import os
import re
import runpy
import socket
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
    with mock.patch.dict(os.environ, environment):
        multiprocessing.forkserver.ensure_running()
    return read_once(environment)


def variables(environment, threads=1):
    """Variables of a job, as Snakemake's `shell` sets them."""
    return {**environment, **dict.fromkeys([f"{name}_THREADS" for name in THREADS], str(threads))}


def read_once(environment):
    return {name: value for name, value in environment.items() if READ_ONCE.match(name)}


def _main(arguments, folder, environment, streams, known):
    """In the new process: make it what the command line would have started."""
    for number, path in enumerate([os.devnull, *streams]):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND), number)
    own = tuple(str(ROOT / part) for part in ("src", "tests"))
    sys.path[:] = [place for place in sys.path if place and place != str(ROOT) and not place.startswith(own)]
    for name in [name for name in sys.modules if name.partition(".")[0] == "ironbark"]:
        del sys.modules[name]  # each checkout has its own
    jobs = forking()
    as_started(folder, environment, folder, ["snakemake", *arguments])
    from snakemake.cli import main

    use(jobs, known)
    try:
        main()
    finally:
        atexit._run_exitfuncs()  # multiprocessing leaves them out


def as_started(folder, environment, first, arguments):
    """Give this process the folder, the variables, the first place of modules and the arguments of a command."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path.insert(0, first)
    sys.argv[:] = arguments
    tempfile.tempdir = None  # is found anew


def use(jobs, known):
    """Let the Snakemake of this process run its scripts by a socket of `forking`."""
    from snakemake.benchmark import benchmarked
    from snakemake.script import PythonScript

    start = PythonScript.execute_script

    def execute_script(script, name, edit=False):
        environment = variables(os.environ, script.threads)
        if script.conda_env or script.container_img or script.env_modules or read_once(environment) != known:
            return start(script, name, edit)
        temporary = script.resources.get("tmpdir")
        if temporary:
            environment |= dict.fromkeys(["TMPDIR", "TMP", "TEMPDIR", "TEMP"], temporary)
        request = json.dumps({"script": name, "folder": os.getcwd(), "variables": environment})
        ours, theirs = socket.socketpair()
        with ours, theirs:
            socket.send_fds(jobs, [request.encode()], [theirs.fileno(), 1, 2])
            theirs.close()
            with ours.makefile() as answers, benchmarked(int(answers.readline()), script.bench_record):
                ours.sendall(b"watched")
                status = int(answers.readline() or -9)
        if status:
            raise subprocess.CalledProcessError(status, [sys.executable, name])

    PythonScript.execute_script = execute_script


def forking():
    """Socket of a process that forks for each message; made before Snakemake has threads, and ends with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        theirs.close()
        return ours
    ours.close()
    gc.freeze()  # the garbage collector of a job would look at all of it, and so copy the memory
    while True:
        message, files, *_ = socket.recv_fds(theirs, 2**20, 3)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not message:
            os._exit(0)
        if os.fork() == 0:
            theirs.close()
            _job(json.loads(message), *files)
        for file in files:
            os.close(file)


def _job(request, answers, *streams):
    """Fork once more: the job, and a process that waits for it and answers."""
    job = os.fork()
    if job:
        with socket.socket(fileno=answers) as connection:
            connection.sendall(f"{job}\n".encode())
            connection.recv(64)  # Snakemake has looked the process up; before that it must not be gone
            status = os.waitstatus_to_exitcode(os.waitpid(job, 0)[1])
            with contextlib.suppress(BrokenPipeError):
                connection.sendall(f"{status}\n".encode())
        os._exit(0)
    os.close(answers)
    for number, stream in enumerate([os.open(os.devnull, os.O_RDONLY), *streams]):
        os.dup2(stream, number)
        os.close(stream)
    script, places = request["script"], request["variables"].get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:0] = filter(None, places)
    as_started(request["folder"], request["variables"], os.path.dirname(os.path.abspath(script)), [script])
    status = ended(script)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # to take all modules apart would copy their memory


def ended(path):
    """Run a script; the status that Python would end with."""
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

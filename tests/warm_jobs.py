"""Scripts of Snakemake's rules in processes that are forked from one that has imported the libraries.

Imports are most of a small job. Each job has a process of its own, with the folder, the variables and the streams that
``python script.py`` would have. One whose variables a library reads when it is imported is started in the usual way,
as are all jobs of `checkouts.Running` and of the command line (`test_published_cell.py`).
"""

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import re
import runpy
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback

#: What takes longest to import; modules that are not installed are left out.
MODULES = ["pandas", "pyarrow.parquet", "numba", "joblib", "threadpoolctl", "yaml", "jinja2", "pygments"]
MODULES += ["sklearn.ensemble", "sklearn.model_selection", "sklearn.datasets", "scipy.stats", "scipy.optimize"]
MODULES += ["matplotlib.figure", "matplotlib.backends.backend_agg"]

#: Variables that a library reads once; others are those of each job.
READ_ONCE = re.compile(r"(NPY|OPENBLAS|OMP|MKL|GOTO|VECLIB|NUMEXPR|NUMBA)_|PYTHON(?!PATH)|LD_|MPL|MALLOC_")
THREADS = ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")


def variables(environment, threads=1):
    """Variables of a job, as Snakemake's `shell` sets them."""
    counts = dict.fromkeys([f"{name}_NUM_THREADS" for name in THREADS], str(threads))
    return {**environment, **counts, "VECLIB_MAXIMUM_THREADS": str(threads)}


def read_once(environment):
    return {name: value for name, value in environment.items() if READ_ONCE.match(name)}


@functools.cache
def server():
    """Address of this process's server, which ends with it, and its variables that libraries have read."""
    from ironbark.pipeline.jobs import cpu_dispatch

    folder = tempfile.mkdtemp()
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = variables(inherited | cpu_dispatch.environment())
    address = os.path.join(folder, "jobs")
    process = subprocess.Popen(
        [sys.executable, "-P", __file__, address], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    atexit.register(lambda: (process.stdin.close(), process.wait(), shutil.rmtree(folder, ignore_errors=True)))
    assert process.stdout.readline() == b"ready\n"
    return address, read_once(environment)


def use(address, known):
    """Let the Snakemake of this process run its scripts there."""
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
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(address)
            socket.send_fds(connection, [b"job"], [1, 2])
            request = {"script": name, "folder": os.getcwd(), "variables": environment}
            connection.sendall(json.dumps(request).encode() + b"\n")
            with connection.makefile() as answers, benchmarked(int(answers.readline()), script.bench_record):
                connection.sendall(b"watched\n")
                status = int(answers.readline() or -9)
        if status:
            raise subprocess.CalledProcessError(status, [sys.executable, name])

    PythonScript.execute_script = execute_script


def serve(address):
    """Fork twice for each connection: a process that waits for the job and answers, and the job, which returns."""
    for module in MODULES:
        with contextlib.suppress(ImportError):
            importlib.import_module(module)
    gc.freeze()  # the garbage collector of a job would look at all of it, and so copy the memory
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(address)
    listener.listen(64)
    print("ready", flush=True)
    while True:
        ready = select.select([listener, sys.stdin], [], [])[0]
        if sys.stdin in ready:  # closed: pytest has ended
            sys.exit()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        connection = listener.accept()[0]
        if os.fork() == 0:
            break
        connection.close()
    listener.close()
    streams = socket.recv_fds(connection, 3, 2)[1]
    with connection.makefile() as sent:
        request = json.loads(sent.readline())
    job = os.fork()
    if job == 0:
        connection.close()
        return request, streams
    connection.sendall(f"{job}\n".encode())
    connection.recv(64)  # Snakemake has looked the process up; before that it must not be gone
    status = os.waitstatus_to_exitcode(os.waitpid(job, 0)[1])
    connection.sendall(f"{status}\n".encode())
    os._exit(0)


def become(request, streams):
    """Give this process what the command line would have given it."""
    for number, stream in enumerate([os.open(os.devnull, os.O_RDONLY), *streams]):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["variables"])
    own = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [os.path.dirname(os.path.abspath(request["script"])), *filter(None, own), *sys.path]
    sys.argv[:] = [request["script"]]
    tempfile.tempdir = None  # is found anew


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


if __name__ == "__main__":
    become(*serve(sys.argv[1]))
    status = ended(sys.argv[0])
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(status)  # to take all modules apart would copy their memory

"""Processes that fit models and answer with CPU seconds; requests and answers are lines of JSON.

Each program has its own process, so that two copies of this library can be compared. `Worker` starts and asks one,
`Server` runs in it.
"""

import json
import os
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from peers import PROGRAMS

#: Set before a process imports anything.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TBB_NUM_THREADS")}


def environment(source):
    """Variables of a process on one thread that imports `ironbark` from the folder `source`; None for ours."""
    folder = Path(find_spec("ironbark").origin).parents[1] if source is None else Path(source).resolve()
    if not (folder / "ironbark").is_dir():
        raise SystemExit(f"{source} does not hold the package ironbark: name its src folder")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": path}


class Worker:
    """A program in its own process.

    Parameters
    ----------
    program : str
        One of `peers.PROGRAMS`.
    source : path, optional
        Folder that holds the package `ironbark`; by default the one that this process uses.
    """

    def __init__(self, program, source=None):
        self._process = subprocess.Popen(
            [sys.executable, __file__, program],
            env=environment(source),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.program = program
        self._answer()

    def ask(self, request, **arguments):
        """Answer to a request: the name of a method of `Server` and its arguments."""
        self._process.stdin.write(json.dumps([request, arguments]) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {self.program} has ended with code {self._process.wait()}, see above")
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


class Server:
    """What a worker does; each public method is a request."""

    def __init__(self, program):
        self.program = PROGRAMS[program]()
        self.data = self.prepared = self.fitted = None

    def open(self, folder):
        """Take the arrays of a case and prepare them."""
        self.data = {path.stem: np.load(path) for path in Path(folder).glob("*.npy")}
        self.fitted = None
        self.prepared = self.program.prepare(*self._training())
        return {}

    def _training(self):
        return self.data["X"], self.data["y"], self.data.get("weight")

    def _fit(self, model, raw):
        return self.program.fit(model, None if raw else self.prepared, *self._training())

    def compile(self, raw=False, **model):
        """Grow the first level, which loads or compiles all that the fits of `time` call."""
        self._fit(self.program.model(**{**model, "max_depth": 1}), raw)
        return {}

    def time(self, raw=False, least=0.0, **model):
        """CPU and wall seconds of a fit without compilation: the mean over so many that they take `least` CPU seconds.

        `raw` starts from the array.
        """
        spent = wall = 0.0
        fits = 0
        while not fits or spent < least:
            estimator = self.program.model(**model)
            cpu, clock, compiling = time.process_time(), time.perf_counter(), self.program.compiling()
            self.fitted = self._fit(estimator, raw)
            spent += time.process_time() - cpu - (self.program.compiling() - compiling)
            wall += time.perf_counter() - clock
            fits += 1
        return {"seconds": spent / fits, "wall": wall / fits}

    def quality(self):
        """Test accuracy and number of nodes of the model fitted last."""
        right = self.program.predict(self.fitted, self.data["X_test"]) == self.data["y_test"]
        return {"accuracy": float(np.mean(right)), "nodes": int(self.program.nodes(self.fitted))}


def serve(program):
    """Answer the requests of the standard input until it ends."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what libraries print is no answer
    server = Server(program)
    print(json.dumps({}), file=answers)
    for line in sys.stdin:
        request, arguments = json.loads(line)
        print(json.dumps(getattr(server, request)(**arguments)), file=answers)


if __name__ == "__main__":
    serve(sys.argv[1])

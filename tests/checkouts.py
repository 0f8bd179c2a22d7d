"""Copies of the checkout with a small study, and ways to run Snakemake in them."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

from ironbark.pipeline.results import records

ROOT = Path(__file__).parents[1]
PARTS = ["Snakefile", "LICENSE", "CITATION.cff", "config", "workflow", "profiles", "slurm", "envs", "src"]
PARTS += ["data/published"]
PLANNED = ".snakemake/ironbark"  # what the planner found out: tables that were tried, descriptions of classes

TINY = """
title: Tiny
protocol: {kind: fixed-split, repeats: 2}
grids:
  - {datasets: [breast-cancer], tasks: [binary], noises: [clean, uniform-0.2],
     methods: &methods [dt-gini, dt-misclassification, dt-entropy, sklearn-dt]}
  - {datasets: [iris], tasks: [multiclass], noises: [clean, uniform-0.2], methods: *methods}
tables:
  accuracy: {kind: accuracy, task: binary, caption: Accuracy.}
figures:
  curves: {kind: noise-curves, task: multiclass, caption: Curves.}
scales:
  smoke: {repeats: 1}
"""

#: A study whose fits do as they are told: a test decides how long they take.
FEW = """
title: Few
protocol: {kind: fixed-split, repeats: 4}
grids:
  - {datasets: [iris], tasks: [multiclass], noises: [clean, uniform-0.2], methods: [slow, greedy]}
tables:
  accuracy: {kind: accuracy, caption: Accuracy.}
"""

FEW_METHODS = """
slow: {label: Slow, estimator: own_methods.Odd, params: {max_depth: 3}}
greedy: {label: Greedy, estimator: own_methods.Odd, params: {max_depth: 2}}
"""

FEW_CODE = '''
"""A tree that takes as many seconds and megabytes as files beside the Snakefile say, so that faults can meet it."""

import time
from pathlib import Path

from sklearn.tree import DecisionTreeClassifier


class Odd(DecisionTreeClassifier):
    def fit(self, X, y):
        eaten = bytearray(int(told("megabytes") * 1e6))
        time.sleep(told("seconds"))
        eaten[:] = b""
        return super().fit(X, y)


def told(name):
    return float(Path(name).read_text()) if Path(name).exists() else 0.0
'''

FEW_ROWS = "results/few/full/rows.parquet"

#: Columns of result rows that the same fit repeats bit by bit.
SAME = [name for name in records.COLUMNS if name not in records.MEASURED]

#: Makes a command one that Ctrl-C stops: shells make what they put into the background deaf to it.
HEED_CTRL_C = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""


class Checkout:
    """A folder with everything that Snakemake needs."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __truediv__(self, name):
        return self.folder / name

    @property
    def environment(self):
        """Variables of the process without those of a caller's own checkout."""
        return {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "COLUMNS")}

    def run(self, *arguments, check=True, **environment):
        """Run Snakemake; the output is that of both streams."""
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
        places = {"cwd": self.folder, "env": self.environment | environment, "timeout": 600}
        done = subprocess.run(command, capture_output=True, text=True, check=False, **places)
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

    def refused(self, *arguments):
        """Output of a run that ends with an error of ours."""
        done = self.run(*arguments, check=False)
        text = done.stdout + done.stderr
        assert done.returncode != 0 and "Traceback" not in text, text
        return text

    def planned(self, *arguments):
        """Rule -> number of jobs that a dry run would start, without `total`."""
        return self.counts(self.run("-n", *arguments))

    @staticmethod
    def counts(done):
        """The same, of a dry run that is over."""
        text = done.stdout + done.stderr
        if "Nothing to be done" in text:
            return {}
        table = re.search(r"^job +count\n-+ +-+\n(.*?)^total +(\d+)$", text, re.MULTILINE | re.DOTALL)
        counts = {name: int(count) for name, count in re.findall(r"^(\S+) +(\d+)$", table[1], re.MULTILINE)}
        assert sum(counts.values()) == int(table[2])
        return counts

    def fits(self):
        """Number of fits that have been run: whole lines of the store."""
        texts = [path.read_bytes() for path in (self.folder / "results/store").rglob("*.jsonl")]
        return sum(line[:1] == b"{" and line[-2:] == b'"}' for text in texts for line in text.splitlines())

    def edit(self, name, before, after):
        """Replace one piece of a file."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) >= 1, f"{name} has no {before!r}"
        path.write_text(text.replace(before, after), encoding="utf-8")

    def append(self, name, text):
        """Add text at the end of a file."""
        path = self.folder / name
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


class Running:
    """Snakemake in the background of a checkout, in a group of its own as a terminal would start it."""

    def __init__(self, checkout, *options, **environment):
        self.checkout, self.options, self.log = checkout, options, checkout / "run.log"
        self.environment, self.process = checkout.environment | environment, None

    def start(self, *arguments):
        command = [sys.executable, "-c", HEED_CTRL_C, sys.executable, "-m", "snakemake", *self.options, *arguments]
        with open(self.log, "ab") as stream:
            places = {"cwd": self.checkout.folder, "env": self.environment, "stdout": stream, "stderr": stream}
            self.process = subprocess.Popen(command, **places, start_new_session=True)

    def tell(self, **values):
        """How many ``seconds`` and ``megabytes`` a fit of the study `few` takes."""
        for name, value in values.items():
            (self.checkout / name).write_text(str(value), encoding="utf-8")

    def wait(self, seconds=1500):
        """Exit code of Snakemake."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"not over after {seconds} s: {self.said()[-3000:]}") from None

    def until(self, condition, seconds=900):
        """Wait until something is so while Snakemake runs."""
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None and time.monotonic() < deadline, self.said()[-3000:]
            time.sleep(0.05)

    def until_fits(self, number):
        """Wait until so many fits are in the store."""
        self.until(lambda: self.checkout.fits() >= number)

    def interrupt(self):
        """SIGINT, as Ctrl-C sends it to Snakemake and all that it has started here."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill(self):
        """SIGKILL to Snakemake and all that it has started here; its jobs on a cluster live on."""
        if self.process and self.process.poll() is None:
            process = psutil.Process(self.process.pid)
            for one in [process, *process.children(recursive=True)]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    one.kill()
            self.process.wait()

    def said(self):
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""


def copy_of(source, target):
    """A checkout with the times of the files as they were."""
    for part in [*PARTS, *([PLANNED] if source != ROOT and Path(source, PLANNED).exists() else [])]:
        place = Path(target, part)
        place.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if Path(source, part).is_dir() else shutil.copy2)(Path(source, part), place)
    return Checkout(target)


def with_tiny(checkout, other="sklearn-dt"):
    """Add the study `tiny` to a checkout, with another method than the one that is not ironbark's."""
    (checkout / "config/studies/tiny.yaml").write_text(TINY.replace("sklearn-dt", other), encoding="utf-8")
    return checkout


def with_few(checkout):
    """Add the study `few` and its methods to a checkout."""
    (checkout / "config/studies/few.yaml").write_text(FEW, encoding="utf-8")
    (checkout / "own_methods.py").write_text(FEW_CODE, encoding="utf-8")
    checkout.append("config/methods/baselines.yaml", FEW_METHODS)
    return checkout

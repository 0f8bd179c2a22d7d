"""Copies of the checkout with a small study, and ways to run Snakemake in them."""

import os
import re
import shutil
import sys
from pathlib import Path

import warm_snakemake

from ironbark.pipeline.results import records

ROOT = Path(__file__).parents[1]
PARTS = ["Snakefile", "LICENSE", "CITATION.cff", "config", "workflow", "profiles", "slurm", "envs", "src"]
PARTS += ["data/published"]
PLANNED = ".snakemake/ironbark/cache"  # what the planner found out: digests of sources, descriptions of classes

TINY = """
title: Tiny
protocol: {kind: fixed-split, repeats: 2}
grids:
  - datasets: [breast-cancer]
    tasks: [binary]
    noises: [clean, uniform-0.2]
    methods: [dt-gini, dt-misclassification, dt-entropy, sklearn-dt]
  - datasets: [iris]
    tasks: [multiclass]
    noises: [clean, uniform-0.2]
    methods: [dt-gini, dt-misclassification, dt-entropy, sklearn-dt]
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

_HEED_CTRL_C = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])
"""


def heeding_ctrl_c(command):
    """A command line that Ctrl-C stops: shells make what they put into the background deaf to it."""
    return [sys.executable, "-c", _HEED_CTRL_C, *command]


class Checkout:
    """A folder with everything that Snakemake needs."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __truediv__(self, name):
        return self.folder / name

    def command(self, *arguments):
        """Command line of Snakemake, and its environment without that of a caller's own checkout."""
        environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "COLUMNS")}
        return [sys.executable, "-m", "snakemake", "--cores", "2", *arguments], environment

    def run(self, *arguments, check=True, **environment):
        """Run Snakemake; the output is that of both streams."""
        command, inherited = self.command(*arguments)
        done = warm_snakemake.run(command[3:], self.folder, inherited | environment, timeout=600)
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

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

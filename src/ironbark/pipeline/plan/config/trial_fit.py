"""A fit of an added method to a few random samples, so that a mistake is reported before any job starts.

``python -m ironbark.pipeline.plan.config.trial_fit`` reads a job as JSON, from standard input, and prints the record.
"""

import json
import os
import subprocess
import sys

from ironbark.errors import InputError
from ironbark.pipeline.metrics import METRICS
from ironbark.pipeline.plan.config import additions
from ironbark.pipeline.plan.config.methods import estimators
from ironbark.pipeline.plan.disk_cache import DiskCache

OUTPUT = "probabilities"
SAMPLES, FEATURES, CLASSES = 200, 6, {"binary": 2, "multiclass": 3}
MINUTES = 5
_CACHE = DiskCache(__name__, __file__)


def remarks(study, config: dict) -> list[str]:
    """Fit each added method of a study to random data."""
    lines = []
    for name in additions.asked(config)["methods"]:
        for task in sorted({task for (_, task), (_, methods) in study.cells.items() if name in methods}):
            needs = config["methods"][name].get("needs", ())
            gap = _checked(name, study.methods[name], task, needs).get(OUTPUT)
            lost = [METRICS[one].inline for one in study.further if METRICS[one].output == OUTPUT]
            if gap and lost:
                lines.append(f"study {study.id!r}: method {name!r} has no {', '.join(lost)}, because {gap}")
    return list(dict.fromkeys(lines))


def _checked(name, method, task, needs):
    """Why outputs are missing, as output -> reason."""
    job = {"method": estimators.dependencies(method), "task": task}
    key = json.dumps(job, sort_keys=True), estimators.code_of(method, needs)
    record = _CACHE.get(key)
    if record is None:
        record = _tried(job)
        if record["status"] == "ok":
            _CACHE.put(key, record)
    if record["status"] != "ok":
        raise InputError(
            f"method {name!r} cannot be fitted to {SAMPLES} random samples of {CLASSES[task]} classes "
            f"({record['message']}); correct its entry or its class"
        )
    return record["gaps"]


def _tried(job):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-m", __name__]
    try:
        done = subprocess.run(
            command, input=json.dumps(job), env=environment, capture_output=True, text=True, check=False,
            timeout=60 * MINUTES,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return {"status": "failed", "message": f"it takes more than {MINUTES} minutes"}
    if done.returncode:
        return {"status": "failed", "message": f"Python ended with status {done.returncode}"}
    return json.loads(done.stdout.splitlines()[-1])


def _run(job):
    """Record of the fit of a job, with status, message or gaps."""
    import numpy as np

    from ironbark.pipeline.protocols import fit

    rng, k = np.random.default_rng(0), CLASSES[job["task"]]
    y = rng.permutation(np.arange(SAMPLES) % k)
    X = rng.normal(size=(SAMPLES, FEATURES)) + y[:, None]
    noisy = np.where(rng.random(SAMPLES) < 0.2, rng.integers(0, k, SAMPLES), y)
    train, test = np.arange(SAMPLES) % 4 > 0, np.arange(SAMPLES) % 4 == 0
    ids = ("trial", job["task"], "trial", 0, 0, "trial")
    record = fit.run(job["method"], ids, X[train], noisy[train], X[test], y[test], wanted=[OUTPUT])
    return {"status": record["status"], "message": record.get("message", ""), "gaps": record.get("gaps", {})}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_run(json.load(sys.stdin))) + "\n")

"""Resources of a job on a cluster: megabytes and minutes, from its estimate, and more with each attempt."""

import functools
import math
from pathlib import Path

from ironbark.pipeline import data
from ironbark.pipeline.plan.cost import fits
from ironbark.pipeline.plan.study.batches import seconds_of

LEAST_MB, LEAST_MINUTES = 1000, 20  # of any job: libraries, compiling on a cold cache, a slow file system
MEMORY, TIME = 1.5, 3.0  # how far off the estimate may be; twice that is asked for at the next attempt
PREPARED = "data/prepared"
TRAINING = 0.02  # seconds that training a network for embeddings takes for one image, on one core
NETWORK_MB = 2600  # megabytes that training it, or computing embeddings, takes; measured with 60,000 images
DOWNLOAD = 60  # minutes for the download of a data set
SAMPLED = 0.05  # share of a study's seconds that training a sample of its fits takes; the sample is 1 % of many fits
RAW = 40  # bytes for each value of a table that is read and encoded


def shard(plan, study_id: str, scale: str, name: str, attempt: int) -> dict:
    """Resources of a batch of fits: ``mem_mb``, and ``runtime`` in minutes; attempts are counted from 1."""
    parts = plan.study(study_id, scale).batches[name]
    prepared = tuple(Path(PREPARED, part.dataset, fits.META).exists() for part in parts)
    return _asked(*_estimate(plan, study_id, scale, name, prepared), attempt)


@functools.cache
def _estimate(plan, study_id, scale, name, prepared):  # noqa: ARG001 - sizes are better known where data are prepared
    """Megabytes and seconds of a batch; kept, as the scheduler asks for all ready jobs again and again."""
    study, megabytes, seconds = plan.study(study_id, scale), 0.0, 0.0
    for part in study.batches[name]:
        size = _size(plan, part.dataset)
        methods = [study.methods[method] for method in part.methods]
        megabytes = max(megabytes, fits.megabytes(size, study.protocol, methods))
        seconds += seconds_of(part, size, study.methods, study.protocol)
    return megabytes, seconds


def import_pack(plan, study_id: str, scale: str, attempt: int) -> dict:
    """Resources to train a sample of a study's fits again."""
    batches = plan.study(study_id, scale).batches
    megabytes, seconds = zip(*(_estimate(plan, study_id, scale, name, ()) for name in batches), strict=True)
    return _asked(max(megabytes), SAMPLED * sum(seconds), attempt)


def labels(plan, study_id: str, scale: str, dataset: str, attempt: int) -> dict:
    """Resources to draw the noisy labels of a data set."""
    study = plan.study(study_id, scale)
    return _asked(fits.megabytes(_size(plan, dataset), study.protocol), 0.0, attempt)


def table(plan, dataset: str, attempt: int) -> dict:
    """Resources to prepare a data set."""
    size = _size(plan, dataset)
    return _asked(fits.BASE_MB + size.get("n", 1000) * size.get("d", 20) * RAW / 1e6, 0.0, attempt)


def fetch(plan, dataset: str, attempt: int) -> dict:
    """Resources to fetch a data set, or to train the network that computes it."""
    entry, seconds, asked = plan.config["datasets"][dataset], 0.0, table(plan, dataset, attempt)
    if entry["source"] == "vgg11":
        asked["mem_mb"] = max(asked["mem_mb"], _asked(NETWORK_MB, 0.0, attempt)["mem_mb"])
        if "weights" not in entry:
            seconds = TRAINING * _size(plan, dataset).get("n", 1000) * entry.get("epochs", data.EPOCHS)
    return asked | {"runtime": DOWNLOAD * attempt + math.ceil(TIME * seconds / 60)}


def fetch_threads(plan, dataset: str) -> int:
    """Threads to fetch a data set: several where a network computes it."""
    return data.NETWORK_THREADS if plan.config["datasets"][dataset]["source"] == "vgg11" else 1


def _asked(megabytes, seconds, attempt):
    more = 2 ** (attempt - 1)
    minutes = LEAST_MINUTES * attempt + math.ceil(TIME * seconds / 60) * more  # short jobs stay within short partitions
    return {"mem_mb": max(LEAST_MB, math.ceil(MEMORY * megabytes / 100) * 100) * more, "runtime": minutes}


def _size(plan, dataset):
    return fits.size_of(plan.config["datasets"][dataset], Path(PREPARED, dataset))

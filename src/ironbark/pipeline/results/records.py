"""Result rows: one per fit. The columns of ``rows.parquet`` and how they are read and written."""

import base64
import math
import zlib
from collections.abc import Iterable

import numpy as np
import pandas as pd

from ironbark.files import replacing
from ironbark.pipeline.results import parquet

OK, FAILED = "ok", "failed"

#: What a fit may store besides predicted labels, see `ironbark.pipeline.protocols.fit.outputs_of`.
OUTPUTS = ("label_quality", "noise_rate", "probabilities")

#: Column -> pandas dtype, in the order of the file. Text columns are never null.
COLUMNS = {
    "study": "str",  # id of the study, e.g. quickstart
    "scale": "str",  # smoke, lite or full
    "dataset": "str",
    "task": "str",  # binary or multiclass
    "protocol": "str",  # fixed-split, repeated-cv, random-partitions or training-sizes
    "noise": "str",  # noise model: clean, uniform, class_conditional, ...
    "rate": "str",  # canonical text of the rate(s): 0, 0.2, 0.1/0.3; empty if the model has none
    "noise_id": "str",  # id of the configuration, e.g. uniform-0.2
    "method": "str",
    "repeat": "int64",
    "fold": "int64",
    "status": "str",  # ok or failed
    "message": "str",  # why a fit failed, else empty
    "accuracy": "float64",  # on clean test labels, as a fraction
    "balanced_accuracy": "float64",
    "error": "float64",  # 1 - accuracy
    "train_accuracy": "float64",  # on the noisy training labels
    "validation_accuracy": "float64",  # on held-out noisy labels, of the chosen parameters; NaN without tuning
    "flipped": "float64",  # fraction of the training labels that the noise changed
    "n_train": "int64",
    "n_test": "int64",
    "n_leaves": "float64",  # of the tree, or mean over the trees of a forest; NaN where it has no meaning
    "depth": "float64",
    "minimax_risk": "float64",  # RMBoost: bound on the error that the fit has computed, as a fraction
    "effective_rules": "float64",  # RMBoost, LPBoost: rules that carry the ensemble, (sum |mu|)^2 / sum mu^2
    "effective_samples": "float64",  # samples that carry the weights of a next round, likewise
    "tuned": "str",  # JSON of the tuned parameters, {} without tuning
    "fit_seconds": "float64",  # CPU seconds of the fit of the scored model, one thread
    "tune_seconds": "float64",  # CPU seconds of all other fits of the search for parameters, 0 without tuning
    "score_seconds": "float64",
    "fit_memory": "float64",  # MB by which fit and search raised the memory of their process; NaN where unknown
    "seed": "int64",  # random_state of the learner
    "key": "str",  # hash of everything that the fit depends on
    "versions": "str",  # JSON: package -> version
}

#: Columns that name a fit within a study.
FIT = ["dataset", "task", "noise_id", "method", "repeat", "fold"]

TIMINGS = ("fit_seconds", "tune_seconds", "score_seconds")

#: Columns that may differ between two runs of the same fit; all others are reproducible bit by bit.
MEASURED = (*TIMINGS, "fit_memory")


def frame(records: Iterable[dict], further: Iterable[str] = ()):
    """Data frame of result rows with exactly the columns of `COLUMNS` and further ones."""
    kinds = COLUMNS | dict.fromkeys(further, "float64")
    defaults = {"str": "", "float64": float("nan"), "int64": -1}
    rows = [{name: row.get(name, defaults[kind]) for name, kind in kinds.items()} for row in records]
    return pd.DataFrame(rows, columns=list(kinds)).astype(kinds)


def write(rows, path):
    """Write a frame of `frame` to a Parquet file, whole or not at all."""
    with replacing(path) as side:
        rows.to_parquet(side, index=False)


def read(*paths):
    """Concatenate the rows of one or more Parquet files."""
    return pd.concat([parquet.read(path) for path in paths], ignore_index=True) if paths else frame([])


#: Types that an array may have.
TYPES = ("|u1", "<u2", "<f8")


def to_text(array: np.ndarray):
    """Text of an array: its type, shape and compressed bytes, such as ``|u1 40 eNpj...``."""
    array = np.ascontiguousarray(array)
    if array.dtype.str not in TYPES:
        raise ValueError(f"arrays of type {array.dtype} are not stored; convert them to one of {', '.join(TYPES)}")
    planes = array.reshape(-1).view(np.uint8).reshape(-1, array.dtype.itemsize).T
    packed = base64.b64encode(zlib.compress(planes.tobytes(), 6)).decode()
    return f"{array.dtype.str} {'x'.join(map(str, array.shape))} {packed}"


def to_array(text: str, most: int = 2**31):
    """The array that `to_text` was given."""
    try:
        kind, sizes, packed = text.split(" ")
        shape = tuple(int(size) for size in sizes.split("x"))
    except (AttributeError, ValueError):
        raise ValueError("it is no text of an array") from None
    if kind not in TYPES or min(shape) < 0:
        raise ValueError(f"{kind} {sizes} is no kind of array that is stored")
    dtype, wanted = np.dtype(kind), math.prod(shape) * np.dtype(kind).itemsize
    if wanted > most:
        raise ValueError(f"an array of {wanted} bytes is larger than allowed, {most}")
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(base64.b64decode(packed, validate=True), wanted + 1)
    except zlib.error as error:
        raise ValueError(f"the bytes of an array are damaged ({error})") from None
    if len(raw) != wanted or not stream.eof or stream.unused_data:
        raise ValueError(f"an array has not the {wanted} bytes that its text announces")
    planes = np.frombuffer(raw, np.uint8).reshape(dtype.itemsize, -1)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype).reshape(shape)

"""Result rows, one per fit: the columns of ``rows.parquet``, and how rows are made, merged, read and written.

A million rows have more text that repeats or that nobody shows than anything else. While they are merged, text is held
as codes and a dictionary, and it is spelled out again a part at a time as they are written.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.metrics import ON_REQUEST
from ironbark.pipeline.results import parquet
from ironbark.pipeline.results.store import undamaged

OK, FAILED = "ok", "failed"


class NoResults(InputError):
    """Results lack, since fits have failed or are missing, what a table or figure needs; it says so in its place."""


#: What a fit may store besides predicted labels, see `ironbark.pipeline.protocols.fit.outputs_of`.
OUTPUTS = ("called_errors", "label_quality", "noise_rate", "probabilities")

#: Column -> pandas dtype, in the order of the file. Text columns are never null.
COLUMNS = {
    "study": "str",  # id of the study, e.g. quickstart
    "scale": "str",  # smoke, lite or full
    "dataset": "str",
    "task": "str",  # binary or multiclass
    "protocol": "str",  # name of an entry of PROTOCOLS
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
    "n_samples": "int64",  # of the data set, which has more than the two if a scale caps the training samples
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


#: Columns that no table or figure shows.
HIDDEN = ("message", "tuned", "seed", "key", "versions")


def shown(path: Path, hidden=HIDDEN):
    """Rows with the columns that tables, figures or pages are made from; InputError for a file without them."""
    columns = [name for name in COLUMNS if name not in hidden]
    with undamaged(path):
        known = pq.read_schema(path).names
        if missing := ", ".join(name for name in columns if name not in known):
            raise InputError(f"{path} is of an older version of ironbark: it lacks {missing}; run the study again")
        return parquet.read(path, columns=[*columns, *(name for name in ON_REQUEST if name in known)])


UNIQUE = {"key"}  # text of which a dictionary would save nothing
PART = 100_000  # rows that are spelled out at a time


def table(frame):
    """Rows as an Arrow table whose repeating text is dictionaries."""
    found = pa.Table.from_pandas(frame, preserve_index=False)
    for i, name in enumerate(found.column_names):
        if COLUMNS.get(name) == "str" and name not in UNIQUE:
            found = found.set_column(i, name, found.column(i).dictionary_encode())
    return found


def merged(tables, order: list[str]):
    """Rows of all tables of `table`, sorted."""
    whole = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    return whole.take(np.lexsort([ranks(whole.column(name)) for name in reversed(order)]))


def ranks(column):
    """Whole numbers that sort like the values of a column."""
    values = column.to_pandas()
    if not isinstance(values.dtype, pd.CategoricalDtype):
        return values
    return values.cat.set_categories(sorted(values.cat.categories)).cat.codes


def write(rows, path):
    """Write rows, of `merged` or a frame, to a Parquet file, whole or not at all."""
    rows = rows if isinstance(rows, pa.Table) else table(rows)
    names = [name for name in rows.column_names if name not in COLUMNS]
    schema = pa.Schema.from_pandas(frame([], names), preserve_index=False)
    with replacing(path) as side, pq.ParquetWriter(side, schema) as writer:
        for start in range(0, max(len(rows), 1), PART):
            writer.write_table(rows.slice(start, PART).cast(schema))

"""The fits of one batch in one file: a compressed JSON object a line, first what they share, then each fit."""

import gzip
import itertools
import json

from ironbark.files import replacing
from ironbark.pipeline.results.damage import undamaged


def write(path, header, fits):
    """Write a batch, whole or not at all.

    Parameters
    ----------
    path : path
        Ends in ``.jsonl.gz``.
    header : dict
        JSON: study, scale, protocol, versions, and what readers of all fits need.
    fits : iterable of dict
        JSON: dataset, task, noise_id, method, repeat, fold, key and record.
    """
    with (
        replacing(path) as side,
        open(side, "wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=3, mtime=0) as stream,
    ):
        for line in itertools.chain([header], fits):
            stream.write(json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n")


def read(path):
    """Header and fits of a batch.

    Returns
    -------
    dict, list of dict

    Raises
    ------
    InputError
        If the file is damaged.
    """
    with undamaged(path), gzip.open(path, "rb") as stream:
        header, *fits = (json.loads(line) for line in stream)
    return header, fits

"""The fits of one batch in one file: a compressed JSON object a line, first what they share, then each fit."""

import gzip
import itertools
import json
from collections.abc import Iterable
from pathlib import Path

from ironbark.files import replacing
from ironbark.pipeline.results.parquet import undamaged


def write(path: Path, header: dict, fits: Iterable[dict]):
    """Write a batch, whole or not at all."""
    with (
        replacing(path) as side,
        open(side, "wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=3, mtime=0) as stream,
    ):
        for line in itertools.chain([header], fits):
            stream.write(json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n")


def read(path):
    """Header and fits of a batch."""
    with undamaged(path), gzip.open(path, "rb") as stream:
        header, *fits = (json.loads(line) for line in stream)
    return header, fits

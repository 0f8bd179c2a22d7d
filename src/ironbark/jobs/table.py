"""One table of a study."""

from pathlib import Path

from ironbark import records
from ironbark.analysis import layout, tables
from ironbark.analysis.collect import refuse_holes
from ironbark.jobs.collect import expected


def run(spec, rows, stem):
    """Build a table from ``rows.parquet`` and write ``stem.csv``, ``.md`` and ``.tex``.

    Parameters
    ----------
    spec : dict
        Keys table (entry of the study), names (labels, noise_labels), note, and those of `ironbark.jobs.collect`.
    rows, stem : path
    """
    frame = records.read(rows)
    missing = refuse_holes(frame, expected(spec), spec["allow_holes"])
    table = tables.build(frame, spec["table"], **spec["names"], caption_note=spec["note"], missing=missing)
    layout.write(table, Path(stem))

"""Result rows of a study as they lie on disk, whatever state its run is in."""

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ironbark.pipeline.metrics import ON_REQUEST
from ironbark.pipeline.results import parquet, records
from ironbark.pipeline.results.records import COLUMNS, FIT

#: Columns without which rows mean nothing.
ESSENTIAL = (*FIT, "noise", "rate", "status")
UNREAD = ("tuned", "key")  # long texts that no page shows


@dataclass(frozen=True, eq=False)
class Rows:
    """Result rows and what is wrong with their files.

    Attributes
    ----------
    frame : DataFrame
        Columns of `ironbark.pipeline.results.records.COLUMNS` but `UNREAD`; texts are categories. A fit occurs once.
    problems : list of str
        Sentences for readers.
    files : list of Path
        What was read.
    """

    frame: pd.DataFrame
    problems: list = field(default_factory=list)
    files: list = field(default_factory=list)


def read(folder):
    """Rows of a study, finished or not.

    Parameters
    ----------
    folder : path
        Of a study and scale. ``rows.parquet`` is read; ``partial.parquet`` if it is newer, or the only one.

    Returns
    -------
    Rows
        Files that are damaged or lack a column of `ESSENTIAL` are left out, and said to be.
    """
    frames, problems, files = [], [], []
    for path in _files(Path(folder)):
        try:
            frame, lacking = _table(path)
        except (pa.ArrowException, OSError) as error:
            cause = str(error).strip().partition("\n")[0].rstrip(".")
            problems.append(f"{path} is damaged ({cause}); remove it and run the study again.")
            continue
        if isinstance(frame, str):
            problems.append(frame)
            continue
        if lacking:
            problems.append(
                f"{path} was written by an older version of ironbark: {', '.join(lacking)} not recorded; "
                "run the study again to have them."
            )
        frames.append(frame)
        files.append(path)
    frame = pd.concat(frames, ignore_index=True) if frames else records.frame([]).drop(columns=list(UNREAD))
    frame = frame.drop_duplicates(FIT, keep="last", ignore_index=True)
    texts = [name for name in frame if COLUMNS.get(name) == "str"]
    return Rows(frame.astype(dict.fromkeys(texts, "category")), problems, files)


def _files(folder):
    """The study's rows, or those of its finished batches if these are newer."""
    there = [path for path in (folder / "rows.parquet", folder / "partial.parquet") if path.exists()]
    return sorted(there, key=lambda path: path.stat().st_mtime)[-1:]


def _table(path):
    """The frame of a file and the columns that it lacks, or a sentence on why there is no frame."""
    there = pq.read_schema(path).names
    wanted = [name for name in COLUMNS if name not in UNREAD] + [name for name in ON_REQUEST if name in there]
    missing = [name for name in wanted if name not in there]
    essential = [name for name in missing if name in ESSENTIAL]
    if essential:
        return f"{path} is no table of result rows: {', '.join(essential)} missing; run the study again.", []
    frame = parquet.read(path, columns=[name for name in wanted if name in there])
    defaults = {"str": "", "float64": float("nan"), "int64": -1}
    return frame.assign(**{name: defaults[COLUMNS[name]] for name in missing})[wanted], missing

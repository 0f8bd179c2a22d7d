"""Check a Parquet table against its entry without reading its features: by the footer, the target and the split."""

from pathlib import Path

import pyarrow.parquet as pq

from ironbark.errors import InputError
from ironbark.pipeline.data import catalog
from ironbark.pipeline.data.discrepancies import refuse_unexpected
from ironbark.pipeline.data.io import formats
from ironbark.pipeline.data.sources.mirror import located
from ironbark.pipeline.data.table.roles import assign


def check(id: str, entry: dict, mirror: Path):
    """Refuse a table of a mirror that `prepare` would refuse, as far as that shows without features."""
    path, entry = located(id, entry, mirror), catalog.as_mirrored(catalog.complete(entry))
    with formats.readable(path, "parquet"), pq.ParquetFile(path) as file:
        columns = list(file.schema_arrow.empty_table().to_pandas().columns)
        missing = _missing(file)
        needed = {"target", "split", entry.get("given")} | (set(missing) if entry["missing"] == "drop" else set())
        table = file.read(columns=[name for name in columns if name in needed]).to_pandas().reset_index(drop=True)
    if table.empty:
        raise InputError(f"data set {id!r}: {path} has no rows; correct the table")
    roles = assign(id, entry, table, True, columns, missing)
    d = len(roles.features) if entry["encode"] == "ordinal" and "one_hot" not in entry else None
    classes = roles.classes
    found = {"n": len(roles.table), "k": len(classes.classes), "classes": classes.classes, "counts": classes.counts}
    refuse_unexpected(f"data set {id!r}", entry.get("expect", {}), found | ({} if d is None else {"d": d}))
    return roles


def _missing(file):
    """Column -> number of nulls, where there are any; a column without statistics is read."""
    counts, unknown, groups = {}, set(), range(file.metadata.num_row_groups)
    for part in (file.metadata.row_group(i).column(j) for i in groups for j in range(file.metadata.num_columns)):
        name, statistics = part.path_in_schema, part.statistics
        if statistics is None or not statistics.has_null_count:
            unknown.add(name)
        elif statistics.null_count:
            counts[name] = counts.get(name, 0) + statistics.null_count
    counts |= {name: file.read(columns=[name]).column(0).null_count for name in unknown}
    return {name: count for name, count in counts.items() if count}

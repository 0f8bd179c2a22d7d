"""Our means beside the printed ones."""

from ironbark import records
from ironbark.analysis import comparison, published


def run(spec, rows, printed, stem):
    """Write ``stem.csv`` and the summary ``stem.md``.

    Parameters
    ----------
    spec : dict
        Keys compare (entry of the study), datasets, caps (why fits are not comparable, or empty) and note.
    rows, printed, stem : path
    """
    entry = spec["compare"]
    result = comparison.compare(
        records.read(rows),
        published.PUBLISHED[entry["published"]](printed),
        entry["methods"],
        datasets=spec["datasets"],
        tables=entry.get("tables"),
        capped=spec["caps"] or None,
    )
    comparison.write(result, stem, spec["note"])

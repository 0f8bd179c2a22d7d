"""The part of docs/data.md that lists the data sets, written from the catalogue."""

from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.data import resolve
from ironbark.pipeline.data.io import addresses
from ironbark.pipeline.plan.documents.markdown import table

UCI = "CC BY 4.0"  # the licence of the UCI repository, which most have

#: Published table of data sets -> label of its paper.
LABELS = {name: paper.label for paper in PAPERS.values() for name in paper.datasets}


def _origin(entry):
    """Origin of the table of an entry, as Markdown."""
    first = {key: addresses.first(value) for key, value in entry.items() if key in ("archive", "url", "vectors")}
    names = {"files": _file_names(entry), "host": next(iter(addresses.hosts(entry)), "")}
    return resolve(entry["source"]).origin.format_map(entry | first | names)


def _file_names(entry):
    """The archive, or the files by the ends of their addresses."""
    if "archive" in entry:
        return addresses.first(entry["archive"])
    names = map(addresses.first, entry.get("files", ()))
    return ", ".join(name.rpartition("/")[2] if "://" in name else name for name in names)


def text(entries):
    """A table of all data sets of the catalogue, and a list of what differs from the papers and what to know."""
    heads = ["Id", "Data", "Rows x features, classes", "Source", "MB", f"Licence (if not {UCI})", "Papers"]
    lines = table(heads, [_row(id, entry) for id, entry in sorted(entries.items())])
    remarks = {}
    for id, entry in sorted(entries.items()):
        for remark in _remarks(entry):
            remarks.setdefault(remark, []).append(f"`{id}`")
    bullets = [f"- {', '.join(ids)}{remark}" for remark, ids in remarks.items()]
    return "\n".join(["", lines, "", "### What differs, and what to know", "", *bullets, ""])


def _row(id, entry):
    papers = ", ".join(dict.fromkeys(LABELS[name] for name in entry.get("papers", {})))
    expect, licence = entry.get("expect", {}), entry.get("licence", "").partition(" (")[0]
    shape = f"{expect['n']:,} x {expect['d']:,}, {expect['k']}" if {"n", "d", "k"} <= expect.keys() else ""
    title, size = entry["title"].split(";")[0], entry.get("download", "")
    return [f"`{id}`", title, shape, _origin(entry), size, licence if licence != UCI else "", papers]


def _remarks(entry):
    """Remarks of an entry: deviations, deviations in a mirror, notes."""
    mirrored = entry.get("in_mirror", {}).get("deviations", [])
    for kind, sentences in ((" differs", entry.get("deviations", [])), (" differs in the mirror", mirrored)):
        yield from (f"{kind}: {sentence}" for sentence in sentences)
    yield from (f": {sentence}" for sentence in entry.get("notes", []))

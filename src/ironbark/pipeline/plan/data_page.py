"""The part of docs/data.md that lists the data sets, written from the catalogue."""

from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.data import resolve
from ironbark.pipeline.data.io import addresses
from ironbark.pipeline.plan.markdown import table

#: Published table of data sets -> label of its paper.
LABELS = {name: paper.label for paper in PAPERS.values() for name in paper.datasets}


def _origin(entry):
    """Where the table of an entry comes from, as Markdown."""
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
    """The part of the page between its two marks.

    Parameters
    ----------
    entries : dict
        Data set id -> entry of the catalogue.

    Returns
    -------
    str
        A table of all data sets, and a list of what differs from the papers and what to know.
    """
    heads = ["Id", "Data", "Rows x features, classes", "Source", "MB", "Licence", "Papers"]
    lines = table(heads, [_row(id, entry) for id, entry in sorted(entries.items())])
    remarks = [line for id, entry in sorted(entries.items()) for line in _remarks(id, entry)]
    return "\n".join(["", lines, "", "### What differs, and what to know", "", *remarks, ""])


def _row(id, entry):
    papers = ", ".join(dict.fromkeys(LABELS[name] for name in entry.get("papers", {})))
    size = entry.get("download", "")
    return [f"`{id}`", entry["title"], _shape(entry), _origin(entry), size, _licence(entry), papers]


def _shape(entry):
    expect = entry.get("expect", {})
    if not {"n", "d", "k"} <= expect.keys():
        return ""
    return f"{expect['n']:,} x {expect['d']:,}, {expect['k']}"


def _licence(entry):
    return entry.get("licence", "").replace(" (UCI Machine Learning Repository)", ", UCI")


def _remarks(id, entry):
    """Bullets of one entry: deviations, those in a mirror, notes."""
    mirrored = entry.get("in_mirror", {}).get("deviations", [])
    for kind, sentences in (("", entry.get("deviations", [])), (" in the mirror", mirrored)):
        yield from (f"- `{id}` differs{kind}: {sentence}" for sentence in sentences)
    yield from (f"- `{id}`: {sentence}" for sentence in entry.get("notes", []))

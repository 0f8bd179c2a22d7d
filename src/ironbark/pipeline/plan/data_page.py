"""The part of docs/data.md that lists the data sets, written from the catalogue.

``python -m ironbark.pipeline.plan.data_page`` in the root of the repository writes it anew.
"""

import sys
from pathlib import Path

import yaml

from ironbark.files import write_text
from ironbark.pipeline.data.io import addresses
from ironbark.pipeline.plan.config.reading import read

PAGE = "docs/data.md"
START, END = "<!-- from the catalogue -->", "<!-- end of the catalogue -->"

#: Printed table -> how the page calls its paper.
PAPERS = {"ane": "ANE", "pg": "PG", "rmb": "RMB", "rgbdt-binary": "RGBDT", "rgbdt-multiclass": "RGBDT"}

#: Source -> where an entry comes from, as Markdown.
ORIGINS = {
    "sklearn": lambda entry: f"scikit-learn, {entry['loader']}",
    "openml": lambda entry: f"[OpenML {entry['openml_id']}](https://www.openml.org/d/{entry['openml_id']})",
    "libsvm": lambda entry: f"LIBSVM, {_file_names(entry)}",
    "imbalanced-learn": lambda entry: f"imbalanced-learn, {entry['name']}",
    "keel": lambda entry: f"KEEL, {entry['archive']}",
    "uci": lambda entry: f"UCI, {_file_names(entry)}",
    "unsw-nb15": lambda entry: "UNSW Canberra, two files by hand",
    "torchvision": lambda entry: f"torchvision, {entry['loader']}",
    "glove": lambda entry: f"{entry['texts']} and [GloVe]({addresses.first(entry['vectors'])})",
    "text-svd": lambda entry: f"computed from {entry['texts']}",
    "vgg11": lambda entry: f"computed from {entry['images']}",
    "url": lambda entry: f"[{addresses.hosts(entry)[0]}]({addresses.first(entry['url'])})",
    "file": lambda entry: "your own",
    "mirror": lambda entry: "a mirror only",
}


def _file_names(entry):
    """The archive, or the files by the ends of their addresses."""
    if "archive" in entry:
        return addresses.first(entry["archive"])
    names = map(addresses.first, entry["files"])
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
    lines = [_pipes(heads), _pipes(["---"] * len(heads))]
    lines += [_pipes(_row(id, entry)) for id, entry in sorted(entries.items())]
    remarks = [line for id, entry in sorted(entries.items()) for line in _remarks(id, entry)]
    return "\n".join(["", *lines, "", "### What differs, and what to know", "", *remarks, ""])


def _pipes(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _row(id, entry):
    papers = ", ".join(dict.fromkeys(PAPERS[name] for name in entry.get("papers", {})))
    size = entry.get("download", "")
    return [f"`{id}`", entry["title"], _shape(entry), ORIGINS[entry["source"]](entry), size, _licence(entry), papers]


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


def renewed(page, entries):
    """The page with the part between its marks written anew."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n{text(entries)}\n{END}{after}"


def main(root="."):
    """Write the page of a repository anew."""
    root = Path(root)
    settings = yaml.safe_load((root / "config/config.yaml").read_text(encoding="utf-8"))
    entries = read(root / "config", root / "workflow/schemas", settings)["datasets"]
    write_text(root / PAGE, renewed((root / PAGE).read_text(encoding="utf-8"), entries))


if __name__ == "__main__":
    sys.exit(main())

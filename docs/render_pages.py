"""Write docs/tables/*.csv from entries and schemas, and the lists of names in the schemas.

``python docs/render_pages.py`` in the root of the repository. Tables of results are written by
``python tests/docs/update_pages.py``.
"""

import ast
import csv
import io
import re
import sys
from pathlib import Path

import yaml

from ironbark.criteria import CRITERIA
from ironbark.files import write_text
from ironbark.noise import NOISE_MODELS
from ironbark.pipeline.data import SOURCES, addresses, resolve
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.protocols import PROTOCOLS
from ironbark.pipeline.protocols.searches import SCORES
from ironbark.pipeline.published import COMPARED, CURVES, DATASET_TABLES, PAPERS
from ironbark.pipeline.tables import TABLES

with open(Path(__file__).parents[1] / "data/published/artefacts.csv", encoding="utf-8", newline="") as _lines:
    ARTEFACTS = [line["artefact"] for line in csv.DictReader(_lines)]

#: What a list of a schema may have after "# names of " -> the names.
NAMES = {
    "kinds of tables": TABLES,
    "kinds of figures": FIGURES,
    "noise models": NOISE_MODELS,
    "protocols": PROTOCOLS,
    "sources": SOURCES,
    "tuning scores": SCORES,
    "papers": PAPERS,
    "papers with curves": [name for name, paper in PAPERS.items() if CURVES in paper.values],
    "compared papers": COMPARED,
    "tables of data sets": DATASET_TABLES,
    "artefacts": ARTEFACTS,
}
LIST = re.compile(r"\b(enum|examples): \[[^\]]*\](?=[^\n]*# names of (.+)$)", re.MULTILINE)
SENTENCE_END = re.compile(r"(?<!e\.g)\.(?:\s|$)")
MOST_CHOICES = 6  # longer lists have tables of their own

#: Published table of data sets -> label of its paper.
LABELS = {name: paper.label for paper in PAPERS.values() for name in paper.datasets}


def schema(text):
    """A schema whose marked lists hold the names of today."""
    return LIST.sub(lambda match: f"{match[1]}: [{', '.join(NAMES[match[2]])}]", text)


def schemas(root):
    """Path -> what a schema is to hold."""
    return {path: schema(path.read_text("utf-8")) for path in sorted((root / "workflow/schemas").glob("*.yaml"))}


def tables(root):
    """Path -> what a table of docs/tables is to hold."""
    settings = yaml.safe_load((root / "config/config.yaml").read_text("utf-8"))
    config = read(root / "config", root / "workflow/schemas", settings)
    written = {
        "settings": _settings(root, settings),
        "data-set-fields": _keys(root, "datasets", "$defs.entry"),
        "methods": [["Id", "Label", "Definition", "Paper"], *map(_method, sorted(config["methods"].items()))],
        "method-keys": _keys(root, "methods", "additionalProperties", "additionalProperties.properties.tune"),
        "noise-keys": _keys(root, "noise", "additionalProperties"),
        "study-keys": _keys(root, "study", ""),
        "table-and-figure-keys": _keys(root, "study", "$defs.table", "$defs.figure"),
        "kinds-of-tables": _kinds(TABLES),
        "kinds-of-figures": _kinds(FIGURES),
        "protocols": _protocols(),
        "sources": _sources(),
        "data-sets": data_sets(config["datasets"]),
        "criteria": _criteria(),
        "noise-models": _noise_models(),
        "theorems": [["Statement", "Test"], *_theorems(root)],
    }
    return {root / f"docs/tables/{name}.csv": csv_text(rows) for name, rows in written.items()}


def csv_text(rows):
    """Rows, the heads first, as the text of a CSV file."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _settings(root, defaults):
    found = _properties(root, "config", "")
    rows = [[f"`{key}`", f"`{_yaml(defaults[key])}`", meaning(entry)] for key, entry in found.items()]
    return [["Key", "Default", "Meaning"], *rows]


def _keys(root, name, *places):
    """Keys of a kind of entry with their meaning; of several objects that have a key, each meaning once."""
    meanings = {}
    for place in places:
        prefix = "tune." * place.endswith(".tune")
        for key, entry in _properties(root, name, place).items():
            if not entry["description"].startswith("Source"):
                meanings.setdefault(f"{prefix}{key}", {})[meaning(entry)] = None
    return [["Key", "Meaning"], *([f"`{key}`", "; ".join(each)] for key, each in sorted(meanings.items()))]


def _properties(root, name, place):
    entry = yaml.safe_load((root / f"workflow/schemas/{name}.schema.yaml").read_text("utf-8"))
    for part in filter(None, place.split(".")):
        entry = entry[part]
    return entry["properties"]


def meaning(entry):
    """First sentence of the description of a key, and the choices where they are few."""
    text = SENTENCE_END.split(entry["description"])[0]
    choices = entry.get("enum", ())
    missing = not all(re.search(rf"\b{re.escape(choice)}\b", text) for choice in choices)
    return f"{text} ({', '.join(choices)})" if missing and len(choices) <= MOST_CHOICES else text


def _yaml(value):
    return yaml.safe_dump(value, default_flow_style=True).splitlines()[0]


def _code(names):
    return ", ".join(f"`{name}`" for name in names)


def _options(options):
    """Names, defaults and meanings; a switch that is off needs its name only."""
    return "; ".join(
        f"`{name}`"
        if option.default is False
        else f"`{name}` ({_yaml(option.default)}): {option.meaning or option.wanted}"
        for name, option in options.items()
    )


def _method(item):
    id, entry = item
    return [id, entry.get("label", id), entry.get("about", entry["estimator"]), entry.get("paper", "")]


def _kinds(kinds):
    rows = [[f"`{name}`", kind.description, _code(kind.needs), _code(kind.options)] for name, kind in kinds.items()]
    return [["Kind", "Shows", "Needed keys", "Further keys"], *rows]


def _protocols():
    rows = [[f"`{name}`", entry.description, _options(entry.options)] for name, entry in PROTOCOLS.items()]
    return [["Kind", "Splits", "Options (default)"], *rows]


def _sources():
    rows = [["Source", "Fields (optional ones in brackets)", "Choices", "Content"]]
    for name, source in SOURCES.items():
        either = [" or ".join(f"`{field}`" for field in source.either)] if source.either else []
        required = [_code(source.required)] if source.required else []
        fields = [*required, *either, *([f"[{_code(source.optional)}]"] if source.optional else [])]
        choices = "; ".join(f"{field}: {', '.join(each)}" for field, each in source.choices.items() if len(each) < 9)
        rows.append([f"`{name}`", ", ".join(fields), choices, source.description])
    return rows


def data_sets(entries):
    """A row for each data set, with what differs from the papers and what to know."""
    heads = ["Id", "Data", "Rows", "Features", "Classes", "Source", "MB", "Licence", "Papers"]
    heads += ["Differs from the papers", "Differs in a mirror", "Notes"]
    return [heads, *map(_data_set, sorted(entries.items()))]


def _data_set(item):
    id, entry = item
    papers = ", ".join(dict.fromkeys(LABELS[name] for name in entry.get("papers", {})))
    sizes = [entry.get("expect", {}).get(key, "") for key in "ndk"]
    licence = entry.get("licence", "").partition(" (")[0]
    mirrored = entry.get("in_mirror", {}).get("deviations", [])
    remarks = [" ".join(each) for each in (entry.get("deviations", []), mirrored, entry.get("notes", []))]
    title, size = entry["title"].split(";")[0], entry.get("download", "")
    return [id, title, *sizes, _origin(entry), size, licence, papers, *remarks]


def _origin(entry):
    """Where the table of an entry comes from."""
    first = {key: addresses.first(value) for key, value in entry.items() if key in ("archive", "url", "vectors")}
    files = map(addresses.first, () if "archive" in entry else entry.get("files", ()))
    ends = ", ".join(name.rpartition("/")[2] if "://" in name else name for name in files)
    names = {"files": first.get("archive", ends), "host": next(iter(addresses.hosts(entry)), "")}
    return resolve(entry["source"]).origin.format_map(entry | first | names)


def _criteria():
    rows = [
        [_code(filter(None, [name, entry.parameter])), entry.definition, entry.citation]
        for name, entry in CRITERIA.items()
    ]
    return [["Criterion", "phi, or gain", "Reference"], *rows]


def _noise_models():
    counts = ("none", "{}", "two in {}, sum below 1")
    rows = [
        [
            f"`{name}`",
            "both" if len(model.tasks) > 1 else model.tasks[0],
            counts[model.rates].format(model.limit),
            _options(model.params),
            model.citation,
        ]
        for name, model in NOISE_MODELS.items()
    ]
    return [["Model", "Tasks", "Rate", "Parameters (default)", "Defined in"], *rows]


def _theorems(root):
    """Statements of the papers with their tests, from the first lines of the tests' docstrings."""
    for path in sorted(root.glob("tests/theory/test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                title = ast.get_docstring(node).partition("\n")[0].rstrip(".")
                yield [title, f"`{path.stem}.{node.name}`"]


def main(root="."):
    """Write all of them anew, schemas first: they decide which entries of the configuration can be read."""
    for written in (schemas, tables):
        for path, text in written(Path(root)).items():
            write_text(path, text)


if __name__ == "__main__":
    sys.exit(main())

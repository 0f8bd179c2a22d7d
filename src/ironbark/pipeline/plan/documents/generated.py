"""Parts of schemas and pages that are written from the entries of what they list, and from the reference results.

``python -m ironbark.pipeline.plan.documents.generated`` in the root of the repository writes them anew.
"""

import re
import sys
from pathlib import Path

from ironbark.criteria import CRITERIA
from ironbark.files import write_text
from ironbark.noise import NOISE_MODELS
from ironbark.pipeline.analysis.published import COMPARED, CURVES, DATASET_TABLES, PAPERS
from ironbark.pipeline.analysis.published.papers.artefacts import ARTEFACTS
from ironbark.pipeline.analysis.tables import TABLES
from ironbark.pipeline.data import SOURCES
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.plan.documents import data_page, reproduction_page, schema_page
from ironbark.pipeline.plan.documents.markdown import table
from ironbark.pipeline.plan.documents.reproduction import Reproduction
from ironbark.pipeline.protocols import PROTOCOLS
from ironbark.pipeline.protocols.tuning.searches import SCORES

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
_LIST = re.compile(r"\b(enum|examples): \[[^\]]*\](?=[^\n]*# names of (.+)$)", re.MULTILINE)


def schema(text):
    """A schema whose marked lists hold the names of today."""
    return _LIST.sub(lambda found: f"{found[1]}: [{', '.join(NAMES[found[2]])}]", text)


def _code(names):
    return ", ".join(f"`{name}`" for name in names)


def _options(options):
    return "; ".join(_option(name, option) for name, option in options.items())


def _option(name, option):
    """Name, default and meaning; a switch that is off needs its name only."""
    if option.default is False:
        return f"`{name}`"
    return f"`{name}` ({schema_page.yaml_text(option.default)}): {option.meaning or option.wanted}"


def _kinds(kinds):
    rows = [[f"`{name}`", kind.description, _code(kind.needs), _code(kind.options)] for name, kind in kinds.items()]
    return table(["kind", "shows", "needed keys", "further keys"], rows)


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
    heads = ["model", "tasks", "rate", "parameters (default)", "defined in"]
    return table(heads, rows)


def _criteria():
    rows = [
        [_code(filter(None, [name, entry.parameter])), entry.definition, entry.citation]
        for name, entry in CRITERIA.items()
    ]
    return table(["criterion", "phi, or gain", "reference"], rows)


def _protocols():
    rows = [[f"`{name}`", entry.description, _options(entry.options)] for name, entry in PROTOCOLS.items()]
    return table(["kind", "splits", "options (default)"], rows)


def _sources():
    rows = []
    for name, source in SOURCES.items():
        either = [" or ".join(f"`{field}`" for field in source.either)] if source.either else []
        required = [_code(source.required)] if source.required else []
        optional = [field for field in source.optional if field != "mirror"]
        fields = [*required, *either, *([f"[{_code(optional)}]"] if optional else [])]
        choices = "; ".join(f"{field}: {', '.join(found)}" for field, found in source.choices.items() if len(found) < 9)
        rows.append([f"`{name}`", ", ".join(fields), choices, source.description])
    return table(["source", "fields (optional ones in brackets)", "choices", "what it gives"], rows)


def _papers():
    rows = [[f"`{name}`", "yes" if name in COMPARED else "no", _code(paper.datasets)] for name, paper in PAPERS.items()]
    return table(["paper", "can be named in `compare`", "tables of data sets"], rows)


def _keys(schema, *places):
    return lambda reproduction: schema_page.keys(reproduction.root, schema, *places)


#: Page -> name in its marks -> function of a `Reproduction` that writes the part between them.
PARTS = {
    "config/README.md": {
        "settings": lambda reproduction: schema_page.settings(reproduction.root),
        "keys of a method": _keys("methods", "additionalProperties", "additionalProperties.properties.tune"),
        "keys of a noise": _keys("noise", "additionalProperties"),
        "keys of a study": _keys("study", ""),
        "keys of tables and figures": _keys("study", "$defs.table", "$defs.figure"),
        "protocols": lambda reproduction: _protocols(),
        "papers": lambda reproduction: _papers(),
        "kinds of tables": lambda reproduction: _kinds(TABLES),
        "kinds of figures": lambda reproduction: _kinds(FIGURES),
    },
    "docs/data.md": {
        "fields": _keys("datasets", "$defs.entry"),
        "sources": lambda reproduction: _sources(),
        "catalogue": lambda reproduction: data_page.text(reproduction.config["datasets"]),
    },
    "docs/methods.md": {"criteria": lambda reproduction: _criteria()},
    "docs/noise.md": {"noise models": lambda reproduction: _noise_models()},
    "docs/reproduction.md": {"published cells": reproduction_page.cells, "artefacts": reproduction_page.artefacts},
}


def page(text, parts, reproduction):
    """A page with the parts between its marks written anew; `parts` are those of `PARTS`."""
    for name, write in parts.items():
        start, end = f"<!-- from the {name} -->", f"<!-- end of the {name} -->"
        before, _, rest = text.partition(start)
        text = f"{before}{start}\n\n{write(reproduction).strip()}\n\n{end}{rest.partition(end)[2]}"
    return text


def schemas(root):
    """Path -> what a schema is to hold."""
    return {path: schema(path.read_text(encoding="utf-8")) for path in (root / "workflow/schemas").glob("*.yaml")}


def pages(root):
    """Path -> what a page is to hold."""
    reproduction = Reproduction.of_repository(root)
    return {
        root / name: page((root / name).read_text(encoding="utf-8"), parts, reproduction)
        for name, parts in PARTS.items()
    }


def main(root="."):
    """Write all of them anew, schemas first: they decide which entries of the configuration can be read."""
    for written in (schemas, pages):
        for path, text in written(Path(root)).items():
            write_text(path, text)


if __name__ == "__main__":
    sys.exit(main())

"""One table of a study, or of the data sets."""

from pathlib import Path

from ironbark.entries import find
from ironbark.pipeline import tables
from ironbark.pipeline.jobs.artefacts import artefact_data
from ironbark.pipeline.jobs.fits.score import expected
from ironbark.pipeline.tables import layout
from ironbark.pipeline.tables.collect import refuse_holes


def run(spec: dict, inputs: dict, stem: Path):
    """Build a table and write ``stem.csv``, ``.md``, ``.tex`` and ``.html``."""
    about = spec["table"]
    kind = find("kind", about["kind"], tables.TABLES)[1]
    data, keywords = artefact_data.read(kind, about, inputs)
    if kind.data == "rows":
        keywords["missing"] = refuse_holes(data, expected(spec), spec["allow_holes"])
    names, note = spec["names"], spec["note"]
    layout.write(tables.build(data, about, **names, caption_note=note, **keywords, **spec["facts"]), Path(stem))

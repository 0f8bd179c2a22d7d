"""One figure of a study."""

from pathlib import Path

from ironbark.entries import find
from ironbark.pipeline import figures
from ironbark.pipeline.jobs.artefacts import artefact_data


def run(spec: dict, inputs: dict, stem: Path):
    """Draw a figure and write ``stem.png``, ``stem.svg`` and ``stem.pdf``."""
    about = spec["figure"]
    data, keywords = artefact_data.read(find("kind", about["kind"], figures.FIGURES)[1], about, inputs)
    names, note = spec["names"], spec["note"]
    figures.save(figures.draw(data, about, **names, caption_note=note, **keywords, **spec["facts"]), stem)

"""One figure of a study."""

from ironbark.entries import find
from ironbark.pipeline import figures
from ironbark.pipeline.jobs.artefacts import artefact_data


def run(spec, inputs, stem):
    """Draw a figure and write ``stem.png``, ``stem.svg`` and ``stem.pdf``.

    Parameters
    ----------
    spec : dict
        Keys figure (entry of the study), names (labels, noise_labels, dataset_labels), note and facts.
    inputs : dict
        Name -> file, of `ironbark.pipeline.plan.study.inputs.files`.
    stem : path
    """
    about = spec["figure"]
    data, keywords = artefact_data.read(find("kind", about["kind"], figures.FIGURES)[1], about, inputs)
    names, note = spec["names"], spec["note"]
    figures.save(figures.draw(data, about, **names, caption_note=note, **keywords, **spec["facts"]), stem)

"""One figure of a study."""

import importlib
from pathlib import Path

import pandas as pd

from ironbark.pipeline import figures
from ironbark.pipeline.analysis.kinds import COMPUTED, CONCEPTS, FIGURE_KINDS
from ironbark.pipeline.results.rows import shown


def run(spec, inputs, stem):
    """Draw a figure and write ``stem.png``, ``stem.svg`` and ``stem.pdf``.

    Parameters
    ----------
    spec : dict
        Keys figure (entry of the study), names (labels, noise_labels) and note.
    inputs : dict
        ``rows`` and what else the kind in `DATA` reads.
    stem : path
    """
    read = DATA.get(spec["figure"]["kind"], _rows)
    figure = figures.draw(read(spec, inputs), spec["figure"], **spec["names"], caption_note=spec["note"])
    figures.save(figure, stem)


def _rows(spec, inputs):
    return shown(inputs["rows"])


def _nothing(spec, inputs):
    return None


def _computed(spec, inputs):
    (module,) = COMPUTED[spec["figure"]["kind"]]
    return importlib.import_module(module).frame()


def _comparison(spec, inputs):
    return pd.read_csv(inputs["comparison"], dtype={"rate": "str", "table": "str"}, keep_default_na=True)


def _matrices(spec, inputs):
    """Title, matrix of the first split and class names, for each noise of the figure."""
    from ironbark.pipeline.data import bundle  # late, here and below: other kinds do without
    from ironbark.pipeline.figures.transition_matrix import title
    from ironbark.pipeline.results import noisy_labels

    classes = bundle.load(Path(inputs["prepared"]).parent).classes(spec["figure"]["task"])
    matrices = []
    for noise_id, path in zip(spec["figure"]["noises"], inputs["labels"], strict=True):
        labels = noisy_labels.read(path)
        flips = labels.flips.sum(axis=0)
        flipped = 1 - flips.trace() / flips.sum()
        matrices.append((title(noise_id, flipped), labels.transition[0], classes))
    return matrices


def _trade_off(spec, inputs):
    """Points of our rows and of the print."""
    from ironbark.pipeline.analysis.published import numbers
    from ironbark.pipeline.analysis.tables import trade_off

    rows = shown(inputs["rows"])
    printed, tradeoff = numbers.rmb(inputs["printed"]), numbers.rmb_tradeoff(inputs["tradeoff"])
    found, datasets = trade_off.sources(rows, spec["figure"], printed, tradeoff, spec["mapping"])
    return found, datasets, trade_off.ids_of(rows, spec["figure"])


#: Figure kinds that are drawn from something else than result rows -> reader.
DATA = {"comparison-scatter": _comparison, "transition-matrix": _matrices, "trade-off": _trade_off}
DATA |= {kind: _nothing for kind in CONCEPTS if kind in FIGURE_KINDS} | dict.fromkeys(COMPUTED, _computed)

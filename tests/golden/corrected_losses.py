"""Golden fits under log losses that are corrected for label noise."""

from functools import partial

import numpy as np
from golden.cases import Case
from golden.gbdt import KINDS, OWN, derivatives, kept, table

from ironbark.boosting.gbdt.losses.corrections import CORRECTIONS, NEED_MATRIX, CorrectedLoss


def matrix(n_classes):
    """Each class keeps 0.8 of its labels; the next one gets most of the rest."""
    return 0.75 * np.eye(n_classes) + 0.15 * np.roll(np.eye(n_classes), 1, axis=1) + 0.1 / n_classes


def _losses(n_classes):
    return [CorrectedLoss(name, n_classes, matrix(n_classes), s) for name in CORRECTIONS for s in (0.0, 0.3)]


def of_losses():
    for library, kind in KINDS.items():
        for name in CORRECTIONS:
            for n_classes in (2, 3):
                own = {"noise_matrix": matrix(n_classes)} if name in NEED_MATRIX else {}
                model = partial(kind, n_estimators=8, loss=name, **OWN[library], **own)
                yield f"{library}, {name}, {n_classes} classes", Case(partial(table, n_classes=n_classes), model, kept)


CASES = {"derivatives": partial(derivatives, _losses), **dict(of_losses())}

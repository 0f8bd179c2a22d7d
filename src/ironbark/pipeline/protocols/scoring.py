"""From what a fit has stored to its scores."""

import numpy as np

from ironbark.pipeline.metrics.functions import Outcome, scores
from ironbark.pipeline.results.array_text import to_array


def scored(record, y_true, clean, noisy, names):
    """A record with its scores in place of its outputs.

    Parameters
    ----------
    record : dict
        Of a fit that did not fail, see `ironbark.pipeline.protocols.fit.run`.
    y_true : ndarray of shape (n_test,), int
        Clean class indices of the test part.
    clean, noisy : ndarray of shape (n_train,), int
        Class indices of the training part before and after the noise.
    names : iterable of str
        Metrics with a ``score`` in `ironbark.pipeline.metrics.METRICS`.

    Returns
    -------
    dict
        A metric without a value is NaN; if there is something to say about that, the key ``message`` does.

    Raises
    ------
    ValueError
        If an output is damaged or does not fit to the labels.
    """
    values, gaps = scores(outcome_of(record, y_true, clean, noisy), names)
    found = {name: value for name, value in record.items() if name not in ("outputs", "gaps")} | values
    return found | ({"message": "; ".join(dict.fromkeys(gaps))} if gaps else {})


def outcome_of(record, y_true, clean, noisy):
    """The `Outcome` of a stored fit."""
    n_classes = int(1 + max(noisy.max(), y_true.max()))
    outputs = {
        name: to_array(text, 8 * max(len(y_true) * n_classes, len(noisy))) for name, text in record["outputs"].items()
    }
    y_pred = (y_true + _of_length(outputs.pop("errors"), len(y_true))) % 256
    if y_pred.max() >= n_classes:
        raise ValueError(f"a stored fit predicts class {y_pred.max()}, of {n_classes} from 0 on")
    if "probabilities" in outputs:
        found = _of_length(outputs["probabilities"], len(y_true))
        outputs["probabilities"] = np.column_stack([1.0 - found, found]) if found.ndim == 1 else found
    return Outcome(y_true, y_pred, n_classes, outputs, record.get("gaps", {}), clean != noisy)


def _of_length(array, n):
    if len(array) != n:
        raise ValueError(f"a stored fit has {len(array)} predictions for {n} samples")
    return array

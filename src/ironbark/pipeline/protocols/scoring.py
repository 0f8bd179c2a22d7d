"""From what a fit has stored to its scores."""

from collections.abc import Iterable

import numpy as np

from ironbark.pipeline.metrics import METRICS, STORED, needs
from ironbark.pipeline.metrics.functions import Outcome, scores
from ironbark.pipeline.results.records import FAILED, MEASURED, OUTPUTS
from ironbark.pipeline.results.store import to_array


def scored(record: dict, y_true: np.ndarray, clean: np.ndarray, noisy: np.ndarray, names: Iterable[str]) -> dict:
    """A record with its scores in place of its outputs."""
    if "scores" in record:
        values, reasons = {name: _score(record, name) for name in names}, record["reasons"]
    else:
        values, reasons = scores(outcome_of(record, y_true, clean, noisy), names)
    sentences = [f"no {name}: {reasons[name]}" for name in values if name in reasons]
    return _columns(record) | values | ({"message": "; ".join(sentences)} if sentences else {})


def with_scores_only(record, y_true, clean, noisy) -> dict:
    """A record with all scores that its outputs allow in place of the outputs, timings in three digits."""
    if "scores" in record:
        return record
    there = outputs_in(record)
    names = [name for name in METRICS if needs(name) in there]
    values, reasons = scores(outcome_of(record, y_true, clean, noisy), names)
    rounded = {name: float(f"{record[name]:.3g}") for name in MEASURED if name in record}
    return _columns(record) | rounded | {"scores": values, "reasons": reasons}


def outputs_in(record: dict) -> set[str]:
    """What of `STORED` a record has; of a fit that failed nothing can be wanted."""
    if record["status"] == FAILED:
        return {*STORED}
    if "scores" in record:
        return STORED - {needs(name) for name in METRICS if name not in record["scores"]}
    found = {*record["outputs"], *record.get("gaps", ())} - {"errors", "decision"}
    return STORED - {*OUTPUTS} | found


def _columns(record):
    return {name: value for name, value in record.items() if name not in ("outputs", "gaps", "scores", "reasons")}


def _score(record, name):
    if name not in record["scores"]:
        raise ValueError(f"it has scores only, and not {name}")
    return record["scores"][name]


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

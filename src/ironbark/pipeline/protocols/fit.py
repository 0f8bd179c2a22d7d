"""One fit: a method trained on the noisy labels of one repeat, and what it predicts for the test part."""

import contextlib
import importlib
import json
import os

import numpy as np

from ironbark.pipeline.protocols import holdout, preprocessing, searches
from ironbark.pipeline.protocols.costs import PeakMemory, cpu_seconds
from ironbark.pipeline.protocols.model_outputs import facts, of_all_classes, probabilities
from ironbark.pipeline.results import records
from ironbark.pipeline.results.store import to_text
from ironbark.seeding import generator, integer_seed

LONGEST = 500  # characters of a message

#: Output -> attribute of a fitted `detector_`, and the type that it is stored in.
OF_DETECTORS = {
    "called_errors": ("is_error_", np.uint8),
    "label_quality": ("label_quality_", np.float64),
    "noise_rate": ("noise_rate_", np.float64),
}


def run(method: dict, ids: tuple, X_train, y_train, X_test, y_test, journal=None, chosen=None, wanted=()) -> dict:
    """Train and predict; whatever the method raises becomes a record of status "failed"."""
    about = {"seed": seed_of(ids), "n_train": len(y_train), "n_test": len(y_test)}
    memory, start = PeakMemory(), cpu_seconds()
    try:
        X_train, X_test = (preprocessing.apply(method.get("preprocess"), X) for X in (X_train, X_test))
        for array in (X_train, y_train, X_test, y_test):  # other fits get them too
            if isinstance(array, np.ndarray):
                array.setflags(write=False)
        with contextlib.chdir(os.getcwd()):  # to which a class that changes the folder comes back
            model, tuned, seconds, validation_accuracy = train(method, ids, X_train, y_train, journal, chosen)
            trained, fit_memory = cpu_seconds(), memory.megabytes()
            predicting = cpu_seconds()
            predicted = np.asarray(model.predict(X_test))
            scored = cpu_seconds() - predicting
            n_classes = int(1 + max(y_train.max(), y_test.max()))
            predicted = _checked(predicted, len(y_test), n_classes)
            outputs, gaps = outputs_of(model, X_test, y_test, predicted, n_classes, wanted)
            record = {"outputs": outputs} | ({"gaps": gaps} if gaps else {})
            record["train_accuracy"] = float(np.mean(model.predict(X_train) == y_train))
            if tuned:
                record["validation_accuracy"] = validation_accuracy
            record |= facts(model)
    except (Exception, SystemExit) as error:  # a cell that fails is a result: it must not sink the sweep
        message = " ".join(f"{type(error).__name__}: {error}".split()).encode("utf-8", "backslashreplace").decode()
        return {**about, "status": records.FAILED, "message": message[:LONGEST]}
    return {**about, **record} | {
        "status": records.OK,
        "tuned": json.dumps(tuned, sort_keys=True),
        "fit_seconds": seconds,
        "tune_seconds": trained - start - seconds + (chosen.seconds if chosen else 0.0) if tuned else 0.0,
        "score_seconds": scored,
        "fit_memory": fit_memory,
    }


def outputs_of(model, X, y, predicted, n_classes, wanted):
    """Outputs of a fitted model for the test part, as texts of `ironbark.pipeline.results.store`."""
    outputs, gaps = {"errors": to_text((predicted.astype(np.int64) - y).astype(np.uint8))}, {}
    name = type(model).__name__
    if not hasattr(model, "predict_proba"):
        gaps["probabilities"] = f"{name} has no predict_proba"
        if "probabilities" in wanted and n_classes == 2 and hasattr(model, "decision_function"):
            outputs["decision"] = to_text(np.asarray(model.decision_function(X), np.float64))
    else:
        found = probabilities(model, X)  # also refuses those that are no numbers
        if "probabilities" in wanted:
            found = of_all_classes(found, model.classes_, n_classes)
            if n_classes == 2 and (found[:, 0] == 1.0 - found[:, 1]).all():  # to the last bit
                found = found[:, 1]
            outputs["probabilities"] = to_text(found)
    for output, (attribute, kind) in OF_DETECTORS.items():
        if not hasattr(model, "detector_"):
            gaps[output] = f"{name} has no detector_"
        elif output in wanted:
            outputs[output] = to_text(np.atleast_1d(np.asarray(getattr(model.detector_, attribute), kind)))
    return outputs, {key: gaps[key] for key in wanted if key in gaps}


def _checked(predicted, n, n_classes):
    """Predicted classes, which have the shape, type and range of classes."""
    if predicted.shape != (n,):
        raise ValueError(f"predict returned shape {predicted.shape} for {n} samples")
    if predicted.dtype.kind not in "iub":
        raise ValueError(f"predict returned {predicted.dtype} for integer classes")
    if n and not 0 <= predicted.min() <= predicted.max() < n_classes:
        raise ValueError(f"predict returned classes {predicted.min()} to {predicted.max()}, of {n_classes} from 0 on")
    return predicted


def seed_of(ids):
    """``random_state`` of a learner, from data set, task, protocol, repeat, fold and noise: methods share it."""
    return integer_seed(*ids, "learner") % 2**31


def train(method: dict, ids: tuple, X, y, journal=None, chosen=None):
    """Fit a method."""
    seed, module = seed_of(ids), searches.module_of(method["tune"])
    if module is None:
        return holdout.fitted(method, seed, X, y)
    options = {"journal": journal} if "trials" in method["tune"] else {"chosen": chosen} if chosen else {}
    return importlib.import_module(module).search(method, X, y, generator(*ids, "tuning"), seed, **options)

"""One fit: a method trained on the noisy labels of one repeat and scored on clean test labels."""

import importlib
import json

import numpy as np

from ironbark.pipeline.protocols import preprocessing
from ironbark.pipeline.protocols.clock import cpu_seconds
from ironbark.pipeline.protocols.metrics import score_metrics, scores
from ironbark.pipeline.protocols.model_statistics import facts
from ironbark.pipeline.protocols.tuning import holdout, searches
from ironbark.pipeline.results import records
from ironbark.seeding import generator, integer_seed


def run(
    method,
    ids,
    X_train,
    y_train,
    X_test,
    y_test,
    journal=None,
    chosen=None,
    measure=None,  # fingerprint: skip
):
    """Train and score; whatever the method raises becomes a row of status "failed".

    Parameters
    ----------
    method : dict
        Resolved entry of a method.
    ids : tuple
        Data set, task, protocol, repeat, fold and noise: the seeds of the learner and of the tuning split are drawn
        from them. The method is not among them, so methods that differ only in their criterion share their seeds.
    X_train, X_test : ndarray or EncodedFeatures
    y_train : ndarray of shape (n_train,), int
        Noisy class indices.
    y_test : ndarray of shape (n_test,), int
        Clean class indices.
    journal : ironbark.pipeline.results.store.Store, optional
        Where a long search keeps what it has done while it runs.
    chosen : ironbark.pipeline.protocols.tuning.holdout.Choice, optional
        The parameters, if another method has searched for them on the same labels. Its seconds count for both.
    measure : callable, optional
        `ironbark.pipeline.protocols.further_metrics.measure`, for a study that asks for these.

    Returns
    -------
    dict
        Columns of `ironbark.pipeline.results.records.COLUMNS` that depend on the fit alone.
    """
    seed = integer_seed(*ids, "learner") % 2**31
    about = {"seed": seed, "n_train": len(y_train), "n_test": len(y_test)}
    record = dict(about)
    start = cpu_seconds()
    try:
        X_train, X_test = (preprocessing.apply(method.get("preprocess"), X) for X in (X_train, X_test))
        model, tuned, seconds, validation_accuracy = _train(method, ids, X_train, y_train, seed, journal, chosen)
        trained = cpu_seconds()
        predicted = np.asarray(model.predict(X_test))
        record |= scores(y_test, _checked(predicted, len(y_test)))
        scored = cpu_seconds()
        record |= score_metrics(model, X_test, y_test, 1 + max(y_train.max(), y_test.max()))
        record["train_accuracy"] = float(np.mean(model.predict(X_train) == y_train))
        if tuned:
            record["validation_accuracy"] = validation_accuracy
        record |= facts(model)
        n_classes = int(1 + max(y_train.max(), y_test.max()))  # fingerprint: skip
        record |= measure(model, X_test, y_test, n_classes) if measure else {}  # fingerprint: skip
    except Exception as error:  # a cell that fails is a result: it must not sink the sweep
        message = " ".join(f"{type(error).__name__}: {error}".split())
        return {**about, "status": records.FAILED, "message": message[:500]}
    return record | {
        "status": records.OK,
        "tuned": json.dumps(tuned, sort_keys=True),
        "fit_seconds": seconds,
        "tune_seconds": trained - start - seconds + (chosen.seconds if chosen else 0.0) if tuned else 0.0,
        "score_seconds": scored - trained,
    }


def _train(method, ids, X, y, seed, journal, chosen):
    module = searches.module_of(method["tune"])
    if module is None:
        return holdout.fitted(method, seed, X, y)
    options = {"journal": journal} if "trials" in method["tune"] else {"chosen": chosen} if chosen else {}
    return importlib.import_module(module).search(method, X, y, generator(*ids, "tuning"), seed, **options)


def _checked(predicted, n):
    if predicted.shape != (n,):
        raise ValueError(f"predict returned shape {predicted.shape} for {n} samples")
    if predicted.dtype.kind not in "iub":
        raise ValueError(f"predict returned {predicted.dtype} for integer classes")
    return predicted

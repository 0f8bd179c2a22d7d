"""Choosing parameters on noisy labels by Optuna's tree-structured Parzen estimator and an inner cross-validation.

The protocol of Robust-GBDT's demos, arXiv:2310.05067v2: 10 trials, stratified 5-fold cross-validation on the noisy
training set, the best parameters fitted to all of it. Optuna draws the first 10 trials at random (``startup``).
"""

import json
import math

import numpy as np
import optuna
from sklearn.metrics import average_precision_score, balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from ironbark.errors import InputError
from ironbark.pipeline.protocols import searches
from ironbark.pipeline.protocols.holdout import fitted, rows_of
from ironbark.pipeline.protocols.model_outputs import minority, scores_of
from ironbark.pipeline.protocols.splitting import capped

optuna.logging.set_verbosity(optuna.logging.ERROR)  # what fails stands in the row of the fit

STARTUP = 10  # random trials before the estimator guides, Optuna's default


def accuracy(model, X, y):
    """Share of the held-out noisy labels that are predicted."""
    return float(np.mean(model.predict(X) == y))


def balanced_accuracy(model, X, y):
    """Mean recall of the classes; labels swapped between classes change it by an affine map only."""
    # Menon, van Rooyen, Ong and Williamson (2015), ICML, section 4: models that rank first on clean labels, also by the
    # area under the ROC curve, do so on noisy ones; the rates need not be known.
    return float(balanced_accuracy_score(y, model.predict(X)))


def average_precision(model, X, y):
    """Average precision of the rarer label."""
    return float(average_precision_score(y == minority(y), scores_of(model, X, minority(y))))


def roc_auc(model, X, y):
    """Area under the ROC curve."""
    return float(roc_auc_score(y == 1, scores_of(model, X, 1)))


def label_probability(model, X, y):
    """Mean predicted probability of the labels, that is 1 minus the mean absolute error, a loss that is symmetric."""
    # Ghosh, Kumar and Sastry (2017), AAAI, Theorem 1: uniform noise does not change which model is best.
    probabilities = model.predict_proba(X)
    columns = np.minimum(np.searchsorted(model.classes_, y), len(model.classes_) - 1)
    known = model.classes_[columns] == y  # a label that training lacked has probability 0
    return float(np.mean(probabilities[np.arange(len(y)), columns] * known))


#: Name -> score(model, X, y) of a held-out fold, larger is better.
SCORES = {name: globals()[name] for name in searches.SCORES}

#: Scores of two classes only; more are scored by accuracy.
TWO_CLASSES = ("average_precision", "roc_auc")


def search(method: dict, X, y, rng, seed, journal=None):
    """Fit a method to all samples with the parameters of the best trial."""
    # All trials have the same folds, which are stratified by the noisy labels. A trial counts by the mean score of its
    # folds; ties go to the first. With ``prune`` a trial ends early, and can't win, once the best of the means of its
    # first folds is below the median of those of the finished trials (Optuna's median rule, from the sixth trial on).
    tune = method["tune"]
    name = tune.get("score", "accuracy")
    if name in TWO_CLASSES and len(np.unique(y)) > 2:
        name = "accuracy"
    split_seed, sampler_seed = (int(value) for value in rng.integers(2**31, size=2))
    rows = tried(y, tune.get("max_samples"), rng)
    folds = StratifiedKFold(tune["cv"], shuffle=True, random_state=split_seed).split(np.zeros(len(rows)), y[rows])
    folds = [(rows[kept], rows[held]) for kept, held in folds]

    def value_of(trial):
        params = {key: suggested(trial, key, values) for key, values in tune["space"].items()}
        found = []
        for i, fold in enumerate(folds):
            place = json.dumps([trial.number, i, params], sort_keys=True)
            known = journal and journal.get(place)
            found.append(known["score"] if known else _score(method, seed, X, y, fold, params, name))
            if journal is not None and not known:
                journal.add(place, {"score": found[-1]})
            trial.report(math.fsum(found) / len(found), i)
            if i + 1 < len(folds) and trial.should_prune():
                raise optuna.TrialPruned
        return math.fsum(found) / len(found)

    pruner = optuna.pruners.MedianPruner() if tune.get("prune") else optuna.pruners.NopPruner()
    sampler = optuna.samplers.TPESampler(seed=sampler_seed, n_startup_trials=tune.get("startup", STARTUP))
    study = optuna.create_study(direction="maximize", sampler=sampler, pruner=pruner)
    study.optimize(value_of, n_trials=tune["trials"])
    complete = study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.COMPLETE,))
    best = max(complete, key=lambda trial: trial.value)  # the first of several
    found = fitted(method, seed, X, y, **best.params)
    return found._replace(validation_accuracy=best.value) if name == "accuracy" else found


def tried(y, most, rng):
    """Ascending indices of the samples that trials see: all, or `most` by `rng`, stratified by y."""
    rows = np.arange(len(y))
    if most is None or len(y) <= most:
        return rows
    n_classes = len(np.unique(y))
    if most < n_classes:
        raise InputError(f"max_samples={most} of `tune` is below the {n_classes} classes; allow more samples.")
    return capped(rows, y, most, int(rng.integers(2**31)), "tuning")


def suggested(trial, name, values):
    """A trial's value of a parameter from a list or a range."""
    if not isinstance(values, dict):
        return trial.suggest_categorical(name, values)
    suggest = trial.suggest_int if searches.is_whole(values) else trial.suggest_float
    options = {key: values[key] for key in ("log", "step") if key in values}
    return suggest(name, values["low"], values["high"], **options)


def _score(method, seed, X, y, fold, params, name):
    kept, held = fold
    X_held = np.asarray(rows_of(X, held))
    model = fitted(method, seed, rows_of(X, kept), y[kept], **params).model
    return SCORES[name](model, X_held, y[held])

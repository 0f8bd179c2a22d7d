"""Repeated stratified cross-validation."""

import numpy as np
from sklearn.model_selection import StratifiedKFold

from ironbark.errors import InputError
from ironbark.pipeline.protocols.splitting.train_cap import capped
from ironbark.pipeline.results.noisy_labels import Split
from ironbark.seeding import integer_seed


def splits(y, split, seed_ids, *, repeats, folds: int = 5, max_train: int | None = None):
    """Yield all folds of one shuffled stratified cross-validation per repeat."""
    y = np.asarray(y)
    classes, counts = np.unique(y, return_counts=True)
    if len(y) < folds:
        raise InputError(f"protocol 'repeated-cv' needs at least folds={folds} samples, but there are {len(y)}.")
    if counts.min() < folds:
        raise InputError(
            f"protocol 'repeated-cv' with folds={folds} needs {folds} samples of each class, but class "
            f"{classes[counts.argmin()]} has {counts.min()}; use fewer folds or leave that class out."
        )
    for repeat in range(repeats):
        seed = integer_seed(*seed_ids, repeat, "split")
        parts = StratifiedKFold(folds, shuffle=True, random_state=seed).split(np.zeros(len(y)), y)
        for fold, (others, test) in enumerate(parts):
            train = capped(others.astype(np.int64), y, max_train, *seed_ids, repeat, fold)
            yield Split(repeat, fold, train, np.sort(test).astype(np.int64))

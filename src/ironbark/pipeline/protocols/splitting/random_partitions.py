"""Repeated stratified random partitions into training and test part."""

import math

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from ironbark.errors import InputError
from ironbark.pipeline.protocols.splitting.train_cap import capped
from ironbark.pipeline.results.noisy_labels import Split
from ironbark.seeding import integer_seed


def splits(y, split, seed_ids, *, repeats, test_size: float | int = 0.1, max_train: int | None = None):
    """Yield one stratified random partition per repeat, as fold 0."""
    y = np.asarray(y)
    _check(y, test_size)
    for repeat in range(repeats):
        seed = integer_seed(*seed_ids, repeat, "split")
        splitter = StratifiedShuffleSplit(1, test_size=test_size, random_state=seed)
        train, test = next(splitter.split(np.zeros(len(y)), y))
        train = capped(train.astype(np.int64), y, max_train, *seed_ids, repeat, 0)
        yield Split(repeat, 0, train, np.sort(test).astype(np.int64))


def _check(y, test_size):
    classes, counts = np.unique(y, return_counts=True)
    if len(y) == 0 or counts.min() < 2:
        culprit = f"class {classes[counts.argmin()]} has 1" if len(y) else "there are none"
        raise InputError(
            f"protocol 'random-partitions' needs 2 samples of each class, but {culprit}; leave that class out."
        )
    n_test = math.ceil(test_size * len(y)) if isinstance(test_size, float) else test_size
    smaller = min(n_test, len(y) - n_test)
    if smaller < len(classes):
        raise InputError(
            f"protocol 'random-partitions' with test_size={test_size} leaves {smaller} of {len(y)} samples in one "
            f"part, fewer than the {len(classes)} classes; choose another test_size."
        )

"""The training and test parts that came with the data set."""

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline.protocols.splitting.train_cap import capped
from ironbark.pipeline.results.noisy_labels import Split


def splits(y, split, seed_ids, *, repeats, max_train: int | None = None):
    """Yield the data set's own split once per repeat, as fold 0."""
    if split is None:
        raise InputError(
            "protocol 'fixed-split' needs a data set with its own test part, but this one has none; "
            "choose 'repeated-cv' or 'random-partitions'."
        )
    split = np.asarray(split)
    if split.shape != np.shape(y) or not np.array_equal(np.unique(split), [0, 1]):
        raise InputError(
            "the split of the data set must hold a 0 (train) or 1 (test) for each sample, and both must occur; "
            "prepare the data set again."
        )
    train, test = (np.flatnonzero(split == part).astype(np.int64) for part in (0, 1))
    for repeat in range(repeats):
        yield Split(repeat, 0, capped(train, y, max_train, *seed_ids, repeat, 0), test)

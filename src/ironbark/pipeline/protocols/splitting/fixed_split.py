"""The training and test parts that came with the data set."""

import numpy as np

from ironbark.errors import InputError
from ironbark.pipeline.protocols.splitting.train_cap import capped
from ironbark.pipeline.results.noisy_labels import Split


def splits(y, split, seed_ids, *, repeats, max_train=None):
    """Yield the data set's own split once per repeat, as fold 0.

    Parameters
    ----------
    y, split, seed_ids, repeats
        As for `ironbark.pipeline.protocols.splits`. The ids matter only with a cap, which keeps other training samples
        in each repeat.
    max_train : int or None
        See `ironbark.pipeline.protocols.splitting.train_cap.capped`.

    Yields
    ------
    Split

    Raises
    ------
    InputError
        If there is no split, it does not fit y, one of its parts is empty, or the cap is too low.
    """
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

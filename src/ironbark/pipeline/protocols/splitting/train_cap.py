"""A cap on the number of training samples."""

import numpy as np

from ironbark.errors import InputError
from ironbark.seeding import generator


def capped(train: np.ndarray, y: np.ndarray, max_train: int | None, *seed_ids) -> np.ndarray:
    """A stratified random subset of training samples."""
    if max_train is None or max_train >= len(train):
        return np.sort(train)
    classes, counts = np.unique(y[train], return_counts=True)
    if max_train < len(classes):
        raise InputError(
            f"max_train={max_train} is below the {len(classes)} classes of the training part; "
            f"allow at least {len(classes)} samples."
        )
    rng = generator(*seed_ids, "cap")
    shares = _allocate(counts, max_train)
    kept = [rng.permutation(train[y[train] == k])[:share] for k, share in zip(classes, shares, strict=True)]
    return np.sort(np.concatenate(kept))


def _allocate(counts, total):
    """Samples per class: between 1 and its count, `total` in all (total < sum of counts)."""
    spare = counts - 1
    quota = (total - len(counts)) * spare / spare.sum()
    shares = np.floor(quota).astype(np.int64)
    missing = total - len(counts) - shares.sum()
    shares[np.argsort(shares - quota, kind="stable")[:missing]] += 1
    return 1 + shares

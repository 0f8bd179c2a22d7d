"""Splits of the protocols: the data set's own, cross-validation, random partitions, training parts of several sizes."""

import math

import numpy as np
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from ironbark.errors import InputError
from ironbark.pipeline.results.noisy_labels import Split
from ironbark.seeding import generator, integer_seed


def fixed_split(y, split, seed_ids, *, repeats, max_train: int | None = None):
    """Yield the data set's own split once per repeat, as fold 0."""
    if split is None:
        raise InputError(
            "protocol 'fixed-split' needs a data set with its own test part, but this one has none; "
            "choose 'repeated-cv' or 'random-partitions'."
        )
    train, test = (np.flatnonzero(np.asarray(split) == part).astype(np.int64) for part in (0, 1))
    for repeat in range(repeats):
        yield Split(repeat, 0, capped(train, y, max_train, *seed_ids, repeat, 0), test)


def repeated_cv(y, split, seed_ids, *, repeats, folds: int = 5, max_train: int | None = None):
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


def random_partitions(y, split, seed_ids, *, repeats, test_size: float | int = 0.1, max_train: int | None = None):
    """Yield one stratified random partition per repeat, as fold 0."""
    y = np.asarray(y)
    _n_test("random-partitions", y, test_size)
    for repeat in range(repeats):
        seed = integer_seed(*seed_ids, repeat, "split")
        splitter = StratifiedShuffleSplit(1, test_size=test_size, random_state=seed)
        train, test = next(splitter.split(np.zeros(len(y)), y))
        train = capped(train.astype(np.int64), y, max_train, *seed_ids, repeat, 0)
        yield Split(repeat, 0, train, np.sort(test).astype(np.int64))


def _n_test(kind, y, test_size):
    """Samples of the test part; InputError if a part would be smaller than the number of classes."""
    classes, counts = np.unique(y, return_counts=True)
    if len(y) == 0 or counts.min() < 2:
        culprit = f"class {classes[counts.argmin()]} has 1" if len(y) else "there are none"
        raise InputError(f"protocol {kind!r} needs 2 samples of each class, but {culprit}; leave that class out.")
    n_test = math.ceil(test_size * len(y)) if isinstance(test_size, float) else test_size
    smaller = min(n_test, len(y) - n_test)
    if smaller < len(classes):
        raise InputError(
            f"protocol {kind!r} with test_size={test_size} leaves {smaller} of {len(y)} samples in one "
            f"part, fewer than the {len(classes)} classes; choose another test_size."
        )
    return n_test


DRAWS = 20  # partitions of which `grouped` takes the one that spreads the classes most evenly


def grouped(y, split, seed_ids, *, repeats, groups, test_size: float | int = 0.1, max_train: int | None = None):
    """Yield one random partition of whole groups per repeat, as fold 0, with every class in both parts."""
    if groups is None:
        raise InputError(
            f"protocol 'grouped' needs a data set with groups, but {seed_ids[0]!r} has none; set `groups` in its entry "
            "to their column, or choose 'random-partitions'."
        )
    y, n_test = np.asarray(y), _n_test("grouped", y, test_size)
    numbers, index = np.unique(groups, return_inverse=True)
    counts = np.zeros((len(numbers), len(classes := np.unique(y))), np.int64)  # of each group's classes
    np.add.at(counts, (index, np.searchsorted(classes, y)), 1)
    for repeat in range(repeats):
        rng = generator(*seed_ids, repeat, "split")
        drawn = [found for _ in range(DRAWS) if (found := _whole_groups(counts, n_test, rng)) is not None]
        if not drawn:
            raise InputError(
                f"protocol 'grouped' with test_size={test_size} found no partition of the {len(numbers)} groups of "
                f"{seed_ids[0]!r} that has every class in both parts; choose another test_size or smaller groups."
            )
        is_test = np.isin(index, min(drawn, key=lambda found: found[0])[1])
        train = capped(np.flatnonzero(~is_test), y, max_train, *seed_ids, repeat, 0)
        yield Split(repeat, 0, train, np.flatnonzero(is_test))


def _whole_groups(counts, n_test, rng):
    """Groups of a test part as near to `n_test` samples as random order allows, after their distance to all classes."""
    order = rng.permutation(len(counts))
    sizes = counts.sum(axis=1)[order].cumsum()[: max(1, len(order) - 1)]
    test = order[: 1 + np.abs(sizes - n_test).argmin()]
    inside, total = counts[test].sum(axis=0), counts.sum(axis=0)
    if (inside == 0).any() or (inside == total).any():
        return None
    return np.abs(inside / inside.sum() - total / total.sum()).sum(), test


def training_sizes(y, split, seed_ids, *, repeats, sizes: list[int] = None, test_size=0.1):
    """Yield one stratified random partition per repeat, its training part cut to each size: fold k has size k."""
    for whole in random_partitions(y, split, seed_ids, repeats=repeats, test_size=test_size):
        for fold, size in enumerate([len(whole.train)] if sizes is None else sizes):
            if size > len(whole.train):
                raise InputError(
                    f"protocol 'training-sizes' asks for {size} training samples of {seed_ids[0]!r}, but its training "
                    f"part has {len(whole.train)}; leave that size out or choose a smaller test_size."
                )
            yield Split(whole.repeat, fold, capped(whole.train, y, size, *seed_ids, whole.repeat, 0), whole.test)


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

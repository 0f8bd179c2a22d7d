"""Files of noisy labels: the splits of a data set, and the labels that noises gave each training part."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from ironbark.files import replacing
from ironbark.pipeline.results.store import undamaged


class Split(NamedTuple):
    """Samples of one repeat and fold."""

    repeat: int
    fold: int
    train: np.ndarray  # of shape (n_train,), int64, ascending
    test: np.ndarray  # of shape (n_test,), int64, ascending


class Labels(NamedTuple):
    """Splits of a data set, and its labels under one noise."""

    splits: list[Split]
    noisy: list[np.ndarray]  # class indices of each split's training part, uint8
    transition: np.ndarray  # of shape (n_splits, n_classes, n_classes): the labels' distribution, rows are true classes
    flips: np.ndarray  # of the same shape: how many labels of each class became which


def write(found: dict[str, Labels], path: Path):
    """Write the labels of a data set and task to an ``.npz`` file, whole or not at all."""
    splits = next(iter(found.values())).splits
    arrays = {name: np.array([getattr(split, name) for split in splits], np.int64) for name in ("repeat", "fold")}
    for part in ("train", "test"):
        rows = [getattr(split, part) for split in splits]
        arrays |= {part: np.concatenate(rows), f"{part}_sizes": np.array(list(map(len, rows)), np.int64)}
    for noise_id, labels in found.items():
        arrays[f"{noise_id}/noisy"] = np.concatenate(labels.noisy)
        arrays |= {f"{noise_id}/transition": labels.transition, f"{noise_id}/flips": labels.flips}
    with replacing(path) as side:
        np.savez_compressed(side, **arrays)


def read(path, noise_id) -> Labels:
    """The labels under a noise in a file that `write` made; InputError if it is damaged."""
    with undamaged(path), np.load(path, allow_pickle=False) as stored:
        ends = np.cumsum(stored["train_sizes"])[:-1]
        train, noisy = np.split(stored["train"], ends), np.split(stored[f"{noise_id}/noisy"], ends)
        test = np.split(stored["test"], np.cumsum(stored["test_sizes"])[:-1])
        columns = stored["repeat"].tolist(), stored["fold"].tolist(), train, test
        splits = list(map(Split._make, zip(*columns, strict=True)))
        return Labels(splits, noisy, stored[f"{noise_id}/transition"], stored[f"{noise_id}/flips"])

"""Files of noisy labels: the splits of a data set, and the labels that noises gave each training part."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ironbark.files import replacing


class Split(NamedTuple):
    """Samples of one repeat and fold."""

    repeat: int
    fold: int
    train: np.ndarray  # of shape (n_train,), int64, ascending
    test: np.ndarray  # of shape (n_test,), int64, ascending


@dataclass(frozen=True)
class Labels:
    """Splits of a data set, and its labels under one noise.

    Attributes
    ----------
    splits : list of Split
        Repeat, fold, train and test indices.
    noisy : list of ndarray of shape (n_train,), uint8
        Noisy class indices of each split's training part.
    transition : ndarray of shape (n_splits, n_classes, n_classes), float64
        Row-stochastic matrix that the labels were drawn from; rows are the true classes.
    flips : ndarray of shape (n_splits, n_classes, n_classes), int64
        How many labels of each class became which.
    """

    splits: list
    noisy: list
    transition: np.ndarray
    flips: np.ndarray


def write(found: dict[str, Labels], path: Path):
    """Write the labels of a data set and task to an ``.npz`` file, whole or not at all."""
    splits = next(iter(found.values())).splits
    arrays = {}
    for noise_id, labels in found.items():
        arrays[f"{noise_id}/noisy"] = np.concatenate(labels.noisy)
        arrays |= {f"{noise_id}/transition": labels.transition, f"{noise_id}/flips": labels.flips}
    with replacing(path) as side:
        np.savez_compressed(
            side,
            repeat=np.array([s.repeat for s in splits], np.int64),
            fold=np.array([s.fold for s in splits], np.int64),
            train=np.concatenate([s.train for s in splits]),
            train_sizes=np.array([len(s.train) for s in splits], np.int64),
            test=np.concatenate([s.test for s in splits]),
            test_sizes=np.array([len(s.test) for s in splits], np.int64),
            **arrays,
        )


def noises(path):
    """Noises of a file that `write` made, in their order."""
    with np.load(path, allow_pickle=False) as stored:
        return [name.removesuffix("/flips") for name in stored.files if name.endswith("/flips")]


def read(path, noise_id):
    """The `Labels` of a noise in a file that `write` made."""
    with np.load(path, allow_pickle=False) as stored:
        ends = np.cumsum(stored["train_sizes"])[:-1]
        train, noisy = np.split(stored["train"], ends), np.split(stored[f"{noise_id}/noisy"], ends)
        test = np.split(stored["test"], np.cumsum(stored["test_sizes"])[:-1])
        splits = [
            Split(int(repeat), int(fold), a, b)
            for repeat, fold, a, b in zip(stored["repeat"], stored["fold"], train, test, strict=True)
        ]
        return Labels(splits, noisy, stored[f"{noise_id}/transition"], stored[f"{noise_id}/flips"])


def matrix(path, noise_id) -> dict:
    """Transition matrix of the labels under a noise, for readers."""
    with np.load(path, allow_pickle=False) as stored:
        transition, flips = stored[f"{noise_id}/transition"][0], stored[f"{noise_id}/flips"].sum(axis=0)
    return {"matrix": transition.tolist(), "flipped": float(1 - flips.trace() / flips.sum())}

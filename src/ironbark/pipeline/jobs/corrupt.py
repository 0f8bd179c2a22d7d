"""Noisy labels of every repeat and fold of one data set, task and noise, in one file."""

import importlib  # fingerprint: skip
from dataclasses import dataclass

import numpy as np

from ironbark import noise
from ironbark.files import replacing
from ironbark.pipeline import protocols
from ironbark.pipeline.data import bundle
from ironbark.seeding import generator

#: Fills in missing values; imported by name, as labels of other data sets do not depend on it.
IMPUTATION = "ironbark.pipeline.protocols.imputation"  # fingerprint: skip


@dataclass(frozen=True)
class Labels:
    """What a labels file holds.

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


def run(spec, prepared, out):
    """Split, corrupt and write.

    Parameters
    ----------
    spec : dict
        Keys dataset, task, noise_id, noise (model, rate, params) and protocol (kind, repeats, options).
    prepared : path
        Folder of the prepared data set.
    out : path
        The ``.npz`` file.
    """
    data = bundle.load(prepared, verify=True)  # once for all fits that follow; these only map the arrays
    y = data.y(spec["task"])
    n_classes = len(data.classes(spec["task"]))
    model, about, protocol = spec["noise"]["model"], spec["noise"], spec["protocol"]
    rate = noise.check_rate(model, about["rate"], n_classes)
    ids = (spec["dataset"], spec["task"], protocol["kind"])
    splits = list(
        protocols.splits(protocol["kind"], y, data.split, ids, repeats=protocol["repeats"], **protocol["options"])
    )
    X = data.features.decode() if noise.resolve(model)[1].needs_features else None
    noisy, transition, flips = [], [], []
    for split in splits:
        rng = generator(*ids, split.repeat, split.fold, spec["noise_id"], "noise")
        clean = y[split.train]
        part = None if X is None else X[split.train]
        if part is not None and "imputed" in data.meta:  # fingerprint: skip
            part = importlib.import_module(IMPUTATION).of_split(data.features, split, data.meta)[0]  # fingerprint: skip
            part = part.decode()  # fingerprint: skip
        result = noise.apply(model, part, clean, n_classes, rate, rng, **about["params"])
        noisy.append(result.labels.astype(np.uint8))
        transition.append(result.transition)
        pairs = np.bincount(clean.astype(np.int64) * n_classes + result.labels, minlength=n_classes**2)
        flips.append(pairs.reshape(n_classes, n_classes))
    write(Labels(splits, noisy, np.array(transition), np.array(flips)), out)


def write(labels, path):
    """Write labels to an ``.npz`` file, whole or not at all."""
    splits = labels.splits
    with replacing(path) as side:
        np.savez_compressed(
            side,
            repeat=np.array([s.repeat for s in splits], np.int64),
            fold=np.array([s.fold for s in splits], np.int64),
            train=np.concatenate([s.train for s in splits]),
            train_sizes=np.array([len(s.train) for s in splits], np.int64),
            test=np.concatenate([s.test for s in splits]),
            test_sizes=np.array([len(s.test) for s in splits], np.int64),
            noisy=np.concatenate(labels.noisy),
            transition=labels.transition,
            flips=labels.flips,
        )


def read(path):
    """The `Labels` of a file that `write` made."""
    with np.load(path, allow_pickle=False) as stored:
        ends = np.cumsum(stored["train_sizes"])[:-1]
        train, noisy = np.split(stored["train"], ends), np.split(stored["noisy"], ends)
        test = np.split(stored["test"], np.cumsum(stored["test_sizes"])[:-1])
        splits = [
            protocols.Split(int(repeat), int(fold), a, b)
            for repeat, fold, a, b in zip(stored["repeat"], stored["fold"], train, test, strict=True)
        ]
        return Labels(splits, noisy, stored["transition"], stored["flips"])

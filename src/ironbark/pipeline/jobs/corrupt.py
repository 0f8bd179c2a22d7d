"""Noisy labels of every repeat and fold of one data set, task and noise, in one file."""

import importlib

import numpy as np

from ironbark import noise
from ironbark.errors import InputError
from ironbark.pipeline import protocols
from ironbark.pipeline.data import bundle
from ironbark.pipeline.results import noisy_labels
from ironbark.seeding import generator

#: Fills in missing values; imported by name, as labels of other data sets do not depend on it.
IMPUTATION = "ironbark.pipeline.protocols.imputation"


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
    params = by_position(about["params"], data.meta)
    X = data.features.decode() if noise.resolve(model)[1].needs_features else None
    given = data.given_y(spec["task"]) if noise.resolve(model)[1].needs_given else None
    noisy, transition, flips = [], [], []
    for split in splits:
        rng = generator(*ids, split.repeat, split.fold, spec["noise_id"], "noise")
        clean = y[split.train]
        part = None if X is None else X[split.train]
        if given is not None:
            params = params | {"given": given[split.train]}
        if part is not None and "imputed" in data.meta:
            part = importlib.import_module(IMPUTATION).of_split(data.features, split, data.meta)[0]
            part = part.decode()
        result = noise.apply(model, part, clean, n_classes, rate, rng, **params)
        noisy.append(result.labels.astype(np.uint8))
        transition.append(result.transition)
        pairs = np.bincount(clean.astype(np.int64) * n_classes + result.labels, minlength=n_classes**2)
        flips.append(pairs.reshape(n_classes, n_classes))
    noisy_labels.write(noisy_labels.Labels(splits, noisy, np.array(transition), np.array(flips)), out)


def by_position(params, meta):
    """Parameters of a noise with the position of a column that is named, and the code of a category.

    Parameters
    ----------
    params : dict
        ``column`` may be the name of a feature, and ``value`` that of one of its categories.
    meta : dict
        Content of ``meta.json``.

    Raises
    ------
    InputError
        If the data set has no such feature, or the feature no such category.
    """
    column, value = params.get("column"), params.get("value")
    if isinstance(column, str):
        column = _position(f"feature {column!r}", column, meta["features"], meta)
    if isinstance(value, str):
        name = None if column is None or column >= len(meta["features"]) else meta["features"][column]
        value = _position(f"category {value!r} of feature {name!r}", value, meta["categories"].get(name, []), meta)
    return params | {name: found for name, found in (("column", column), ("value", value)) if name in params}


def _position(what, name, known, meta):
    if name in known:
        return known.index(name)
    have = f"choose one of {', '.join(known[:20])}" if known else "give a number"
    raise InputError(f"data set {meta['id']!r} has no {what}, which a noise asks for; {have}.")

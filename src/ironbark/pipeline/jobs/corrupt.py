"""Noisy labels of every noise, repeat and fold of one data set and task, in one file."""

import functools
from pathlib import Path

import numpy as np

from ironbark import noise
from ironbark.errors import InputError, located
from ironbark.pipeline import protocols
from ironbark.pipeline.data import bundle
from ironbark.pipeline.job_specs import Labels
from ironbark.pipeline.protocols import imputation
from ironbark.pipeline.results import noisy_labels
from ironbark.seeding import generator


def run(spec: Labels, prepared: Path, out: Path):
    """Split, corrupt and write."""
    data = bundle.load(prepared)
    y, protocol = data.y(spec.task), spec.protocol
    ids = (spec.dataset, spec.task, protocol["kind"])
    options = {"repeats": protocol["repeats"], "groups": data.groups, **protocol["options"]}
    splits = list(protocols.splits(protocol["kind"], y, data.split, ids, **options))
    decoded = functools.cache(data.features.decode)  # when the first noise asks for features
    found = {}
    for noise_id, about in spec.noises.items():
        with located(f"{noise_id!r} on data set {spec.dataset!r}"):
            found[noise_id] = _corrupted(about, noise_id, data, spec.task, ids, splits, decoded)
    noisy_labels.write(found, out)


def _corrupted(about, noise_id, data, task, ids, splits, decoded):
    """The `Labels` of all splits under one noise."""
    y, n_classes = data.y(task), len(data.classes(task))
    kind = noise.resolve(about["model"])[1]
    params = by_position(about["params"], data.meta)
    given = data.given_y(task) if kind.needs_given else None
    noisy, transition, flips = [], [], []
    for split in splits:
        rng = generator(*ids, split.repeat, split.fold, noise_id, "noise")
        clean = y[split.train]
        part = _features(data, decoded, split) if kind.needs_features else None
        if given is not None:
            params = params | {"given": given[split.train]}
        result = noise.apply(about["model"], part, clean, n_classes, about["rate"], rng, **params)
        noisy.append(result.labels.astype(np.uint8))
        transition.append(result.transition)
        pairs = np.bincount(clean.astype(np.int64) * n_classes + result.labels, minlength=n_classes**2)
        flips.append(pairs.reshape(n_classes, n_classes))
    return noisy_labels.Labels(splits, noisy, np.array(transition), np.array(flips))


def _features(data, decoded, split):
    """Features of the training part, with missing values filled in where the data set says so."""
    if "imputed" in data.meta:
        return imputation.of_split(data.features, split, data.meta)[0].decode()
    return decoded()[split.train]


def by_position(params: dict, meta: dict):
    """Parameters of a noise with the position of a column that is named, and the code of a category."""
    column, value = params.get("column"), params.get("value")
    if isinstance(column, str):
        column = _position(f"feature {column!r}", column, meta["features"], meta)
    name = None if column is None or column >= len(meta["features"]) else meta["features"][column]
    categories = meta["categories"].get(name, [])
    if isinstance(value, str) or (value is not None and categories):
        value = _position(f"category {value!r} of feature {name!r}", str(value), categories, meta)
    return params | {name: found for name, found in (("column", column), ("value", value)) if name in params}


def _position(what, name, known, meta):
    if name in known:
        return known.index(name)
    have = f"choose one of {', '.join(known[:20])}" if known else "give a number"
    raise InputError(f"data set {meta['id']!r} has no {what}, which a noise asks for; {have}.")

"""A batch of fits: what the store has is taken from it, what it lacks is run and added."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from ironbark.encoding import encode
from ironbark.errors import InputError
from ironbark.files import digest
from ironbark.pipeline.job_specs import Shard, text
from ironbark.pipeline.jobs import supervisor
from ironbark.pipeline.jobs.samples import Samples
from ironbark.pipeline.log import say
from ironbark.pipeline.protocols import fit, imputation, preprocessing
from ironbark.pipeline.protocols.holdout import Choice
from ironbark.pipeline.protocols.methods import takes_encoded
from ironbark.pipeline.protocols.scoring import outputs_in
from ironbark.pipeline.protocols.searches import PARTS, chooser
from ironbark.pipeline.results import records, store

MANY = 4  # levels for each cell of a training part, above which it gets levels of its own
TRIED, LEAST = 200, 10  # samples that an added method is fitted to first, and of each class at least, where there are


def run(spec: Shard, samples: Samples, stores: Path, out: Path):
    """Run the missing fits of a batch and write all of them."""
    supervisor.run(lambda watching: _run(spec, samples, stores, out, watching), spec.fit_minutes)


def _run(spec, samples, stores, out, watching):
    untried = set(spec.added)
    with threadpool_limits(1):  # one core per job, and the same bits however many there are
        fits = [one for part in spec.parts for one in fits_of(spec, part, samples, stores, watching, untried)]
    for one in fits:
        if one["record"]["status"] == records.FAILED:
            ids = (one[key] for key in ("dataset", "task", "noise_id", "method"))
            say(f"FAILED {' '.join(ids)} repeat {one['repeat']} fold {one['fold']}: {one['record']['message']}")
    noises = {}  # noise id -> data set and task -> model and rate text
    for part in spec.parts:
        for noise_id, about in part.noises.items():
            noises.setdefault(noise_id, {})[f"{part.dataset} {part.task}"] = about
    header = {name: getattr(spec, name) for name in ("study", "scale", "protocol", "versions")}
    store.write_batch(out, header | {"noises": noises, "spec": digest(text(spec).encode())}, fits)


def fits_of(spec, part, samples, root, watching, untried):
    """Fits of one data set and task, as lines of `ironbark.pipeline.results.store`."""
    place = part.dataset, part.task
    features = Parts(samples.data(part.dataset), part.task)
    for noise_id in part.noises:
        splits = samples.splits(*place, noise_id)
        folder = Path(root, *place, noise_id)
        stores = {name: store.Store(folder / f"{name}.jsonl") for name in part.methods}
        methods = {name: StoredFits(name, stores, spec.methods, spec.alone) for name in part.methods}
        for split, noisy in splits.values():
            ids = ids_of(spec, (*place, noise_id), split)
            for method_id, stored in methods.items():  # one after the other, since they share the features of a split
                key, record = _fit(spec, features, stored, ids, split, noisy, watching, untried)
                names = {"dataset": place[0], "task": place[1], "noise_id": noise_id, "method": method_id}
                yield {**names, "repeat": split.repeat, "fold": split.fold, "key": key, "record": record}
        for method_id, stored in methods.items():
            say(f"{' '.join(place)} {noise_id} {method_id}: {len(splits)} fits, {stored.new} of them new")


def _fit(spec, parts, stored, ids, split, noisy, watching, untried):
    """Key and record of one fit, from the store or new."""
    depends = depends_on(parts.data, stored.method, ids, split, noisy)
    key, wanted = key_of_fit(stored.method, depends), spec.wanted.get(ids[1], [])
    before, path = stored.fits.get(key), stored.fits.path
    if before is not None and {"labels", *wanted} <= outputs_in(before):
        failed = before["status"] == records.FAILED and key not in watching.given_up
        if not (failed and (spec.retry_failed or supervisor.had_less_time(before, spec.fit_minutes))):
            return key, before
    if path.stem in untried:
        untried.remove(path.stem)
        _try(path.stem, stored.method, parts, ids, split, noisy, watching)
    if before is not None and before["status"] == records.OK:
        # Two studies that want different outputs share the fit.
        wanted = sorted({*wanted, *outputs_in(before)} - {"labels"})
    times = 2 if spec.alone and stored.new == 0 else 1
    begun = path.absolute().with_name(f"{path.stem}.{key}.trials")
    journal = store.Store(begun) if times == 1 else None  # where timings matter, nothing may be taken from before
    with watching.over(path, key, about(parts, split, noisy)):
        for _ in range(times):
            record = trained(parts, stored.method, ids, split, noisy, journal, stored.choice(depends), wanted)
    stored.fits.add(key, record)
    stored.new += 1
    begun.unlink(missing_ok=True)
    return key, record


def _try(method_id, method, parts, ids, split, noisy, watching):
    """Fit a method that the user added to a few samples, stratified, so that a mistake is reported before it costs."""
    sizes = {label: max(LEAST, round(TRIED * np.mean(noisy == label))) for label in np.unique(noisy)}
    rows = np.sort(np.concatenate([np.flatnonzero(noisy == label)[:size] for label, size in sizes.items()]))
    few = split._replace(train=split.train[rows])
    with watching.over(None, f"method {method_id!r}", {}):
        record = trained(Parts(parts.data, ids[1]), method, ids, few, noisy[rows])
    if record["status"] == records.FAILED:
        raise InputError(
            f"method {method_id!r} cannot be fitted to {len(rows)} samples of {ids[0]} ({record['message']}); correct "
            "its entry or its class"
        )


def ids_of(spec, place, split):
    """What the seeds of a fit depend on."""
    return (*place[:2], spec.protocol, split.repeat, split.fold, place[2])


def about(parts, split, noisy):
    """Part of a fit's record that does not depend on its method."""
    flipped = float(np.mean(parts.y[split.train] != noisy))
    sizes = {"n_train": len(split.train), "n_test": len(split.test)}
    return {"flipped": flipped, **sizes, "repeat": split.repeat, "fold": split.fold}


def trained(parts, method, ids, split, noisy, journal=None, chosen=None, wanted=()):
    """A new fit; see `ironbark.pipeline.protocols.fit.run`."""
    X_train, X_test = parts.features(split, encoded=takes_encoded(method))
    if method.get("preprocess") == preprocessing.CATEGORIES:
        X_train = X_train.with_categories(imputation.categorical_places(parts.data.meta))
    record = fit.run(method, ids, X_train, noisy, X_test, parts.y[split.test], journal, chosen, wanted)
    return record | about(parts, split, noisy)


def depends_on(data, method: dict, ids: tuple, split, noisy: np.ndarray):
    """Dependencies of a fit besides its method, as JSON; which features are categorical, where that matters."""
    depends = {"data": data.meta["digest"], "split": _digest(split.train, split.test), "labels": _digest(noisy)}
    depends["ids"] = ids
    depends |= {"imputed": data.meta["imputed"]} if "imputed" in data.meta else {}
    matters = "imputed" in data.meta or method.get("preprocess") == preprocessing.CATEGORIES
    return depends | ({"categories": imputation.categorical_places(data.meta)} if matters else {})


def _digest(*arrays):
    return digest(*(f"{array.dtype} {array.shape}".encode() + array.tobytes() for array in arrays))


class Parts:
    """Training and test features of the splits of one data set; those of the latest split are kept for the next fit."""

    def __init__(self, data, task):
        self.data = data
        self.y = data.y(task)
        self._key, self._encoded, self._plain = None, None, None

    def features(self, split, encoded):
        """Training features (encoded, or an array) and test features (an array) of a split."""
        key = _digest(split.train, split.test)
        if key != self._key:
            self._key, self._plain = key, None
            self._encoded = self._of(split)
        train, test = self._encoded
        if encoded:
            return replace(train, derived={}), test  # each fit pays for what it derives, whichever came before
        if self._plain is None:
            self._plain = train.decode()
        return self._plain, test

    def _of(self, split):
        if "imputed" in self.data.meta:
            return imputation.of_split(self.data.features, split, self.data.meta)
        train, test = (self.data.features.take(rows) for rows in (split.train, split.test))
        many = len(train.levels) > MANY * train.codes.size  # those of the whole data set, most of which do not occur
        if many and not train.missing.any() and not imputation.categorical_places(self.data.meta):
            train = encode(train.decode())
        return train, test.decode()


class StoredFits:
    """Fits of one method under one noise; nothing is taken from other methods if it is timed alone."""

    def __init__(self, method_id, stores, methods, alone=False):
        self.method, self.fits, self.new = methods[method_id], stores[method_id], 0
        other = None if alone else chooser(method_id, list(stores), methods)
        self._other = other and (methods[other], stores[other])

    def choice(self, parts):
        """Choice of another method for the fit with these dependencies; None if there is none, or it failed."""
        if self._other is None:
            return None
        method, fits = self._other
        record = fits.get(key_of_fit(method, parts))
        if record is None or record["status"] != records.OK:
            return None
        seconds = record["tune_seconds"] + record["fit_seconds"]
        return Choice(json.loads(record["tuned"]), record["validation_accuracy"], seconds)


def key_of_fit(method, parts):
    """Key of a fit of a method that depends on these parts, a dict."""
    return store.key_of(**parts, method={name: method.get(name) for name in PARTS}, code=method["code"])

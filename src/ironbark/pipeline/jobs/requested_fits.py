"""The fits that batches ask for, with the key of each, and some of them trained again."""

from dataclasses import dataclass
from functools import lru_cache

from threadpoolctl import threadpool_limits

from ironbark.pipeline.data import bundle
from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import shard
from ironbark.pipeline.jobs.shard import key_of_fit


@dataclass(frozen=True)
class Fit:
    """A fit that a batch asks for."""

    dataset: str
    task: str
    noise: str
    method: str
    repeat: int
    fold: int
    n_train: int
    n_test: int
    batch: int  # which of the batches asks for it
    index: int  # which of the splits it is on

    def __str__(self):
        place = f"{self.dataset} {self.task} {self.noise} {self.method}"
        return f"{place} repeat {self.repeat} fold {self.fold}"


def requested(specs: list[Shard], prepared: dict, labels: dict):
    """All fits of batches."""
    for batch, spec in enumerate(specs):
        for part in spec.parts:
            data = bundle.load(prepared[part.dataset])
            for noise_id in part.noises:
                place = part.dataset, part.task, noise_id
                found = _on_splits(spec, batch, data, place, _labels(labels, place))
                for method_id in part.methods:
                    method = spec.methods[method_id]
                    fits = {key_of_fit(method, depends): Fit(*place, method_id, *where) for depends, where in found}
                    yield (*place, method_id), fits


def _on_splits(spec, batch, data, place, noisy):
    """Dependencies of the fits on each split besides the method, and the rest of their `Fit`."""
    found = []
    for index, (split, noisy_train) in enumerate(zip(noisy.splits, noisy.noisy, strict=True)):
        depends = shard.depends_on(data, _ids(spec, place, split), split, noisy_train)
        found.append((depends, (split.repeat, split.fold, len(split.train), len(split.test), batch, index)))
    return found


def trained(specs, prepared, labels, fits):
    """Train fits on this machine, with nothing taken from the store."""
    before, noisy, features = None, None, None
    for fit, wanted in fits:
        place = fit.dataset, fit.task, fit.noise
        if place != before:
            noisy = _labels(labels, place)
            features, before = shard.Parts(bundle.load(prepared[fit.dataset]), fit.task), place
        spec, split, noisy_train = specs[fit.batch], noisy.splits[fit.index], noisy.noisy[fit.index]
        method, ids = spec.methods[fit.method], _ids(spec, place, split)
        with threadpool_limits(1):
            record = shard.trained(features, method, ids, split, noisy_train, wanted=wanted)
        yield fit, record | shard.about(features, split, noisy_train)


class Labels:
    """Clean and noisy labels of fits; those of a data set, task and noise that follow each other are read once."""

    def __init__(self, prepared, labels):
        self._clean = lru_cache(1)(lambda dataset, task: bundle.load(prepared[dataset]).y(task))
        self._noisy = lru_cache(1)(lambda *place: _labels(labels, place))

    def of(self, fit):
        """Clean test labels, clean training labels and noisy training labels of a fit, class indices."""
        y, noisy = self._clean(fit.dataset, fit.task), self._noisy(fit.dataset, fit.task, fit.noise)
        split = noisy.splits[fit.index]
        return y[split.test], y[split.train], noisy.noisy[fit.index]


def _ids(spec, place, split):
    return (*place[:2], spec.protocol, split.repeat, split.fold, place[2])


def _labels(labels, place):
    return shard.labels_of(labels[place[:2]], place[2])

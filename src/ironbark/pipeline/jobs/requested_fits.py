"""The fits that batches ask for, with the key of each, and some of them trained again."""

from functools import partial
from typing import NamedTuple

from threadpoolctl import threadpool_limits

from ironbark.pipeline.data import bundle
from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import shard
from ironbark.pipeline.results import noisy_labels


class Fit(NamedTuple):
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

    def __str__(self):
        return f"{' '.join(self[:4])} repeat {self.repeat} fold {self.fold}"


def requested(specs: list[Shard], prepared: dict, labels: dict):
    """All fits of batches: data set, task, noise and method, and key -> `Fit`."""
    for batch, spec in enumerate(specs):
        for part in spec.parts:
            data = bundle.load(prepared[part.dataset])
            for noise_id in part.noises:
                place, found = (part.dataset, part.task, noise_id), []
                noisy = noisy_labels.read(labels[place[:2]], noise_id)
                for split, noisy_train in zip(noisy.splits, noisy.noisy, strict=True):
                    depends = partial(
                        shard.depends_on, data, ids=_ids(spec, place, split), split=split, noisy=noisy_train
                    )
                    found.append((depends, (*split[:2], len(split.train), len(split.test), batch)))
                for method_id in part.methods:
                    method, at = spec.methods[method_id], (*place, method_id)
                    yield at, {shard.key_of_fit(method, depends(method)): Fit(*at, *where) for depends, where in found}


def trained(specs, prepared, labels, fits):
    """Train fits on this machine, with nothing taken from the store."""
    before = None
    for fit, wanted in fits:
        if fit[:3] != before:
            before, noisy = fit[:3], noisy_labels.read(labels[fit[:2]], fit.noise)
            features = shard.Parts(bundle.load(prepared[fit.dataset]), fit.task)
            pairs = {split[:2]: (split, own) for split, own in zip(noisy.splits, noisy.noisy, strict=True)}
        spec, (split, noisy_train) = specs[fit.batch], pairs[fit.repeat, fit.fold]
        with threadpool_limits(1):
            ids = _ids(spec, fit[:3], split)
            record = shard.trained(features, spec.methods[fit.method], ids, split, noisy_train, wanted=wanted)
        yield fit, record


def _ids(spec, place, split):
    return (*place[:2], spec.protocol, split.repeat, split.fold, place[2])

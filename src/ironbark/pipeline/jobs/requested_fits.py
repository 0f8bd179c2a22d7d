"""The fits that batches ask for, as packs hold them, and some of them trained again."""

from typing import NamedTuple

from threadpoolctl import threadpool_limits

from ironbark.pipeline.job_specs import Shard
from ironbark.pipeline.jobs import shard
from ironbark.pipeline.jobs.samples import Samples


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


def requested(specs: list[Shard], samples: Samples) -> dict:
    """(Member of packs, method) -> key -> `Fit`, of all fits of batches."""
    found = {}
    for batch, spec in enumerate(specs):
        for part in spec.parts:
            data = samples.data(part.dataset)
            for noise_id in part.noises:
                place = part.dataset, part.task, noise_id
                for split, noisy in samples.splits(*place).values():
                    ids, sizes = shard.ids_of(spec, place, split), (len(split.train), len(split.test))
                    for method_id in part.methods:
                        method = spec.methods[method_id]
                        key = shard.key_of_fit(method, shard.depends_on(data, method, ids, split, noisy))
                        fits = found.setdefault((f"store/{'/'.join(place)}.jsonl", method_id), {})
                        fits[key] = Fit(*place, method_id, *split[:2], *sizes, batch)
    return found


def trained(specs, samples, fits):
    """Train fits on this machine, with nothing taken from the store."""
    before = None
    for fit, wanted in fits:
        if fit[:2] != before:
            before, features = fit[:2], shard.Parts(samples.data(fit.dataset), fit.task)
        spec, (split, noisy) = specs[fit.batch], samples.splits(*fit[:3])[fit.repeat, fit.fold]
        with threadpool_limits(1):
            ids = shard.ids_of(spec, fit[:3], split)
            record = shard.trained(features, spec.methods[fit.method], ids, split, noisy, wanted=wanted)
        yield fit, record

"""Random partitions with training parts of several sizes, for running times against the size."""

from ironbark.errors import InputError
from ironbark.pipeline.protocols.splitting import random_partitions
from ironbark.pipeline.protocols.splitting.train_cap import capped
from ironbark.pipeline.results.noisy_labels import Split


def splits(y, split, seed_ids, *, repeats, sizes: list[int] = None, test_size=0.1):
    """Yield one stratified random partition per repeat, its training part cut to each size: fold k has size k."""
    for whole in random_partitions.splits(y, split, seed_ids, repeats=repeats, test_size=test_size):
        for fold, size in enumerate([len(whole.train)] if sizes is None else sizes):
            if size > len(whole.train):
                raise InputError(
                    f"protocol 'training-sizes' asks for {size} training samples of {seed_ids[0]!r}, but its training "
                    f"part has {len(whole.train)}; leave that size out or choose a smaller test_size."
                )
            yield Split(whole.repeat, fold, capped(whole.train, y, size, *seed_ids, whole.repeat, 0), whole.test)

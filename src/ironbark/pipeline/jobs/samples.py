"""What a job trains and scores fits with: prepared data sets, and the splits and labels of noises."""

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ironbark.errors import InputError
from ironbark.pipeline.data import bundle
from ironbark.pipeline.results import noisy_labels


class Samples:
    """Data and labels by their ids, from folders of data sets and files ``DATA SET/TASK.npz``; the latest are kept."""

    def __init__(self, prepared: Iterable, labels: Iterable):
        self.folders = {Path(folder).name: Path(folder) for folder in prepared}
        self.files = {Path(path).with_suffix("").parts[-2:]: path for path in labels}
        self.clean = lru_cache(4)(lambda dataset, task: self.data(dataset).y(task))
        self.splits = lru_cache(4)(self._splits)

    def data(self, dataset):
        """The opened data set."""
        return bundle.load(self.folders[dataset])

    def _splits(self, dataset, task, noise_id):
        """(repeat, fold) -> the split and the noisy labels of its training part."""
        found = noisy_labels.read(self.files[dataset, task], noise_id)
        return {split[:2]: (split, noisy) for split, noisy in zip(found.splits, found.noisy, strict=True)}

    def truth(self, dataset, task, noise_id, repeat, fold):
        """Clean test labels, clean training labels and noisy training labels of a fit, class indices."""
        y, splits = self.clean(dataset, task), self.splits(dataset, task, noise_id)
        if (repeat, fold) not in splits:
            raise InputError(f"the labels of {dataset} {task} {noise_id} lack repeat {repeat}; start the study again")
        split, noisy = splits[repeat, fold]
        return y[split.test], y[split.train], noisy

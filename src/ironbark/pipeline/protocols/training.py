"""A method trained on noisy labels: its parameters as the entry has them, or as a search chooses them."""

import importlib

from ironbark.pipeline.protocols.tuning import holdout, searches
from ironbark.seeding import generator, integer_seed


def seed_of(ids):
    """``random_state`` of a learner, drawn from data set, task, protocol, repeat, fold and noise.

    The method is not among them, so methods that differ only in their criterion share their seeds.
    """
    return integer_seed(*ids, "learner") % 2**31


def train(method: dict, ids: tuple, X, y, journal=None, chosen=None):
    """Fit a method."""
    seed, module = seed_of(ids), searches.module_of(method["tune"])
    if module is None:
        return holdout.fitted(method, seed, X, y)
    options = {"journal": journal} if "trials" in method["tune"] else {"chosen": chosen} if chosen else {}
    return importlib.import_module(module).search(method, X, y, generator(*ids, "tuning"), seed, **options)

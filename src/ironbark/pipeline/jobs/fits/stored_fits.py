"""The fits that the store has of one method under one noise, and what another method has chosen for it."""

import json

from ironbark.pipeline.protocols.scoring import outputs_in
from ironbark.pipeline.protocols.tuning.holdout import Choice
from ironbark.pipeline.protocols.tuning.searches import PARTS, chooser
from ironbark.pipeline.results import records, store


class StoredFits:
    """Fits of one method under one noise.

    Parameters
    ----------
    folder : Path
        Where the store has the fits of all methods under this noise.
    method_id : str
    names : sequence of str
        Ids of all methods of the batch, in the order in which they are fitted.
    methods : dict
        Id -> resolved entry with ``code``, what it runs.
    alone : bool
        Whether timings matter: then nothing is taken from other methods.

    Attributes
    ----------
    method : dict
    fits : ironbark.pipeline.results.store.Store
    new : int
        How many fits were added.
    """

    def __init__(self, folder, method_id, names, methods, alone=False):
        self.method = methods[method_id]
        self.fits = store.Store(folder / f"{method_id}.jsonl")
        self.new = 0
        other = None if alone else chooser(method_id, names, methods)
        self._other = other and (methods[other], store.Store(folder / f"{other}.jsonl"))

    def key(self, parts):
        """Key of a fit that depends on these parts, a dict, and on the method."""
        return key_of_fit(self.method, parts)

    def record(self, key, wanted=()):
        """Record of a fit, or None if there is none or it lacks one of the wanted outputs."""
        found = self.fits.get(key)
        return found if found is not None and {"labels", *wanted} <= outputs_in(found) else None

    def add(self, key, record):
        """Keep the record of a fit."""
        self.new += 1
        self.fits.add(key, record)

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

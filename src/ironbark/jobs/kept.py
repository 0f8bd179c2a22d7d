"""The fits that the store has of one method under one noise, and what another method has chosen for it."""

import json

from ironbark import records, store
from ironbark.protocols.searches import PARTS, chooser
from ironbark.protocols.tuning import Choice


class Kept:
    """Fits of one method under one noise.

    Parameters
    ----------
    folder : Path
        Where the store has the fits of all methods under this noise.
    method_id : str
    names : sequence of str
        Ids of all methods of the batch, in the order in which they are fitted.
    methods : dict
        Id -> resolved entry with the fingerprint ``code`` of what it runs.
    alone : bool
        Whether timings matter: then nothing is taken from other methods.

    Attributes
    ----------
    method : dict
    fits : ironbark.store.Store
    before : int
        How many fits there were.
    """

    def __init__(self, folder, method_id, names, methods, alone=False):
        self.method = methods[method_id]
        self.fits = store.Store(folder / f"{method_id}.jsonl")
        self.before = len(self.fits)
        other = None if alone else chooser(method_id, names, methods)
        self._other = other and (methods[other], store.Store(folder / f"{other}.jsonl"))

    @property
    def new(self):
        """How many fits were added."""
        return len(self.fits) - self.before

    def key(self, parts):
        """Key of a fit that depends on these parts, a dict, and on the method."""
        return _key(self.method, parts)

    def choice(self, parts):
        """What another method chose for the fit that depends on these parts; None if there is none, or it failed."""
        if self._other is None:
            return None
        method, fits = self._other
        record = fits.get(_key(method, parts))
        if record is None or record["status"] != records.OK:
            return None
        seconds = record["tune_seconds"] + record["fit_seconds"]
        return Choice(json.loads(record["tuned"]), record["validation_accuracy"], seconds)


def _key(method, parts):
    return store.key_of(**parts, method={name: method.get(name) for name in PARTS}, code=method["code"])

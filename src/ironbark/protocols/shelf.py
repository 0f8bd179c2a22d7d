"""Fitted models that wait while others are trained: large ones in a file, so that memory holds one at a time."""

import pickle
import tempfile

LARGE = 100_000  # training samples from which trees may keep gigabytes


class Shelf:
    """Room for one fitted model.

    Parameters
    ----------
    n_train : int
        Training samples of the models; from `LARGE` on they go into a file without a name, which is gone when the
        process ends, however it ends.
    """

    def __init__(self, n_train):
        self._file = tempfile.TemporaryFile() if n_train >= LARGE else None  # noqa: SIM115
        self._model = None

    def put(self, model):
        """Keep this model in place of the one before."""
        if self._file is None:
            self._model = model
            return
        self._file.seek(0)
        self._file.truncate()
        pickle.dump(model, self._file, protocol=pickle.HIGHEST_PROTOCOL)

    def take(self):
        """The model; the shelf is empty then."""
        if self._file is None:
            model, self._model = self._model, None
            return model
        self._file.seek(0)
        with self._file:
            return pickle.load(self._file)

"""Storage of fitted models while others are trained: large ones in a file, so that memory holds one at a time."""

import pickle
import tempfile

from ironbark.files import explained

LARGE = 100_000  # training samples from which trees may keep gigabytes


class Shelf:
    """Room for one fitted model.

    Parameters
    ----------
    n_train : int
        Training samples of the models; from `LARGE` on they go into a file without a name, which is gone when the
        process ends, however it ends.

    Raises
    ------
    InputError
        If the temporary folder is full or read-only.
    """

    def __init__(self, n_train):
        self._file = self._model = None
        if n_train >= LARGE:
            with _explained():
                self._file = tempfile.TemporaryFile()  # noqa: SIM115

    def put(self, model):
        """Keep this model in place of the one before."""
        if self._file is None:
            self._model = model
            return
        with _explained():
            self._file.seek(0)
            self._file.truncate()
            pickle.dump(model, self._file, protocol=pickle.HIGHEST_PROTOCOL)
            self._file.flush()

    def take(self):
        """The model; the shelf is empty then."""
        if self._file is None:
            model, self._model = self._model, None
            return model
        self._file.seek(0)
        with self._file:
            return pickle.load(self._file)


def _explained():
    return explained(f"into the temporary folder {tempfile.gettempdir()}, which TMPDIR names")

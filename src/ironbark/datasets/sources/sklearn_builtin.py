"""Source ``sklearn``: the data sets that come with scikit-learn, and those that it downloads."""

import contextlib
import tarfile
import warnings
import zlib
from urllib.error import URLError

import numpy as np
import pandas as pd
import sklearn.datasets

from ironbark.datasets import SHIPPED, formats
from ironbark.errors import InputError
from ironbark.files import explained, owning

#: What the fetchers raise on faults of the network (OSError, also for a wrong checksum) and on damaged files.
_FAULTS = (URLError, OSError, EOFError, ValueError, zlib.error, tarfile.TarError)


def fetch(id, entry, folder, mirror=None):
    """Write the table of ``sklearn.datasets.load_<loader>`` or ``fetch_<loader>``, target last.

    scikit-learn checks the SHA-256 of what it downloads, and keeps it in ``folder/scikit-learn``.

    Returns
    -------
    path : Path
    facts : dict

    Raises
    ------
    InputError
        If the data cannot be downloaded.
    """
    loader = entry["loader"]
    if loader in SHIPPED:
        table = getattr(sklearn.datasets, f"load_{loader}")(as_frame=True).frame
    else:
        with _downloading(id, folder):
            table = _FETCHERS[loader](str(folder / "scikit-learn"))
    formats.write(table.rename(columns={"target": entry["target"]}), folder / "table.parquet")
    return folder / "table.parquet", {}


@contextlib.contextmanager
def _downloading(id, folder):
    side = folder / ".scikit-learn.part"
    with owning(side), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # each try that fails is a warning; the last one is the error below
        try:
            with explained(folder):
                yield
        except InputError:
            raise
        except _FAULTS as error:
            detail = " ".join(str(error).split())[:200]
            raise InputError(
                f"data set {id!r}: scikit-learn cannot download it ({detail}); check the network, or give the folder "
                "of a mirror with --config mirror=DIR"
            ) from error
        finally:
            side.unlink(missing_ok=True)


def _covtype(home):
    frame = sklearn.datasets.fetch_covtype(data_home=home, as_frame=True).frame
    table = frame.rename(columns={"Cover_Type": "target"})
    return table.assign(**{name: formats.smallest(table[name].to_numpy()) for name in table})


def _newsgroups(home):
    """Texts whole, with headers, footers and quotes, by group and number: scikit-learn's own order is shuffled."""
    tables = []
    for part in ("train", "test"):
        found = sklearn.datasets.fetch_20newsgroups(data_home=home, subset=part, shuffle=False)
        names = [found.target_names[k] for k in found.target]
        table = pd.DataFrame({"text": found.data, "split": part, "target": names})
        tables.append(table.iloc[np.argsort(found.filenames, kind="stable")])
    return pd.concat(tables, ignore_index=True)


_FETCHERS = {"covtype": _covtype, "20newsgroups": _newsgroups}

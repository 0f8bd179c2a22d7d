"""Source ``imbalanced-learn``: its benchmark of 27 imbalanced data sets, one archive at Zenodo.

Ding (2011), Diversified ensemble classifiers for highly imbalanced data learning and their application in
bioinformatics, dissertation, Georgia State University; record 61452 of zenodo.org.
"""

import io

import numpy as np
import pandas as pd

from ironbark.pipeline.data import IMBALANCED
from ironbark.pipeline.data.io import archives, formats
from ironbark.pipeline.data.sources.site import SHARED, bring


def fetch(id, entry, folder, mirror=None):
    """Take the data set ``name`` out of the archive, which all data sets of this source share."""
    who = f"data set {id!r}"
    (archive,), facts = bring(who, entry, folder.parent / SHARED)
    with archives.opened(who, archive) as content:
        member = content.find(f"x{IMBALANCED.index(entry['name']) + 1}data.npz")
        with formats.readable(f"{archive}: {member}", "npz"), content.open(member) as stream:
            arrays = np.load(io.BytesIO(stream.read()), allow_pickle=False)
            X, y = arrays["data"], arrays["label"]
            if X.ndim != 2 or y.shape != (len(X),):
                raise ValueError(f"shapes {X.shape} of the data and {y.shape} of the labels do not fit")
    columns = {f"f{j + 1}": formats.smallest(X[:, j]) for j in range(X.shape[1])}
    return pd.DataFrame({**columns, entry["target"]: formats.smallest(y)}), facts

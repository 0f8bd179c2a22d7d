"""Source ``sklearn``: the data sets that come with scikit-learn, and two that its fetchers download.

The downloads are ours, from the same addresses and with the same checksums: scikit-learn's have no time-out, begin anew
after each fault and know one address each.
"""

from pathlib import PurePosixPath

import pandas as pd
import sklearn.datasets

from ironbark.pipeline.data import SHIPPED
from ironbark.pipeline.data.io import archives, formats
from ironbark.pipeline.data.sources.site import SPLIT, bring

COVTYPE = (
    *("Elevation", "Aspect", "Slope", "Horizontal_Distance_To_Hydrology", "Vertical_Distance_To_Hydrology"),
    *("Horizontal_Distance_To_Roadways", "Hillshade_9am", "Hillshade_Noon", "Hillshade_3pm"),
    "Horizontal_Distance_To_Fire_Points",
    *(f"Wilderness_Area_{i}" for i in range(4)),
    *(f"Soil_Type_{i}" for i in range(40)),
)
PARTS = {"20news-bydate-train": "train", "20news-bydate-test": "test"}


def fetch(id, entry, folder, mirror=None):
    """Get the table of ``sklearn.datasets.load_<loader>`` or ``fetch_<loader>``, target last."""
    loader, facts = entry["loader"], {}
    if loader in SHIPPED:
        table = getattr(sklearn.datasets, f"load_{loader}")(as_frame=True).frame
    else:
        who = f"data set {id!r}"
        (path,), facts = bring(who, entry, folder)
        table = _READERS[loader](who, path)
    return table.rename(columns={"target": entry["target"]}), facts


def _covtype(who, path):
    with formats.opened(path, "csv") as stream:
        table = pd.read_csv(stream, header=None)
        if table.shape[1] != len(COVTYPE) + 1:
            raise ValueError(f"{table.shape[1]} columns, not {len(COVTYPE) + 1}")
    table = table.set_axis([*COVTYPE, "target"], axis=1)
    return table.assign(**{name: formats.smallest(table[name].to_numpy()) for name in table})


def _newsgroups(who, path):
    """Texts whole, with headers, footers and quotes, by part, group and file name, as strings."""
    found = {}
    with formats.readable(path, "archive of texts"), archives.opened(who, path) as content:
        for name in content.names:  # in the order of the archive, as going back means to unpack it again
            folder, group, file = PurePosixPath(name).parts[-3:]
            with content.open(name) as stream:
                found[PARTS[folder], f"{group}/{file}"] = stream.read().decode("latin-1")
    order = sorted(found, key=lambda key: (key[0] != "train", key[1]))
    parts, names = [part for part, _ in order], [name.partition("/")[0] for _, name in order]
    return pd.DataFrame({"text": [found[key] for key in order], SPLIT: parts, "target": names})


_READERS = {"covtype": _covtype, "20newsgroups": _newsgroups}

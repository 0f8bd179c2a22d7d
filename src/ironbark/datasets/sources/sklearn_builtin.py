"""Source ``sklearn``: the small real data sets that come with scikit-learn."""

import sklearn.datasets

from ironbark.datasets import formats


def fetch(id, entry, folder, mirror=None):
    """Write the table of ``sklearn.datasets.load_<loader>``, target last.

    Returns
    -------
    Path
    """
    table = getattr(sklearn.datasets, f"load_{entry['loader']}")(as_frame=True).frame
    formats.write(table.rename(columns={"target": entry["target"]}), folder / "table.parquet")
    return folder / "table.parquet"

"""What the benchmarks share: tables, noisy labels, CPU seconds without compilation, ratios, the machine."""

import os
import platform
import statistics
import time
from importlib import metadata
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets

from ironbark.jit import CLOCK
from ironbark.noise import corrupt
from ironbark.pipeline.site import provenance

#: Tables that ship with scikit-learn.
SHIPPED = {
    "digits": datasets.load_digits,
    "breast-cancer": datasets.load_breast_cancer,
    "wine": datasets.load_wine,
    "iris": datasets.load_iris,
}

#: Distributions whose versions say what was measured.
PACKAGES = ("numba", "numpy", "scikit-learn")


def load(folder, name):
    """Training features and labels 0..K-1 of a table; without a folder, of one that ships with scikit-learn.

    ``<name>:binary`` sets the largest class against all others.
    """
    name, _, task = name.partition(":")
    X, y = _load(folder, name)
    return X, (y != np.bincount(y).argmax()).astype(np.intp) if task == "binary" else y


def _load(folder, name):
    if folder is None or (name in SHIPPED and not Path(folder, f"{name}.parquet").exists()):
        return SHIPPED[name](return_X_y=True)
    table = pd.read_parquet(Path(folder, f"{name}.parquet"))
    if "split" in table:
        table = table[table["split"] == "train"]
    y = np.unique(table["target"], return_inverse=True)[1]
    if "text" in table:
        return words(table["text"]), y
    return table.drop(columns=["split", "target"], errors="ignore").to_numpy(), y


def words(texts):
    """300 singular components of TF-IDF weights, float32."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    weights = TfidfVectorizer(sublinear_tf=True, min_df=3, stop_words="english").fit_transform(texts)
    return TruncatedSVD(300, n_iter=2, random_state=0).fit_transform(weights).astype(np.float32)


def some_rows(n, most):
    """Rows to measure on: all, or so many of them at random, in order."""
    return np.arange(n) if n <= most else np.sort(np.random.default_rng(0).permutation(n)[:most])


def noisy(y, rate):
    """Labels after uniform noise of this rate."""
    return corrupt("uniform", None, y, rate=rate, random_state=np.random.default_rng(0)) if rate else y


def seconds(call, *arguments):
    """CPU seconds of a call, without compilation."""
    start, compiled = time.process_time(), CLOCK.seconds
    call(*arguments)
    return time.process_time() - start - (CLOCK.seconds - compiled)


def ratio(theirs, ours):
    """Median ratio of the times of paired runs."""
    return statistics.median(a / b for a, b in zip(theirs, ours, strict=True))


def machine(*packages):
    """One line on processor, load, Python and the versions of the packages that are installed."""
    versions = (f"{name} {found}" for name in dict.fromkeys((*PACKAGES, *packages)) if (found := version(name)))
    parts = (
        provenance.machine()["processor"],
        f"{os.cpu_count()} cores",
        f"load {os.getloadavg()[0]:.1f}",
        platform.python_version(),
    )
    return "{}, {}, {}; Python {}, {}".format(*parts, ", ".join(versions))


def version(package):
    """Version of an installed distribution, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None

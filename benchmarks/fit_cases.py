"""Cases that several processes measure: training and test arrays of a table, as files in a folder."""

import contextlib
import tempfile
from pathlib import Path

import numpy as np
from measure import load, noisy

#: Most training rows of a table.
ROWS = {"mnist": 20_000, "covertype": 100_000}

#: Most test rows.
TESTS = 5000

#: Share of missing values of the variant "missing values".
MISSING = 0.05

#: Share of the entries of the variant "sparse" that keep their values; others are 0.
KEPT = 0.02

VARIANTS = ("plain", "real weights", "missing values", "sparse")


@contextlib.contextmanager
def written(X, y, rate=0.0, variant="plain", rows=None, n_tests=TESTS):
    """A folder of the arrays of a case.

    A tenth of the rows, but at most `n_tests`, are for tests. Their labels are clean; `rows` bounds the others.
    """
    order = np.random.default_rng(1).permutation(len(y))
    n_tests = min(len(y) // 10, n_tests)
    tests, training = order[:n_tests], order[n_tests:][:rows]
    X = np.array(X, np.float32, order="C")
    rng = np.random.default_rng(2)
    if variant == "missing values":
        X[rng.random(X.shape) < MISSING] = np.nan
    if variant == "sparse":
        X[rng.random(X.shape) >= KEPT] = 0
    arrays = {"X": X[training], "y": noisy(y[training], rate), "X_test": X[tests], "y_test": y[tests]}
    if variant == "real weights":
        arrays["weight"] = rng.uniform(0.1, 2.0, len(training))
    with tempfile.TemporaryDirectory() as folder:
        for name, array in arrays.items():
            np.save(Path(folder, name), array)
        yield folder


def cases(tables, names, rates, variants=VARIANTS[:1], rows=None):
    """Name, noise rate, variant and folder of each case."""
    for name in names:
        X, y = load(tables, name)
        most = rows or ROWS.get(name.partition(":")[0])
        for rate in rates:
            for variant in variants:
                with written(X, y, rate, variant, most) as folder:
                    yield name, rate, variant, folder

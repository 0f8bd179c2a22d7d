"""Cost of the robust losses in XGBoost and LightGBM, as Markdown tables.

The kernel against the same formulas as NumPy array expressions, once in the stable form that the kernel computes (with
ln p, expm1 and so on), once as one would write them down (with powers of p). Then whole fits against the same model
with the library's own log loss: alternating in one process, one thread, median of the ratios of CPU times.
"""

import argparse
import itertools
import statistics
import sys
from functools import partial

import numpy as np
from measure import seconds
from scipy.special import expit
from sklearn.base import clone

from ironbark import RobustLGBMClassifier, RobustXGBClassifier
from ironbark.boosting.gbdt.base import required
from ironbark.boosting.gbdt.losses.kernels import BoostingLoss

XGBClassifier = required("xgboost", "this benchmark").XGBClassifier
LGBMClassifier = required("lightgbm", "this benchmark").LGBMClassifier


def stable(y, z, r, q):
    """Two classes, in the form that neither overflows nor cancels."""
    m = np.where(y > 0, z, -z)
    log_p, log_u = -np.logaddexp(0, -m), -np.logaddexp(0, m)
    p, u, p_q, u_r = np.exp(log_p), np.exp(log_u), np.exp(q * log_p), np.exp(r * log_u)
    return binary_derivatives(y, p, u, p_q, u_r, -np.expm1(q * log_p) / q if q else -log_p, r, q)


def plain(y, z, r, q):
    """Two classes, as written in the paper."""
    p = expit(np.where(y > 0, z, -z))
    u = 1 - p
    p_q = p**q
    return binary_derivatives(y, p, u, p_q, u**r, (1 - p_q) / q if q else -np.log(p), r, q)


def binary_derivatives(y, p, u, p_q, u_r, L, r, q):
    gradient = -np.where(y > 0, 1, -1) * u_r * (r * p * L + u * p_q)
    return gradient, u_r * (r * p * L * (r * p - u) + 2 * r * u * p * p_q + u * p_q * (p - q * u))


def stable_softmax(y, z, r, q):
    """Multiclass: p of the label, u the sum of the others."""
    label = np.arange(z.shape[1]) == y[:, None]
    shifted = np.exp(z - z.max(axis=1, keepdims=True))
    total = shifted.sum(axis=1, keepdims=True)
    p_all = shifted / total
    u = np.where(label, 0, p_all).sum(axis=1, keepdims=True)
    p = np.where(label, p_all, 0).sum(axis=1, keepdims=True)
    log_p = np.log(p)
    L = -np.expm1(q * log_p) / q if q else -log_p
    p_q, u_r = np.exp(q * log_p), u**r
    a, rho = r * p * L + u * p_q, np.where(label, 1, -p_all / u)
    square = r * (r - 1) * p**2 * L + 2 * r * u * p * p_q + (1 - q) * u**2 * p_q
    return -u_r * a * rho, u_r * (rho**2 * square - rho * (1 - 2 * p_all) * a)


def ratio(own, other, repeats):
    """Median of own / other, alternating, after one call each; and the medians of both in seconds."""
    own(), other()
    pairs = [(seconds(own), seconds(other)) for _ in range(repeats)]
    return statistics.median(a / b for a, b in pairs), *(statistics.median(times) for times in zip(*pairs, strict=True))


def kernels(n, repeats):
    """Rows of the first table."""
    rng = np.random.default_rng(0)
    for r, q in ((0.5, 0.3), (0.7, 0.3), (0.0, 0.0)):
        loss = BoostingLoss("robust_focal", r=r, q=q)
        for k, dtype, twins in (
            (2, np.float32, (stable, plain)),
            (2, np.float64, (stable, plain)),
            (3, np.float64, (stable_softmax,)),
            (10, np.float64, (stable_softmax,)),
        ):
            y = rng.integers(0, k, n)
            z = rng.normal(0, 2, n if k == 2 else (n, k)).astype(dtype)
            own = partial(loss.derivatives, y, z, np.float32)
            found = [ratio(own, partial(twin, y, z, r, q), repeats) for twin in twins]
            cells = [f"{1 / share:.1f} ({1e9 * other / n:.0f})" for share, _, other in found]
            written = cells[1] if len(cells) > 1 else ""
            yield f"{k} | {dtype.__name__} | {r:g}, {q:g} | {1e9 * found[0][1] / n:.0f} | {cells[0]} | {written}"


def classes(n, d, k):
    """Normal features, labels of k linear classes, a fifth of them wrong."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)).astype(np.float32)
    y = (X @ rng.normal(size=(d, k))).argmax(axis=1)
    return X, np.where(rng.random(n) < 0.2, rng.integers(0, k, n), y)


def fits(sizes, repeats):
    """Rows of the second table."""
    quiet = {"n_estimators": 50, "verbose": -1}
    libraries = {
        "XGBoost": (RobustXGBClassifier(n_estimators=50, multi="softmax"), XGBClassifier(n_estimators=50, n_jobs=1)),
        "LightGBM": (RobustLGBMClassifier(multi="softmax", **quiet), LGBMClassifier(n_jobs=1, **quiet)),
    }
    for n, k, name in itertools.product(sizes, (2, 5), libraries):
        X, y = classes(n, 20, k)
        ours, theirs = map(clone, libraries[name])  # XGBoost's can't be fitted to two classes after five
        found = [
            ratio(partial(ours.set_params(r=r, q=q).fit, X, y), partial(theirs.fit, X, y), repeats)
            for r, q in ((0.0, 0.0), (0.5, 0.3))
        ]
        yield f"{name} | {n:,} | {k} | {found[0][2]:.2f} | {' | '.join(f'{share:.2f}' for share, *_ in found)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="samples for the kernel")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="samples for the fits")
    parser.add_argument("--repeats", type=int, default=3, help="pairs of runs per ratio")
    options = parser.parse_args()
    print("| classes | scores | r, q | ns per sample | stable form (ns) | as written (ns) |")
    print("| ---: | --- | --- | ---: | ---: | ---: |")
    for line in kernels(options.rows, options.repeats):
        print(f"| {line} |", flush=True)
    print("\n| library | samples | classes | own log loss, s | ratio, r = q = 0 | ratio, r = .5, q = .3 |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for line in fits(options.sizes, options.repeats):
        print(f"| {line} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())

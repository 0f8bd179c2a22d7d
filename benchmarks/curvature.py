"""Accuracy of the robust focal loss with other curvatures for three and more classes, as Markdown tables.

Each is fitted to the same noisy partitions as the library with its own log loss; all have default parameters. Mean
differences to that library in percentage points: over all data sets per noise, and per data set over the noises.
"""

import sys
import warnings

import numpy as np
from defaults import collected, markdown, noisy_parts, options, plain, versions
from scipy.special import softmax

from ironbark import RobustLGBMClassifier, RobustXGBClassifier

SETS = ["balance", "car", "contraceptive", "cleveland", "flare", "vehicle", "segment", "satimage", "dna", "letter",
        "texture", "yeast-raw", "digits", "wine", "iris"]  # fmt: skip
NOISES = {
    "clean": None,
    "uniform 20 %": ("uniform", 0.2),
    "uniform 40 %": ("uniform", 0.4),
    "pair flip 30 %": ("pair_flip", 0.3),
}
R, Q = 0.5, 0.3


def parts(y, scores):
    """First and second derivative of the loss by c = -ln p, p of all classes, and p less 1 for the label."""
    p_all = softmax(np.asarray(scores, float), axis=1)
    label = np.arange(p_all.shape[1]) == np.asarray(y, int)[:, None]
    u = np.maximum(np.where(label, 0, p_all).sum(axis=1, keepdims=True), 1e-12)
    p = np.maximum(np.where(label, p_all, 0).sum(axis=1, keepdims=True), 1e-12)
    L, p_q = (1 - p**Q) / Q, p**Q
    first = u ** (R - 1) * (R * p * L + u * p_q)
    second = u ** (R - 2) * (R * p * L * (R * p - 1) + u * p_q * (2 * R * p - Q * u))
    return first, second, p_all, p_all - label


def majorized(first, second, p, slope):
    """Bounds the whole matrix of the convex part by its diagonal, whose off-diagonal sums are at most as large."""
    return 2 * (np.maximum(second, 0) * slope**2 + first * p * (1 - p))


class Curved:
    """A library's class, with the robust focal loss under softmax and the bound of its curvature."""

    def __init__(self, model):
        def objective(y, scores):
            first, second, p, slope = parts(y, scores)
            return (first * slope).astype(np.float32), majorized(first, second, p, slope).astype(np.float32)

        self.model = model.set_params(objective=objective)

    def fit(self, X, y):
        self.model.fit(X, y)
        return self

    def predict(self, X):
        found = self.model.predict(X)
        return found.argmax(axis=1) if found.ndim == 2 else found


#: Library -> the name of its class, and ours.
LIBRARIES = {"LightGBM": ("LGBMClassifier", RobustLGBMClassifier), "XGBoost": ("XGBClassifier", RobustXGBClassifier)}
OWN = {"one-vs-rest": "ovr", "softmax, exact": "softmax"}  # name -> `multi`


def model(library, name):
    """An unfitted model of a row of the tables."""
    theirs, ours = LIBRARIES[library]
    return ours(multi=OWN[name]) if name in OWN else Curved(plain(theirs))


def measure(X, y, noise, repeats, names):
    """Differences of accuracy to the library on each partition of a data set."""
    for repeat, (train, noisy, test, clean) in enumerate(noisy_parts(X, y, NOISES[noise], repeats)):
        for library, (theirs, _) in LIBRARIES.items():
            least = np.mean(plain(theirs).fit(train, noisy).predict(test) == clean)
            for name in names:
                points = 100 * (np.mean(model(library, name).fit(train, noisy).predict(test) == clean) - least)
                yield {"library": library, "model": name, "noise": noise, "repeat": repeat, "points": points}


def main():
    parser = options(SETS, 1000, 1)
    parser.add_argument("--models", nargs="+", default=[*OWN, "majorizer"], choices=[*OWN, "majorizer"], metavar="NAME")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")

    def rows_of(X, y):
        return [row for noise in NOISES for row in measure(X, y, noise, asked.repeats, asked.models)]

    rows = collected(asked, rows_of)
    versions("sklearn", "xgboost", "lightgbm", "numpy", "numba")
    sets = rows.groupby(["library", "model", "noise", "data"])["points"].mean()
    markdown(sets.groupby(["library", "model", "noise"]).mean().unstack()[list(NOISES)])
    markdown(sets.groupby(["data", "library", "model"]).mean().unstack(["library", "model"]))


if __name__ == "__main__":
    sys.exit(main())

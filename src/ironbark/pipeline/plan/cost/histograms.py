"""Cost of a round of XGBoost or LightGBM, whose trees use histograms of the features.

The constants were fitted to single fits and to tuned ones, of `rgbdt` at the scale `smoke` and of
`rgbdt-laptop-binary` in full: tests/pipeline/plan/recorded_rgbdt.csv and recorded_rgbdt_full.csv.
"""

from ironbark.pipeline.plan.config.methods.estimators import class_name

#: Class -> whether an objective in Python is called in each round.
GROWERS = {
    "XGBClassifier": False,
    "LGBMClassifier": False,
    "RobustXGBClassifier": True,
    "RobustLGBMClassifier": True,
}

ROUND, TREE = 1e-4, 3e-5  # seconds of a round, and of each of its trees, however small the data
PYTHON = 2e-4  # seconds of a call of the objective
ROW, BIN = 1e-8, 7e-10  # for each sample and feature of a tree; for each bin, feature and leaf
MOST_BITS = 8  # logarithm of the number of bins
DEPTH, LEAVES = 6, 31  # defaults of XGBoost and of LightGBM
IN_LEAF = 4  # samples that look mislabelled and share a leaf, since a leaf needs a least weight


def grows(method):
    """Whether a method's estimator is one of the two libraries', or ours on top of them."""
    return class_name(method) in GROWERS


def round_seconds(method: dict, params: dict, n: int, d: int, n_classes: int, bits: float, unlike: float):
    """Seconds of one round, a tree for each of more than two classes."""
    by_leaves = "LGBM" in class_name(method)
    most = params.get("num_leaves", LEAVES) if by_leaves else 2 ** (params.get("max_depth") or DEPTH)
    leaves = min(most, 2 + unlike / IN_LEAF)
    tree = TREE + d * (ROW * n + BIN * leaves * 2 ** min(bits, MOST_BITS))
    return ROUND + PYTHON * GROWERS[class_name(method)] + (n_classes if n_classes > 2 else 1) * tree

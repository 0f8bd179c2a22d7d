"""Statements of docs/reproduction-ane.md on Figure 6, trees of fixed lambda."""

from docs.reference import ROOT, results, table
from pipeline.jobs.rerun import planned_with

from ironbark.pipeline.analysis.published import PAPERS
from ironbark.pipeline.analysis.published.papers import ane

KEYS = ["task", "noise", "rate", "lambda"]
PARTS = {
    "Binary": "task == 'binary'",
    "Ten classes, clean or uniform": "task == 'multiclass' and noise != 'mahalanobis'",
    "Ten classes, Mahalanobis": "task == 'multiclass' and noise == 'mahalanobis'",
}


def _cells():
    """The points read off the figure and our means, percent and leaves: one line per cell."""
    methods = planned_with().config["studies"]["ane"]["compare"]["methods"]["lambda"]
    own = results("ane-lambda").replace({"method": {method: lam for lam, method in methods.items()}})
    own = own.rename(columns={"method": "lambda", "n_leaves": "n_leaves_ours"}).set_index(KEYS)
    own = own[["mean", "n_leaves_ours"]].astype(float)
    points = ane.lambdas(ROOT / PAPERS["ane"].values["lambdas"].path)
    points = points.assign(**ane.noises(points)).set_index(KEYS)[["accuracy", "n_leaves"]].astype(float)
    both = points.join(own.assign(mean=100 * own["mean"]), validate="1:1")
    assert len(both) == len(points) == len(own) and both.notna().all(axis=None)
    return both


def differences():
    """How near our means are to the points of the figure, and whether the same lambda is best."""
    both, rows = _cells(), []
    for label, wanted in PARTS.items():
        part = both.query(wanted)
        apart, ratio = (part["mean"] - part["accuracy"]).abs(), part["n_leaves_ours"] / part["n_leaves"]
        best = [part[name].unstack("lambda").idxmax(axis=1) for name in ("accuracy", "mean")]
        row = [label, len(part), f"{apart.mean():.2f}", f"{apart.max():.2f}"]
        row.append(f"{ratio.median():.2f} ({ratio.min():.2f} to {ratio.max():.2f})")
        rows.append([*row, f"{int((best[0] == best[1]).sum())} of {len(best[0])}"])
    heads = ["Trees of fixed lambda", "Cells", "Mean absolute difference (points)", "Largest"]
    return table([*heads, "Leaves, ours / published", "Same best lambda"], rows)


STATEMENTS = [differences]

"""Statements of docs/reproduction-rmb.md on the figures whose axis is the noise or lambda, which have no numbers."""

from docs.reference import measured, results, table

LEVELS = ("0.15", "0.3")
KINDS = ("uniform", "adversarial")
LAMBDAS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)
DEFAULT = 0.04  # near 1 / sqrt(n) on these sets


def _growing():
    """Error in percent: rows data set, kind and rate, columns methods."""
    found = results("rmb-curves").assign(error=lambda frame: 100 * frame["error"])
    return found.pivot(index=["dataset", "noise", "rate"], columns="method", values="error")


def growing():
    """Figures 2 and 4: errors at some levels of noise."""
    found = _growing()
    settings = [("clean", "0"), *((kind, rate) for kind in KINDS for rate in LEVELS)]
    heads = ["no noise" if kind == "clean" else f"{kind} {rate}" for kind, rate in settings]
    rows = []
    for dataset in dict.fromkeys(found.index.get_level_values("dataset")):
        cells = [found.loc[(dataset, *setting)] for setting in settings]
        rows.append([dataset, *(f"{cell['adaboost']:.1f} / {cell['rmboost']:.1f}" for cell in cells)])
    return table(["Error, AdaBoost / RMBoost", *heads], rows)


def growing_reading():
    """In how many settings RMBoost is better, and what the strongest noise adds to both errors."""
    found, parts = _growing(), []
    for kind in KINDS:
        part = found.xs(kind, level="noise")
        lower = part["rmboost"] < part["adaboost"]
        added = part.xs(LEVELS[-1], level="rate") - found.xs(("clean", "0"), level=("noise", "rate"))
        span = {name: f"{added[name].min():.1f} to {added[name].max():.1f}" for name in added}
        parts.append(
            f"under {kind} noise RMBoost has the lower mean error in {lower.sum()} of {len(lower)} settings, and noise "
            f"of 0.3 adds {span['rmboost']} points to its error and {span['adaboost']} to AdaBoost's"
        )
    return "; ".join(parts)


def _by_lambda(metric):
    """Means in percent: rows data set and rate of uniform noise, columns lambda."""
    found = measured("rmb-lambda").query("metric == @metric")
    values = 1 - found["mean"] if metric == "accuracy" else found["mean"]
    lams = found["method"].str.removeprefix("rmboost-lambda").str.lstrip("-").astype("float64")
    found = found.assign(lam=lams, value=100 * values)
    return found.pivot(index=["dataset", "rate"], columns="lam", values="value")[list(LAMBDAS)]


def lambdas():
    """Figure 6: errors by lambda."""
    rows = [
        [dataset, rate, *(f"{value:.1f}" for value in line)]
        for (dataset, rate), line in _by_lambda("accuracy").iterrows()
    ]
    return table(["Error", "uniform noise", *(f"lambda {value}" for value in LAMBDAS)], rows, texts=2)


def lambdas_reading():
    """What choosing lambda could gain over the value near the default, and how the minimax risk depends on it."""
    errors, risks = _by_lambda("accuracy"), _by_lambda("minimax_risk")
    best, lost = errors.idxmin(axis=1), errors[DEFAULT] - errors.min(axis=1)
    spread, covered = errors.max(axis=1) - errors.min(axis=1), errors[DEFAULT] <= risks[DEFAULT]
    lowest = ", ".join(f"{value:g}" for value in sorted(set(best)))
    return (
        f"The lowest mean errors are at lambda {lowest}; {DEFAULT}, which is near the default, is {lost.min():.1f} to "
        f"{lost.max():.1f} points above them, and the largest mean error of a setting {spread.min():.1f} to "
        f"{spread.max():.1f} points above the lowest. The minimax risk at {DEFAULT} is not below the mean error in "
        f"{covered.sum()} of {len(covered)} settings"
    )

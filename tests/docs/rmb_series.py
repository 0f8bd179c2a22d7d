"""Statements of docs/reproduction-rmb.md on series of noise, rounds and lambda, and on simplex solutions."""

from docs.reference import FOLDER, ROOT, measured, results, table
from docs.rmb_large import NOISES

from ironbark.pipeline.analysis.published.papers.rmb import RISK, errors

ROUNDS = (1, 10, 50, 100, 200)
KINDS = ("central", "vertex")
LEVELS = ("0.03", "0.06", "0.09", "0.12", "0.15", "0.18", "0.21", "0.24", "0.27", "0.3")
LAMBDAS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32)


def collapse():
    """Errors of central and of vertex solutions by the number of rounds."""
    found = results("rmb-collapse").set_index(["dataset", "rate", "method"])["error"] * 100
    rows = []
    for dataset, rate in dict.fromkeys(key[:2] for key in found.index):
        errors = [[found[dataset, rate, f"rmboost-{kind}-t{t}"] for kind in KINDS] for t in ROUNDS]
        rows.append([dataset, rate, *(f"{central:.1f} / {vertex:.1f}" for central, vertex in errors)])
    return table(["Error, central / vertex", "uniform noise", *(f"T = {t}" for t in ROUNDS)], rows, texts=2)


def lambdas():
    """Errors and minimax risks by lambda, Figure 6."""
    found = measured("rmb-lambda").set_index(["dataset", "rate", "method", "metric"])["mean"] * 100
    rows = []
    for dataset, rate in dict.fromkeys(key[:2] for key in found.index):
        cells = [found[dataset, rate, f"rmboost-lambda-{lam}"] for lam in LAMBDAS]
        rows.append([dataset, rate, *(f"{100 - cell['accuracy']:.1f} / {cell['minimax_risk']:.1f}" for cell in cells)])
    return table(["Error / minimax risk", "uniform noise", *map(str, LAMBDAS)], rows, texts=2)


def _growing():
    """(data set, noise) -> frame of errors in percent: rows rates, columns methods."""
    found = results("rmb-curves").assign(error=lambda frame: 100 * frame["error"])
    wide = found.pivot(index=["dataset", "noise", "rate"], columns="method", values="error")
    sets = dict.fromkeys(found["dataset"])
    places = [(dataset, noise) for dataset in sets for noise in ("uniform", "adversarial")]
    return {place: wide.loc[place].loc[list(LEVELS)] for place in places}


def growing_noise():
    """Errors of AdaBoost and RMBoost by the rate of the noise, Figures 2 and 4."""
    rows = [
        [dataset, noise, *(f"{line.adaboost:.1f} / {line.rmboost:.1f}" for line in found.itertuples())]
        for (dataset, noise), found in _growing().items()
    ]
    return table(["Error, AdaBoost / RMBoost", "noise", *LEVELS], rows, texts=2)


def growing_verdict():
    """In how many levels RMBoost has the smaller mean error, and what the largest level adds to the errors."""
    parts, clean = [], results("rmb-curves").query("noise == 'clean'").set_index(["dataset", "method"])["error"] * 100
    added = {"uniform": [], "adversarial": []}
    for (dataset, noise), found in _growing().items():
        parts.append(f"{(found['rmboost'] < found['adaboost']).sum()} of {len(found)} ({dataset}, {noise})")
        added[noise].append(found.iloc[-1] - clean[dataset])
    means = {noise: sum(steps) / len(steps) for noise, steps in added.items()}
    grown = [
        f"by {mean['rmboost']:.1f} points under {noise} noise (AdaBoost's by {mean['adaboost']:.1f})"
        for noise, mean in means.items()
    ]
    return (
        f"RMBoost has the smaller mean error at {', '.join(parts)} levels. At 30 % its error is larger than without "
        f"noise {' and '.join(grown)}"
    )


def _solutions():
    """Published errors and minimax risks of RMBoost in percent, and ours with each kind of solution: one row a cell."""
    found = measured("rmb-vertex").assign(value=lambda frame: 100 * frame["mean"])
    error = found["metric"] == "accuracy"
    found["value"] = found["value"].where(~error, 100 - found["value"])
    found = found[error | (found["metric"] == "minimax_risk")]
    found["metric"] = found["metric"].where(~error, "error")
    place = ["metric", "noise", "rate", "dataset"]
    values = found.pivot(index=place, columns="method", values="value")
    published = errors(ROOT / "data/published/rmb_error.csv").query("method in ['RMBoost', @RISK]")
    published = published.assign(metric=published["method"].map({"RMBoost": "error", RISK: "minimax_risk"}))
    return values.join(100 * published.set_index(place)["mean"].rename("published"), how="inner")


def solutions():
    """Means over the data sets, and mean absolute distances to the published values."""
    cells, rows = _solutions(), []
    for metric, label in (("error", "Error"), ("minimax_risk", "Minimax risk")):
        for noise, name in NOISES.items():
            part = cells.loc[(metric, *noise)]
            row = [f"{label}, {name}", f"{part['published'].mean():.1f}"]
            for method in ("rmboost", "rmboost-vertex-200"):
                apart = (part[method] - part["published"]).abs().mean()
                row.append(f"{part[method].mean():.1f} ({apart:.1f})")
            rows.append(row)
    heads = ["Mean over the sets (distance)", "published", "central, 100 rounds", "simplex, 200 rounds"]
    return table(heads, rows)


def solutions_verdict():
    """In how many cells simplex solutions are nearer to the published errors."""
    cells = _solutions().loc["error"]
    apart = cells[["rmboost", "rmboost-vertex-200"]].sub(cells["published"], axis=0).abs()
    means, nearer = apart.mean(), (apart["rmboost-vertex-200"] < apart["rmboost"]).sum()
    return (
        f"Simplex solutions with 200 rounds are nearer to the published errors in {nearer} of {len(apart)} cells; the "
        f"mean distance is {means['rmboost-vertex-200']:.1f} instead of {means['rmboost']:.1f} points"
    )


STATEMENTS = [collapse, lambdas]
if (FOLDER / "rmb-curves.csv").exists():
    STATEMENTS += [growing_noise, growing_verdict]
if (FOLDER / "rmb-vertex.csv").exists():
    STATEMENTS += [solutions, solutions_verdict]

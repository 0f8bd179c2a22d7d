"""Statements of docs/reproduction-rmb.md on series of noise, rounds and lambda, for which the paper has no numbers."""

from docs.reference import FOLDER, measured, results, table

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
        [dataset, noise, *(f"{line.adaboost:.1f} / {line.rmboost:.1f}" for line in errors.itertuples())]
        for (dataset, noise), errors in _growing().items()
    ]
    return table(["Error, AdaBoost / RMBoost", "noise", *LEVELS], rows, texts=2)


def growing_verdict():
    """In how many levels of each noise RMBoost has the smaller mean error."""
    parts = []
    for (dataset, noise), errors in _growing().items():
        parts.append(f"{(errors['rmboost'] < errors['adaboost']).sum()} of {len(errors)} ({dataset}, {noise})")
    return f"RMBoost has the smaller mean error at {', '.join(parts)} levels"


STATEMENTS = [collapse, lambdas]
if (FOLDER / "rmb-curves.csv").exists():
    STATEMENTS += [growing_noise, growing_verdict]

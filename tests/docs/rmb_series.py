"""Statements of docs/reproduction-rmb.md on series of rounds and of lambda, for which the paper has no numbers."""

from docs.reference import measured, results, table

ROUNDS = (1, 10, 50, 100, 200)
KINDS = ("central", "vertex")
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


STATEMENTS = [collapse, lambdas]

"""Statements of docs/reproduction-rmb.md on series of rounds, which the paper does not show."""

from docs.reference import results, table

ROUNDS = (1, 10, 50, 100, 200)
KINDS = ("central", "vertex")


def collapse():
    """Errors of central and of vertex solutions by the number of rounds."""
    found = results("rmb-collapse").set_index(["dataset", "rate", "method"])["error"] * 100
    rows = []
    for dataset, rate in dict.fromkeys(key[:2] for key in found.index):
        errors = [[found[dataset, rate, f"rmboost-{kind}-t{t}"] for kind in KINDS] for t in ROUNDS]
        rows.append([dataset, rate, *(f"{central:.1f} / {vertex:.1f}" for central, vertex in errors)])
    return table(["Error, central / vertex", "uniform noise", *(f"T = {t}" for t in ROUNDS)], rows, texts=2)


STATEMENTS = [collapse]

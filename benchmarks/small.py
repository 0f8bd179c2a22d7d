"""Milliseconds of fits on small data: a tree, a forest of 100 trees, with and without a choice of `ccp_alpha`.

Medians of rounds in which the programs alternate; features are encoded beforehand, as in loops over the same data, or
not ("from the array").
"""

import argparse
import statistics
import sys
from contextlib import ExitStack

from fit_cases import written
from measure import SHIPPED, load, machine
from worker import Worker


def rows(trees):
    """Name of a row, our model, scikit-learn's (None where it has none), and whether to start from the array."""
    for kind in ("tree", "forest"):
        model = {"kind": kind, "criterion": "gini", "trees": trees}
        name = f"forest of {trees}" if kind == "forest" else kind
        yield f"{name}, ccp_alpha=0.0", model, model, False
        yield f"{name}, ccp_alpha=0.0, from the array", model, model, True
        yield f'{name}, ccp_alpha="auto"', {**model, "ccp_alpha": "auto"}, None, False


def measured(running, ours, theirs, raw, repeats, least):
    """Program -> median milliseconds of CPU and wall time."""
    models = {name: theirs if name == "scikit-learn" else ours for name in running}
    models = {name: model for name, model in models.items() if model}
    for name, model in models.items():
        running[name].ask("time", raw=raw, seed=0, **model)  # compiles; a price to choose compiles more than one level
    rounds = {name: [] for name in models}
    for _ in range(repeats):
        for name, model in models.items():
            rounds[name].append(running[name].ask("time", raw=raw, seed=0, least=least, **model))
    return {
        name: [1000 * statistics.median(answer[clock] for answer in answers) for clock in ("seconds", "wall")]
        for name, answers in rounds.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", choices=SHIPPED, default=["iris"], help="data that ship with scikit-learn")
    parser.add_argument("--trees", type=int, default=100, help="trees of a forest")
    parser.add_argument("--baseline", help="folder that holds another copy of the package ironbark, such as its src")
    parser.add_argument("--repeats", type=int, default=7, help="rounds")
    parser.add_argument(
        "--least", type=float, default=0.2, help="CPU seconds of a measurement; short fits are repeated"
    )
    options = parser.parse_args()
    print(f"{machine()}; {options.repeats} rounds\n")
    with ExitStack() as stack:
        running = {"ironbark": stack.enter_context(Worker("ironbark"))}
        if options.baseline:
            running["baseline"] = stack.enter_context(Worker("ironbark", options.baseline))
        running["scikit-learn"] = stack.enter_context(Worker("scikit-learn"))
        heads = [f"{name}, ms CPU | ms wall" for name in running]
        print(f"| data | fit | {' | '.join(heads)} |\n| --- | --- |{' ---: |' * 2 * len(heads)}", flush=True)
        for data in options.sets:
            with written(*load(None, data), n_tests=0) as folder:
                for worker in running.values():
                    worker.ask("open", folder=folder)
                for name, ours, theirs, raw in rows(options.trees):
                    found = measured(running, ours, theirs, raw, options.repeats, options.least)
                    values = [value for program in running for value in found.get(program, (None, None))]
                    shown = ("" if value is None else f"{value:.3g}" for value in values)
                    print(f"| {data} | {name} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())

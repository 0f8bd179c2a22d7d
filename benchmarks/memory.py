"""Peak memory of a fit: MB by which it raises the largest resident set of a fresh process, as a Markdown table.

The process has its libraries, its data and, but for what starts from the array, the encoded features before the fit.
Needs Linux.
"""

import argparse
import sys

from fit_cases import cases
from measure import machine
from worker import Worker


def raised(program, source, folder, raw, model):
    """MB that a fit takes in a fresh process that has compiled or loaded all kernels."""
    with Worker(program, source) as worker:
        worker.ask("open", folder=folder)
        worker.ask("compile", raw=raw, seed=0, **model)
        return worker.ask("memory", raw=raw, seed=0, **model)["megabytes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", help="names of tables; mnist and covertype, or digits without --tables")
    parser.add_argument(
        "--rows", type=int, help="most training rows; 20,000 of mnist, 100,000 of covertype if left out"
    )
    parser.add_argument("--noise", nargs="+", type=float, default=[0.4], help="rates of uniform label noise")
    parser.add_argument("--trees", type=int, default=10, help="trees of a forest")
    parser.add_argument("--baseline", help="folder that holds another copy of the package ironbark, such as its src")
    options = parser.parse_args()
    columns = {"ironbark": ("ironbark", None, False), "from the array": ("ironbark", None, True)}
    if options.baseline:
        columns["baseline"] = "ironbark", options.baseline, False
        columns["baseline, from the array"] = "ironbark", options.baseline, True
    columns["scikit-learn"] = "scikit-learn", None, False
    print(f"{machine()}; forests of {options.trees} trees; MB\n")
    print(f"| data | noise | fit | {' | '.join(columns)} |\n| --- | ---: | --- |{' ---: |' * len(columns)}")
    sets = options.sets or (["mnist", "covertype"] if options.tables else ["digits"])
    for name, rate, _, folder in cases(options.tables, sets, options.noise, rows=options.rows):
        for kind in ("tree", "forest"):
            model = {"kind": kind, "criterion": "gini", "trees": options.trees}
            found = (raised(program, source, folder, raw, model) for program, source, raw in columns.values())
            print(f"| {name} | {rate:g} | {kind} | {' | '.join(f'{size:.1f}' for size in found)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())

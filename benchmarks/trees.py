"""CPU-time ratios of scikit-learn, YDF and scikit-learn-intelex to ironbark: trees and forests, as a Markdown table.

Each ratio is the median over rounds in which the programs alternate, each in a process with one thread. In brackets:
both from the array, with what prepares it, which is left out otherwise. YDF and scikit-learn-intelex take part where
they are installed. `--baseline` adds another copy of this library with the quartiles of its ratio.
"""

import argparse
import statistics
import sys
from contextlib import ExitStack

import numpy as np
from fit_cases import VARIANTS, cases
from measure import SHIPPED, machine, ratio, version
from peers import KINDS, PEERS, PROGRAMS
from worker import Worker

from ironbark.criteria import CRITERIA

#: What the table shows with --tables and without --sets.
SETS = ("mushrooms", "unsw-nb15:binary", "mnist", "covertype")
OURS = "ironbark"
BASELINE = "baseline"


def workers(stack, peers, baseline):
    """Program -> worker, ours first, then the other copy of ours, which is what it is compared with most finely."""
    found = {OURS: stack.enter_context(Worker("ironbark"))}
    if baseline:
        found[BASELINE] = stack.enter_context(Worker("ironbark", baseline))
    for name in peers:
        if version(PEERS[name]):
            found[name] = stack.enter_context(Worker(name))
        else:
            print(f"{name}: not installed, left out (pip install {PEERS[name]})\n")
    return found


def measured(running, kind, criterion, options):
    """Program -> CPU seconds of each round, those from the array, mean test accuracy and mean number of nodes."""
    rounds = {name: {"prepared": [], "array": [], "accuracy": [], "nodes": []} for name in running}
    model = {"kind": kind, "criterion": criterion, "trees": options.trees}
    for raw in (False, True):
        for worker in running.values():
            worker.ask("compile", raw=raw, seed=0, **model)
    for seed in range(options.repeats):
        for name, worker in running.items():
            answer = worker.ask("time", seed=seed, least=options.least, **model)
            rounds[name]["prepared"].append(answer["seconds"])
        for name, worker in running.items():
            answer = worker.ask("time", raw=True, seed=seed, least=options.least, **model)
            rounds[name]["array"].append(answer["seconds"])
            for key, value in worker.ask("quality").items():
                rounds[name][key].append(value)
    return rounds


def ratios(rounds, name):
    """Median ratios of a program to ours, on prepared data and from the array."""
    return {key: ratio(rounds[name][key], rounds[OURS][key]) for key in ("prepared", "array")}


def cells(rounds, programs):
    """Cells of a row: our seconds, the ratios, accuracies and nodes of all."""
    ours = rounds[OURS]
    yield f"{statistics.median(ours['prepared']):.3g} ({statistics.median(ours['array']):.3g})"
    for name in programs[1:]:
        if name not in rounds:
            yield ""
            continue
        factors = ratios(rounds, name)
        if name == BASELINE:
            quotients = np.divide(rounds[name]["prepared"], ours["prepared"])
            low, high = np.quantile(quotients, [0.25, 0.75])
            yield f"{factors['prepared']:.3f} [{low:.3f}, {high:.3f}] ({factors['array']:.3f})"
        else:
            yield f"{factors['prepared']:.1f} ({factors['array']:.1f})"
    for key, shown in (("accuracy", "{:.3f}"), ("nodes", "{:,.0f}")):
        values = (statistics.mean(rounds[name][key]) if name in rounds else None for name in programs)
        yield " / ".join("–" if value is None else shown.format(value) for value in values)


def summary(found, programs):
    """Lines on all rows: geometric means by kind, criterion and variant, and the worst ratios to the baseline."""
    for group in dict.fromkeys(key[2:] for key in found):
        for name in programs[1:]:
            own = [ratios(rounds, name) for key, rounds in found.items() if key[2:] == group and name in rounds]
            if own:
                means = [statistics.geometric_mean([factors[way] for factors in own]) for way in ("prepared", "array")]
                numbers = "{:.2f} ({:.2f})".format(*means)
                yield f"- {', '.join(group)}: {name} / ironbark {numbers}, geometric mean of {len(own)} rows"
    if BASELINE in programs:
        for way in ("prepared", "array"):
            worst, where = min((ratios(rounds, BASELINE)[way], key) for key, rounds in found.items())
            yield f"- worst baseline / ironbark, {way}: {worst:.3f} ({', '.join(map(str, where))})"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", help="folder of <name>.parquet; data that ship with scikit-learn if left out")
    parser.add_argument("--sets", nargs="+", help="names of tables, <name>:binary for the largest class and the rest")
    parser.add_argument(
        "--rows", type=int, help="most training rows of each table; 20,000 of mnist, 100,000 of covertype"
    )
    parser.add_argument("--noise", nargs="+", type=float, default=[0.0, 0.4], help="rates of uniform label noise")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=["plain"], help="weights, gaps, zeros")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["tree", "forest"], help="what to fit")
    parser.add_argument("--criteria", nargs="+", choices=CRITERIA, default=["gini"], help="criteria of the splits")
    parser.add_argument("--trees", type=int, default=10, help="trees of a forest")
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS), help="of which programs")
    parser.add_argument("--baseline", help="folder that holds another copy of the package ironbark, such as its src")
    parser.add_argument("--repeats", type=int, default=3, help="rounds")
    parser.add_argument(
        "--least", type=float, default=0.1, help="CPU seconds of a measurement; short fits are repeated"
    )
    return parser.parse_args()


def main():
    options = arguments()
    sets = options.sets or (SETS if options.tables else SHIPPED)
    print(f"{machine(*PEERS.values())}; forests of {options.trees} trees, {options.repeats} rounds\n")
    found = {}
    with ExitStack() as stack:
        running = workers(stack, options.peers, options.baseline)
        programs = list(running)
        others = [f"{name} / ironbark (from the array)" for name in programs[1:]]
        order = " / ".join(programs)
        heads = "data", "noise", "fit", "ironbark, CPU s (from the array)", *others, "test accuracy", "nodes"
        print(f"Accuracies and nodes are those of {order}.\n")
        print(f"| {' | '.join(heads)} |\n| --- | ---: | --- |{' ---: |' * (len(heads) - 3)}", flush=True)
        for name, rate, variant, folder in cases(options.tables, sets, options.noise, options.variants, options.rows):
            for worker in running.values():
                worker.ask("open", folder=folder)
            for kind in options.kinds:
                for criterion in options.criteria:
                    rounds = measured(taking_part(running, kind, criterion, variant), kind, criterion, options)
                    found[name, rate, kind, criterion, variant] = rounds
                    fit = f"{kind}, {criterion}" + (f", {variant}" if variant != "plain" else "")
                    print(f"| {name} | {rate:g} | {fit} | {' | '.join(cells(rounds, programs))} |", flush=True)
    print("", *summary(found, programs), sep="\n")


def taking_part(running, kind, criterion, variant):
    """The programs that grow such trees from such data."""
    return {
        name: worker
        for name, worker in running.items()
        if name in (OURS, BASELINE) or PROGRAMS[name].takes(kind, criterion, variant)
    }


if __name__ == "__main__":
    sys.exit(main())

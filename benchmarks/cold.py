"""Cold starts: CPU seconds of first calls in a fresh process, with an empty and with a full cache of kernels.

The first row of a table pays for what all criteria share; a step pays only for what no step above it has compiled.
`--baseline` alternates with another copy of this library.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile

from measure import machine
from worker import environment

from ironbark.criteria import CRITERIA

KINDS = "tree", "forest"

#: Prints CPU seconds by step and kind.
SCRIPT = """
import json, sys, time
criteria, n_classes = sys.argv[1].split(","), int(sys.argv[2])
import numpy as np
from sklearn.datasets import make_classification
spent = {}
def timed(step, call, *arguments, **options):
    start = time.process_time()
    result = call(*arguments, **options)
    spent[step] = time.process_time() - start
    return result
def load():
    from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
    return RobustDecisionTreeClassifier, lambda *given, **options: RobustRandomForestClassifier(10, *given, **options)
X, y = make_classification(200, n_informative=5, n_classes=n_classes, random_state=0)
gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.05, np.nan, X)
weight = np.random.default_rng(0).uniform(0.1, 2.0, len(y))
Tree, Forest = timed("import", load)
kinds = {"tree": Tree, "forest": Forest}
for criterion in criteria:
    for kind, estimator in kinds.items():
        model = estimator(criterion=criterion, ccp_alpha=0.0)
        timed(f"{criterion}, {kind}", model.fit, X, y)
        if criterion == criteria[0]:
            timed(f"predict, {kind}", model.predict, X)
steps = {
    'ccp_alpha="auto"': ({"ccp_alpha": "auto"}, X, None),
    "real weights": ({"ccp_alpha": 0.0}, X, weight),
    "missing values": ({"ccp_alpha": 0.0}, gaps, None),
}
for step, (options, features, weights) in steps.items():
    for kind, estimator in kinds.items():
        model = estimator(criterion=criteria[0], **options)
        timed(f"{step}, {kind}", model.fit, features, y, sample_weight=weights)
print(json.dumps(spent))
"""


def process(criteria, n_classes, cache, source):
    """CPU seconds by step of a fresh process that keeps kernels in the folder `cache`."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, ",".join(criteria), str(n_classes)],
        env={**environment(source), "NUMBA_CACHE_DIR": cache},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def runs(criteria, n_classes, sources, repeats):
    """(Program, cache) -> step -> median CPU seconds."""
    found = {(program, state): [] for program in sources for state in ("cold", "cached")}
    for _ in range(repeats):
        for program, source in sources.items():
            with tempfile.TemporaryDirectory() as cache:
                for state in ("cold", "cached"):
                    found[program, state].append(process(criteria, n_classes, cache, source))
    return {key: {step: statistics.median(run[step] for run in own) for step in own[0]} for key, own in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", nargs="+", type=int, default=[2, 3], help="2 has other kernels than more")
    parser.add_argument("--criteria", nargs="+", choices=CRITERIA, help="in this order; all that take so many classes")
    parser.add_argument("--baseline", help="folder that holds another copy of the package ironbark, such as its src")
    parser.add_argument("--repeats", type=int, default=1, help="runs of each program, of which the medians are shown")
    options = parser.parse_args()
    sources = {"ironbark": None} | ({"baseline": options.baseline} if options.baseline else {})
    print(machine())
    for n_classes in options.classes:
        fitting = [name for name, entry in CRITERIA.items() if n_classes == 2 or "multiclass" in entry.tasks]
        criteria = options.criteria or fitting
        found = runs(criteria, n_classes, sources, options.repeats)
        imports = ", ".join(f"{program} {found[program, 'cached']['import']:.2f} s" for program in sources)
        print(f"\n{n_classes} classes, forests of 10 trees; import after scikit-learn: {imports}\n")
        heads = [f"{program}, {kind}, {state}" for program, state in found for kind in KINDS]
        print(f"| first call | {' | '.join(heads)} |\n| --- |{' ---: |' * len(heads)}")
        for step in (*criteria, "predict", 'ccp_alpha="auto"', "real weights", "missing values"):
            cells = [f"{spent[f'{step}, {kind}']:.2f}" for spent in found.values() for kind in KINDS]
            print(f"| {step} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())

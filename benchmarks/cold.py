"""Cold starts: CPU seconds of importing ironbark, and of the first fits with an empty and with a full cache of kernels.

The first line pays for what all criteria share. Wall time on an idle machine is about the same.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

from ironbark.criteria import CRITERIA

SCRIPT = """
import json, sys, time
names, n_classes = sys.argv[1].split(","), int(sys.argv[2])
from sklearn.datasets import make_classification
start = time.process_time()
import ironbark
from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
spent = {"import": time.process_time() - start}
X, y = make_classification(200, n_informative=5, n_classes=n_classes, random_state=0)
for name in names:
    for kind in (RobustDecisionTreeClassifier, RobustRandomForestClassifier):
        start = time.process_time()
        kind(criterion=name).fit(X, y)
        spent[f"{name} {kind.__name__}"] = time.process_time() - start
print(json.dumps(spent))
"""
KINDS = "RobustDecisionTreeClassifier", "RobustRandomForestClassifier"


def process(names, n_classes, cache):
    """CPU seconds by step of a fresh process that keeps kernels in the folder `cache`."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, ",".join(names), str(n_classes)],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--classes", type=int, default=3, help="2 has kernels of its own")
    parser.add_argument("--criteria", nargs="+", choices=CRITERIA, help="in this order; all that take so many classes")
    options = parser.parse_args()
    fitting = [name for name, entry in CRITERIA.items() if options.classes == 2 or "multiclass" in entry.tasks]
    names = options.criteria or fitting
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (process(names, options.classes, cache) for _ in range(2))
    print(f"import ironbark, after scikit-learn: {warm['import']:.2f} s\n")
    print("| criterion | tree, cold | forest of 100, cold | tree, cached | forest of 100, cached |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in names:
        cells = [f"{spent[f'{name} {kind}']:.2f}" for spent in (cold, warm) for kind in KINDS]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    sys.exit(main())

"""Make golden fits and print their summaries: ``python tests/golden/fits.py FAMILY [START STOP]``.

The process must have the environment of `ironbark.pipeline.jobs.cpu_dispatch` before it imports NumPy.
"""

import importlib
import json
import sys
import warnings
from pathlib import Path

TESTS = Path(__file__).parents[1]


def fitted(family, *ends):
    """Case -> kind of content -> digest and numbers, of all cases or those between two places."""
    warnings.simplefilter("ignore")
    cases = list(importlib.import_module(f"golden.{family}").CASES.items())
    return {name: _one(case) for name, case in cases[slice(*map(int, ends or (len(cases),)))]}


def _one(case):
    import numpy as np
    from golden.cases import summary

    np.random.seed(0)  # of estimators without a seed
    return summary(case())


if __name__ == "__main__":
    sys.path[0] = str(TESTS)  # not this folder, whose modules are named as the families
    json.dump(fitted(*sys.argv[1:]), sys.stdout)

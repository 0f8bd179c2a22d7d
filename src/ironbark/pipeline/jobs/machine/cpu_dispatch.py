"""Settings that give the same bits on every x86-64 processor.

NumPy and OpenBLAS choose their kernels by the processor, and those for AVX-512 differ in the last bit (NumPy's exp and
log, sums of products). Jobs get the kernels for AVX2, which nearly all have had since 2013; one without keeps its own.
"""

import platform
import time
from pathlib import Path

import numpy as np

from ironbark import RobustDecisionTreeClassifier, RobustRandomForestClassifier
from ironbark.encoding import encode
from ironbark.jit import CLOCK

WIDER = ("X86_V4", "AVX512_ICL", "AVX512_SPR")  # NumPy's names of what goes beyond AVX2
FLAGS = Path("/proc/cpuinfo")


def environment(machine: str | None = None, flags: Path = FLAGS) -> dict[str, str]:
    """Variables that a process needs before it imports NumPy."""
    if (machine or platform.machine()).lower() not in ("x86_64", "amd64"):
        return {}
    variables = {"NPY_DISABLE_CPU_FEATURES": " ".join(WIDER)}
    return variables if _lacks_avx2(flags) else variables | {"OPENBLAS_CORETYPE": "Haswell"}  # whose kernels need it


def _lacks_avx2(flags):
    """Whether Linux says so of the first of its processors, which are alike; others do not say."""
    if not flags.exists():
        return False
    with flags.open(encoding="utf-8") as lines:
        return "avx2" not in next((line for line in lines if line.startswith("flags")), "avx2").split()


#: CPU seconds of the probe on the machine that the constants of `ironbark.pipeline.plan.cost.fits` belong to.
REFERENCE = 0.045
ROUNDS = 5


def factor():
    """CPU seconds of the probe here over those of the reference machine; above 1 for a slower machine."""
    rng = np.random.default_rng(0)
    X, y = encode(rng.normal(size=(4000, 25))), rng.integers(0, 2, 4000)
    probe = (
        RobustDecisionTreeClassifier("gini", ccp_alpha=0.0),
        RobustRandomForestClassifier(10, criterion="gini", random_state=0, ccp_alpha=0.0),
    )
    return min(_seconds(probe, X, y) for _ in range(ROUNDS)) / REFERENCE


def _seconds(models, X, y):
    start = time.process_time() - CLOCK.seconds  # what compiling takes is no part of it
    for model in models:
        model.fit(X, y)
    return time.process_time() - CLOCK.seconds - start

"""Settings that give the same bits on every x86-64 processor.

NumPy and OpenBLAS choose their kernels by the processor, and those for AVX-512 differ in the last bit (NumPy's exp and
log, sums of products). Jobs get the kernels for AVX2, which nearly all have had since 2013; one without keeps its own.
"""

import platform
from pathlib import Path

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

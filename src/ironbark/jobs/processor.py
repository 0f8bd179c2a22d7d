"""The same bits on every x86-64 processor.

NumPy and OpenBLAS choose their kernels by the processor, and those for AVX-512 differ in the last bit (NumPy's exp and
log, sums of products). Jobs get the kernels for AVX2, which all have had since 2013.
"""

import platform

WIDER = ("X86_V4", "AVX512_ICL", "AVX512_SPR")  # NumPy's names of what goes beyond AVX2


def environment(machine=None):
    """Variables that a process needs before it imports NumPy.

    Parameters
    ----------
    machine : str, optional
        As `platform.machine` calls it; this one if left out.

    Returns
    -------
    dict of str to str
        Empty for other processors than x86-64, whose bits are their own.
    """
    if (machine or platform.machine()).lower() not in ("x86_64", "amd64"):
        return {}
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(WIDER), "OPENBLAS_CORETYPE": "Haswell"}

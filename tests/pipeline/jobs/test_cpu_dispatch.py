"""Variables that make the bits of NumPy and OpenBLAS those of every x86-64 processor."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from ironbark.pipeline.jobs import cpu_dispatch

KERNELS = """
import json, numpy as np
from threadpoolctl import threadpool_info
found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
cores = [library["architecture"] for library in threadpool_info() if library["internal_api"] == "openblas"]
print(json.dumps([found, cores]))
"""


@pytest.mark.skipif("OPENBLAS_CORETYPE" not in cpu_dispatch.environment(), reason="not an x86-64 processor with AVX2")
def test_kernels_are_those_of_avx2():
    command = [sys.executable, "-W", "error::ImportWarning", "-c", KERNELS]
    done = subprocess.run(command, env=os.environ | cpu_dispatch.environment(), capture_output=True, check=True)
    found, cores = json.loads(done.stdout)
    assert set(found) <= {"X86_V3"} and set(cores) == {"Haswell"}


@pytest.mark.skipif(not cpu_dispatch.environment(), reason="not an x86-64 processor")
def test_every_wider_kernel_of_this_numpy_is_named():
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    found = {*extensions["found"], *extensions.get("not found", [])}  # absent where this processor has all
    assert found - {"X86_V3"} <= set(cpu_dispatch.WIDER)


def test_a_processor_without_avx2_is_asked_for_no_kernels_that_it_lacks(tmp_path):
    flags = tmp_path / "cpuinfo"
    flags.write_text("flags : sse4_2 avx\nflags : sse4_2 avx\n")
    assert set(cpu_dispatch.environment("x86_64", flags)) == {"NPY_DISABLE_CPU_FEATURES"}
    flags.write_text("flags : sse4_2 avx avx2 fma\n")
    assert cpu_dispatch.environment("x86_64", flags)["OPENBLAS_CORETYPE"] == "Haswell"
    assert "OPENBLAS_CORETYPE" in cpu_dispatch.environment("x86_64", tmp_path / "of no Linux")

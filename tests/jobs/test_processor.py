"""Variables that make the bits of NumPy and OpenBLAS those of every x86-64 processor."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from ironbark.jobs import processor

KERNELS = """
import json, numpy as np
from threadpoolctl import threadpool_info
found = np.show_config(mode="dicts")["SIMD Extensions"]["found"]
cores = [library["architecture"] for library in threadpool_info() if library["internal_api"] == "openblas"]
print(json.dumps([found, cores]))
"""


@pytest.mark.skipif(not processor.environment(), reason="not an x86-64 processor")
def test_kernels_are_those_of_avx2():
    command = [sys.executable, "-W", "error::ImportWarning", "-c", KERNELS]
    done = subprocess.run(command, env=os.environ | processor.environment(), capture_output=True, check=True)
    found, cores = json.loads(done.stdout)
    assert set(found) <= {"X86_V3"} and set(cores) == {"Haswell"}


@pytest.mark.skipif(not processor.environment(), reason="not an x86-64 processor")
def test_every_wider_kernel_of_this_numpy_is_named():
    extensions = np.show_config(mode="dicts")["SIMD Extensions"]
    assert {*extensions["found"], *extensions["not found"]} - {"X86_V3"} <= set(processor.WIDER)


def test_other_processors_keep_theirs():
    assert processor.environment("arm64") == processor.environment("aarch64") == {}
    assert processor.environment("AMD64") == processor.environment("x86_64") != {}

"""Settings of all tests."""

import os

# Workers of pytest-xdist share the cores; threads of OpenMP that wait for a core keep it busy.
os.environ.setdefault("OMP_NUM_THREADS", "1")

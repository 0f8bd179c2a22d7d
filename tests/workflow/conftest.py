"""A copy of the checkout with a small study, and copies of what was built in it once."""

import fcntl
import os
import shutil

import pytest
from checkouts import ROOT, Checkout, copy_of, with_tiny


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """``once(name, make)``: the folder that `make` made, once for all workers of pytest-xdist; only to be read."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def found(name, make):
        with open(base / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (base / name / "done").exists():
                done = make(base / name)
                (base / name / "done").write_text(done.stdout + done.stderr, encoding="utf-8")
        return Checkout(base / name)

    return found


@pytest.fixture(scope="session")
def planned(once):
    """The checkout in which `tiny` was planned, so that its copies have what the planner keeps on disk."""
    return once("planned", lambda folder: with_tiny(copy_of(ROOT, folder)).run("-n", "tiny"))


@pytest.fixture(scope="session")
def shared(once, planned):
    """The checkout in which `tiny` was built."""
    return once("tiny", lambda folder: with_tiny(copy_of(planned.folder, folder)).run("tiny"))


@pytest.fixture
def checkout(planned, tmp_path):
    """A checkout with nothing built; its study has methods of ironbark only, so that no other class is looked up."""
    return with_tiny(copy_of(planned.folder, tmp_path / "checkout"), other="dt-twoing")


@pytest.fixture
def compiled(shared, tmp_path):
    """A checkout with nothing built, but with kernels that need not be compiled again."""
    return copy_of(shared.folder, tmp_path / "compiled")


@pytest.fixture
def built(shared, tmp_path):
    """A private copy of `shared`."""
    shutil.copytree(shared.folder, tmp_path / "built", symlinks=True)
    return Checkout(tmp_path / "built")

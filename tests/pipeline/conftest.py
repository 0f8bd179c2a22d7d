"""What tests of the pipeline share."""

import sys

import pytest
from pipeline.jobs.rerun import planned_with


@pytest.fixture
def importable(monkeypatch):
    """Function that puts a class into a module of its own; gives the path that methods name it by."""

    def put(cls, module="methods_of_tests"):
        found = sys.modules.get(module) or type(sys)(module)
        setattr(found, cls.__name__, cls)
        monkeypatch.setitem(sys.modules, module, found)
        return f"{module}.{cls.__name__}"

    return put


@pytest.fixture(scope="session")
def shipped():
    """Plan of the shipped configuration, which no test edits."""
    return planned_with()

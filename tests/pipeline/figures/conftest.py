"""Quick figures, as most tests look at what is drawn and not at where."""

import pytest

from ironbark.pipeline.figures import style


@pytest.fixture
def laid_out():
    """The figures of a test are laid out as in a run."""


@pytest.fixture(autouse=True)
def _quick(request, monkeypatch):
    if "laid_out" not in request.fixturenames:
        monkeypatch.setattr(style, "PASSES", 1)

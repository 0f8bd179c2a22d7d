"""Settings of all tests."""

import importlib.util
import os

import browser
import pytest

# Workers of pytest-xdist share the cores; threads of OpenMP that wait for a core keep it busy.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def chromium():
    """A browser, or the reason why there is none."""
    if browser.found() is None:
        pytest.skip("needs Chromium")
    if importlib.util.find_spec("websocket") is None:
        pytest.skip("needs the package websocket-client")
    found = browser.Browser()
    yield found
    found.close()


@pytest.fixture
def tab(chromium):
    """The browser's tab; afterwards nothing may have gone wrong, nor anything been asked of another place."""
    chromium.look()
    chromium.call("Page.resetNavigationHistory")  # a full history loses entries that no gesture of a user has made
    chromium.errors.clear()
    chromium.requests.clear()
    yield chromium
    assert chromium.errors == []
    away = [url for url in chromium.requests if not url.startswith(("file:///", "data:", "blob:", "about:"))]
    assert away == [] and chromium.requests

"""Random numbers of the tests of statements."""

import pytest

from ironbark.seeding import generator


@pytest.fixture
def rng(request):
    return generator("theory", request.node.originalname)

"""Random numbers of the tests of statements."""

import pytest
from theory.cases import numbers


@pytest.fixture
def rng(request):
    return numbers(request.node.originalname)

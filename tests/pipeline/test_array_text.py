"""Arrays as text: nothing is lost, and nothing else is read."""

import base64
import zlib

import numpy as np
import pytest

from ironbark.pipeline.results.array_text import to_array, to_text

RNG = np.random.default_rng(0)
ARRAYS = [
    np.zeros(0, np.uint8),
    np.arange(256, dtype=np.uint8),
    RNG.random((40, 3)),
    np.array([np.nan, -0.0, np.inf, 5e-324]),
    RNG.integers(0, 60_000, (2, 5, 3)).astype(np.uint16),
    np.asfortranarray(RNG.random((3, 4))),
]


@pytest.mark.parametrize("array", ARRAYS)
def test_round_trip(array):
    found = to_array(to_text(array))
    assert found.dtype == array.dtype and found.shape == array.shape
    assert found.tobytes() == np.ascontiguousarray(array).tobytes()


def test_predictions_that_are_nearly_all_right_are_short():
    errors = (RNG.random(10_000) < 0.05).astype(np.uint8)
    assert len(to_text(errors)) < 1000
    assert len(to_text(np.zeros(60_000, np.uint8))) < 150


def packed(raw):
    return base64.b64encode(zlib.compress(raw)).decode()


ABC = packed(b"abc")
REFUSED = [
    *("", None, "|u1 3", "|u1 3 !!!", f"|u1 3 {ABC[:-6]}", f"<f8 2000000000x2 {ABC}"),
    *(f"{head} {ABC}" for head in ("|O 3", "|u1 -3", "|u1 4", "|u1 2")),
    f"|u1 3 {base64.b64encode(zlib.compress(b'abc') + b'more').decode()}",
]


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        to_array(text, most=10**6)


def test_a_bomb_is_not_unpacked():
    with pytest.raises(ValueError, match="has not the 10 bytes"):
        to_array(f"|u1 10 {packed(bytes(10**8))}")

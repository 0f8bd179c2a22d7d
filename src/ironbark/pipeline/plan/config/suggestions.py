"""Parts of the messages about mistakes in the configuration: where it is, and the nearest known word."""

from contextlib import contextmanager

from ironbark import entries
from ironbark.errors import InputError


@contextmanager
def located(place):
    """Let an InputError that is raised within name the place."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{place}: {error}") from None


def suggestion(word, known):
    """', did you mean X?' for the nearest of `known`, or nothing; for two of them in one text, the missing comma."""
    known = list(map(str, known))
    parts = str(word).split()
    if len(parts) > 1 and set(parts) <= set(known):
        return f"; a comma is missing between {parts[0]!r} and {parts[1]!r}"
    near = entries.suggestion(word, known, otherwise="")
    return near and f", {near}"

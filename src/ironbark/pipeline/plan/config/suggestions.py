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
    """', did you mean X?' for the nearest of `known`, or nothing."""
    near = entries.suggestion(word, list(map(str, known)), otherwise="")
    return near and f", {near}"

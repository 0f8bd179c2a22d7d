"""The nearest known word to a misspelt one, as the end of a sentence."""

from ironbark import entries


def suggestion(word, known):
    """', did you mean X?' for the nearest of `known`, or nothing."""
    near = entries.suggestion(word, list(map(str, known)), otherwise="")
    return near and f", {near}"

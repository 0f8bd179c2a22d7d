"""The nearest known word to a misspelt one."""

import difflib


def suggestion(word, known):
    """', did you mean X?' for the nearest of `known`, or nothing."""
    near = difflib.get_close_matches(str(word), list(map(str, known)), n=1)
    return f", did you mean {near[0]!r}?" if near else ""

"""Keywords that the classes of XGBoost and LightGBM take without listing them, for their cores."""

import difflib
from collections.abc import Iterable

from ironbark.errors import InputError

#: How alike a keyword may be to a listed one and still be another of the core. None of theirs is (0.85 at most, by
#: difflib), most misspelt ones are.
ALIKE = 0.86


def refuse_misspelt(user: str, given: Iterable[str], listed: Iterable[str]):
    """Refuse keywords that are listed but for a slip; cores pass over what they don't know, LightGBM's in silence."""
    listed = set(listed)
    for name in given:
        near = difflib.get_close_matches(name, listed, n=1, cutoff=ALIKE)
        if near and name not in listed:
            raise InputError(f"{user} has no parameter {name!r}; did you mean {near[0]!r}?")

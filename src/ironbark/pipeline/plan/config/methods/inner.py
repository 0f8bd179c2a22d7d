"""Form of an estimator within the parameters of another one, which no schema checks."""

import re

from ironbark.entries import suggestion
from ironbark.errors import InputError

KEYS = ("estimator", "params")
_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+", re.ASCII)


def check(entry):
    """Raise InputError for an entry with other keys than `KEYS`, or with values that these can't have."""
    if found := fault(entry):
        raise InputError(found)


def fault(entry):
    """What is wrong with the form of an entry, in a sentence; empty for nothing."""
    estimator, params = entry["estimator"], entry.get("params", {})
    if not isinstance(estimator, str) or not _PATH.fullmatch(estimator):
        return (
            f"the inner estimator {estimator!r} is no import path; write one such as "
            "'sklearn.tree.DecisionTreeClassifier'"
        )
    for key in entry:
        if key not in KEYS:
            hint = suggestion(key, KEYS, otherwise="it may have {} only")
            return f"the inner estimator {estimator!r} has the unknown key {key!r}; {hint}"
    if not isinstance(params, dict):
        held = "empty" if params is None else repr(params)
        return f"`params` of the inner estimator {estimator!r} is {held}; write parameters with values, or leave it out"
    return ""

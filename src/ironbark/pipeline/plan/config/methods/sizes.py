"""Parameters that the planner computes with, so that they must be numbers before it does."""

import difflib
import math

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.yaml_files import as_number
from ironbark.pipeline.protocols.tuning import searches

#: Parameter -> words that it may have instead of a number.
SIZES = {
    "max_depth": (),
    "max_features": ("sqrt", "log2"),
    "max_iter": (),
    "max_leaf_nodes": ("auto",),
    "max_samples": (),
    "n_estimators": (),
    "num_leaves": (),
    "outer_bags": (),
}


def check(method):
    """Raise InputError for a size in the parameters of an entry, or in the values that it tries, that is no number."""
    tried = [(name, value) for name, values in searches.values_of(method.get("tune", {})).items() for value in values]
    for name, value in [*method.get("params", {}).items(), *tried]:
        last, size = name.rpartition("__")[2], method.get("size")
        if last not in SIZES and name != size:
            continue
        words = SIZES.get(last, ())
        if value is not None and value not in words and not (isinstance(value, (int, float)) and math.isfinite(value)):
            raise InputError(f"{name}={value!r} is no number{_remedy(value, words)}")


def _remedy(value, words):
    """What to write in place of a value."""
    if not isinstance(value, str):
        return "; write one number, or null for none"
    if number := as_number(value):
        return f"; write {number} (YAML reads {value} as text)"
    if near := difflib.get_close_matches(value, words, n=1):
        return f", did you mean {near[0]!r}?"
    return f"; write a number without quotes{''.join(f', {word}' for word in words)}, or null for none"

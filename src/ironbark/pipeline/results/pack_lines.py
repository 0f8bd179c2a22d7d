"""The lines of a pack: finished fits as strict JSON, each field of a known type and of bounded size.

A record has either the outputs of its fit or, in a pack of scores, all metrics that follow from them.

Only fits that ended well are in packs. A number without a value, NaN in the store, is null here.
"""

import json
import math
import re

from ironbark.pipeline.metrics import METRICS
from ironbark.pipeline.results.records import OUTPUTS

KEY = re.compile(r"[0-9a-f]{32}")
METHOD = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
SCORED = {name for name, metric in METRICS.items() if metric.output}
MOST_LINE = 2**24  # bytes
MOST_TEXT = 10_000  # characters
MOST_COUNT = 2**62
MOST_DIGITS = 25  # of a whole number, before it is converted


def _share(value):
    return type(value) is float and 0 <= value <= 1


def _number(value):
    return value is None or (type(value) is float and math.isfinite(value))


def _count(value):
    return type(value) is int and 0 <= value <= MOST_COUNT


def _seconds(value):
    return type(value) is float and 0 <= value < math.inf


def _text(value):
    return type(value) is str and len(value) <= MOST_TEXT


def _outputs(value):
    known = isinstance(value, dict) and {"errors"} <= set(value) <= {"errors", "decision", *OUTPUTS}
    return known and all(type(text) is str for text in value.values())


def _dict(names, is_known):
    """Check of a dict with some of these names and values of one kind."""
    return lambda value: isinstance(value, dict) and set(value) <= names and all(map(is_known, value.values()))


#: Field of a record -> whether a value is of its kind.
REQUIRED = {
    "status": lambda value: value == "ok",
    **dict.fromkeys(("train_accuracy", "flipped"), _share),
    **dict.fromkeys(("n_leaves", "depth", "minimax_risk", "effective_rules", "effective_samples"), _number),
    **dict.fromkeys(("repeat", "fold", "n_train", "n_test", "seed"), _count),
    **dict.fromkeys(("fit_seconds", "tune_seconds", "score_seconds"), _seconds),
    "tuned": _text,
}
OPTIONAL = {
    "validation_accuracy": _number,
    "fit_memory": lambda value: value is None or _seconds(value),
    **{"gaps": _dict(set(OUTPUTS), _text), "outputs": _outputs},
    **{"scores": _dict(SCORED, _number), "reasons": _dict(SCORED, _text)},
}


def line(method, key, record):
    """A finished fit as a line, with its line end."""
    entry = without_nan({"key": key, "method": method, "record": record})
    return json.dumps(entry, sort_keys=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def without_nan(value):
    """A JSON value with null for each NaN."""
    if isinstance(value, dict):
        return {name: without_nan(inner) for name, inner in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


def with_nan(value):
    """The inverse of `without_nan`."""
    if isinstance(value, dict):
        return {name: with_nan(inner) for name, inner in value.items()}
    return math.nan if value is None else value


def read(content):
    """Fits of the lines of a member, as method -> key -> record.

    Raises
    ------
    ValueError
        If a line is anything else than a finished fit, or a key occurs twice.
    """
    found, keys = {}, set()
    lines = content.split(b"\n")
    if lines.pop():
        raise ValueError(f"line {len(lines) + 1} has no end")
    for number, text in enumerate(lines, 1):
        if len(text) > MOST_LINE:
            raise ValueError(f"line {number} has {len(text)} bytes")
        try:
            entry = strict_json(text)
            _check(entry)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if entry["key"] in keys:
            raise ValueError(f"line {number}: the fit {entry['key']} occurs twice")
        keys.add(entry["key"])
        found.setdefault(entry["method"], {})[entry["key"]] = with_nan(entry["record"])
    return found


def _check(entry):
    known = isinstance(entry, dict) and set(entry) == {"key", "method", "record"}
    if not known or not isinstance(entry["record"], dict):
        raise ValueError("no entry of a key, a method and a record")
    if not isinstance(entry["method"], str) or not METHOD.fullmatch(entry["method"]):
        raise ValueError("its method is no id")
    if not isinstance(entry["key"], str) or not KEY.fullmatch(entry["key"]):
        raise ValueError("its key is no hash")
    record = entry["record"]
    if missing := REQUIRED.keys() - record.keys():
        raise ValueError(f"the field {min(missing)} is missing")
    if ("outputs" in record) == ("scores" in record) or ("scores" in record) != ("reasons" in record):
        raise ValueError("it has neither outputs alone nor scores with reasons alone")
    for name, value in record.items():
        is_known = REQUIRED.get(name) or OPTIONAL.get(name)
        if is_known is None:
            raise ValueError(f"there is no field {name[:50]!r}")
        if not is_known(value):
            raise ValueError(f"the field {name} has the value {str(value)[:50]}")


def strict_json(content):
    """Value of JSON text, without NaN, infinity, endless digits or keys that occur twice.

    Raises
    ------
    ValueError
    """
    try:
        return json.loads(
            content, object_pairs_hook=_unique, parse_constant=_refused, parse_int=_whole, parse_float=_finite
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unique(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _refused(text):
    raise ValueError(f"{text} is no JSON number")


def _whole(text):
    if len(text) > MOST_DIGITS:
        raise ValueError(f"a whole number has {len(text)} digits")
    return int(text)


def _finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:50]} is too large")
    return value

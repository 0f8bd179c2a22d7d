"""Sweeps: one entry in YAML for several values of a parameter or rate, such as ``lam: {sweep: [0.25, 0.5, 0.75]}``."""

import copy
import difflib
import itertools
import re

from ironbark.errors import InputError

SWEEP = "sweep"
_FIELD = re.compile(r"\{(\w+)\}")
_TEXTS = ("label", "about")


def expanded(name: str, entry: dict) -> dict:
    """The entries that an entry with sweeps means, one for each combination of their values."""
    sweeps = list(_found(entry, ()))
    if not sweeps:
        return {name: entry}
    result = {}
    for options in itertools.product(*(_options(keys, sweep) for keys, sweep in sweeps)):
        made, suffixes, fields = copy.deepcopy(entry), {}, {}
        for (keys, _), (suffix, value) in zip(sweeps, options, strict=True):
            _put(made, keys, value)
            suffixes[_field(keys)] = suffix
            fields[_field(keys)] = suffix if isinstance(value, (list, dict)) else _suffix(value)
        texts = {key: _filled(entry[key], fields) for key in _TEXTS if key in entry}
        if not _FIELD.search(entry.get("label", "")):
            texts["label"] = " ".join([entry.get("label", name), *fields.values()])
        found = _filled(name, suffixes) if _FIELD.search(name) else "-".join([name, *suffixes.values()])
        if found in result:
            raise InputError(f"two values of its sweeps make the id {found!r}; name each swept key in the id")
        result[found] = made | texts
    return result


def group_of(name):
    """Id of the group of all entries of a sweep: the id of the entry without what is in braces."""
    return _FIELD.sub("", name).strip("-.")


def _found(value, keys):
    """Place and content of each sweep in an entry."""
    if isinstance(value, list):
        for i, member in enumerate(value):
            yield from _found(member, (*keys, i))
    if not isinstance(value, dict):
        return
    if SWEEP in value:
        if len(value) > 1:
            other = next(key for key in value if key != SWEEP)
            raise InputError(f"the sweep of {_field(keys)!r} has another key {other!r}; take it out")
        yield keys, value[SWEEP]
        return
    if len(value) == 1 and keys and difflib.get_close_matches(str(*value), [SWEEP], cutoff=0.75):
        raise InputError(f"unknown key {str(*value)!r} at {_field(keys)!r}, did you mean {SWEEP!r}?")
    for key, member in value.items():
        yield from _found(member, (*keys, key))


def _options(keys, sweep):
    """Suffix and value of each step of a sweep."""
    if not isinstance(sweep, (list, dict)) or not sweep:
        raise InputError(f"the sweep of {_field(keys)!r} must be a list of values, or suffixes with values")
    if isinstance(sweep, dict):
        return [(str(suffix), value) for suffix, value in sweep.items()]
    odd = [value for value in sweep if isinstance(value, (list, dict))]
    if odd:
        raise InputError(f"the sweep of {_field(keys)!r} has the value {odd[0]!r}; write it as `suffix: value`")
    return [(_suffix(value), value) for value in sweep]


def _suffix(value):
    """End of an id: a number in short, or a word as ids have it."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return format(value, "g")
    return str(value).lower().replace("_", "-")


def _field(keys):
    """The key under which a sweep is."""
    return next(key for key in reversed(keys) if isinstance(key, str))


def _put(entry, keys, value):
    for key in keys[:-1]:
        entry = entry[key]
    entry[keys[-1]] = copy.deepcopy(value)


def _filled(text, fields):
    for name in _FIELD.findall(text):
        if name not in fields:
            raise InputError(f"{text!r} names {{{name}}}, which is not swept; there is {', '.join(fields)}")
    return _FIELD.sub(lambda match: fields[match[1]], text)

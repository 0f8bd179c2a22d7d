"""Abbreviations in YAML: one entry for several values, such as ``lam: {sweep: [0.25, 0.5]}``, and names of groups.

A group means several methods or noises, wherever a study lists their ids.
"""

import copy
import difflib
import functools
import itertools
import operator
import re
from fnmatch import fnmatchcase

from ironbark.entries import suggestion
from ironbark.errors import InputError

GROUP, KEYS = "group", ("methods", "noises")
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
            functools.reduce(operator.getitem, keys[:-1], made)[keys[-1]] = copy.deepcopy(value)
            suffixes[_field(keys)] = suffix
            fields[_field(keys)] = suffix if isinstance(value, (list, dict)) else _suffix(value)
        texts = {key: _filled(entry[key], fields) for key in _TEXTS if isinstance(entry.get(key), str)}
        if isinstance(label := entry.get("label", name), str) and ("label" not in entry or not _FIELD.search(label)):
            texts["label"] = " ".join([label, *fields.values()])
        new_id = _filled(name, suffixes) if _FIELD.search(name) else "-".join([name, *suffixes.values()])
        if new_id in result:
            remedy = "take one out, or name each swept key in the id or each value by {sweep: {suffix: value}}"
            raise InputError(f"two values of its sweeps make the id {new_id!r}; {remedy}")
        result[new_id] = made | texts
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
        raise InputError(f"unknown key {str(*value)!r} at {_field(keys)!r}; did you mean {SWEEP!r}?")
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


def _filled(text, fields):
    for name in _FIELD.findall(text):
        if name not in fields:
            raise InputError(f"{text!r} names {{{name}}}, which is not swept; there is {', '.join(fields)}")
    return _FIELD.sub(lambda match: fields[match[1]], text)


def resolved(entries: dict, file_of: dict, errors: list[str]):
    """Entries without groups, and group -> ids."""
    lists = {name: entry.get(GROUP) for name, entry in entries.items() if isinstance(entry, dict)}
    # The schema refuses others.
    lists = {name: group for name, group in lists.items() if isinstance(group, list) and list not in map(type, group)}
    known, groups = {name: entry for name, entry in entries.items() if name not in lists}, {}
    for name in lists:
        try:
            groups[name] = members(name, lists, known)
        except InputError as error:
            errors.append(f"{file_of[name]}, {error}")
    return known, groups


def members(name: str, groups: dict, known, within: tuple[str, ...] = ()):
    """Ids that a group means, in the order of its list."""
    if name in within:
        raise InputError(f"group {name!r} contains itself, by {' > '.join([*within, name])}; take it out")
    ids = []
    for member in groups[name]:
        if member in groups:
            ids += members(member, groups, known, (*within, name))
        elif member in known:
            ids.append(member)
        else:
            matching = [one for one in known if fnmatchcase(one, str(member))]
            if not matching:
                hint = suggestion(member, [*known, *(groups.keys() - {name})], "correct it")
                raise InputError(f"group {name!r}: {member!r} is no id, no group, and no pattern of ids; {hint}")
            ids += matching
    return list(dict.fromkeys(ids))


def spelled_out(value: dict | list, groups: dict):
    """A study, or a part of it, with the ids of its groups in place of their names."""
    if isinstance(value, list):
        return [spelled_out(member, groups) for member in value]
    if not isinstance(value, dict):
        return value
    return {
        key: _ids(member, groups[key]) if key in KEYS and isinstance(member, list) else spelled_out(member, groups)
        for key, member in value.items()
    }


def _ids(names, groups):
    if not all(isinstance(name, str) for name in names) or not groups.keys() & set(names):
        return names  # the schema refuses what is no text
    return list(dict.fromkeys(one for name in names for one in groups.get(name, [name])))

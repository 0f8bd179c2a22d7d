"""Entries of tables of names: finding one by its name, and checking the options that it takes. Plain Python."""

import difflib
import numbers
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from ironbark.errors import InputError

MOST = 20  # known names that a sentence lists


class Option(NamedTuple):
    """Option of an entry."""

    default: Any
    allows: Callable  # whether a value is allowed
    wanted: str  # what the value must be, such as "an integer >= 1"
    meaning: str = ""  # what it does, for the docs


def is_count(value, low):
    """Whether a value is an integer, not true or false, of at least `low`."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool) and value >= low


def distinct(labels):
    """Labels, a dict of id to text, with the id in parentheses where several ids share one."""
    counts = Counter(labels.values())
    return {name: text if counts[text] == 1 else f"{text} ({name})" for name, text in labels.items()}


def lookup(what: str, name: object, known: dict, spelled: str | None = None) -> Any:
    """The known entry of a name, which may be spelled in another way; or an InputError that suggests the nearest."""
    spelled = str(name) if spelled is None else spelled
    if spelled in known:
        return known[spelled]
    raise InputError(f"unknown {what} {name!r}; {suggestion(spelled, known)}")


def suggestion(name, known, otherwise="choose one of {}"):
    """Half a sentence: the nearest of the known names, the comma missing between two of them, or all."""
    parts, known = str(name).split(), list(map(str, known))
    if len(parts) > 1 and set(parts) <= set(known):
        return f"a comma is missing between {parts[0]!r} and {parts[1]!r}"
    near = difflib.get_close_matches(str(name), known, n=1)
    all_ = ", ".join(known[:MOST]) + f" and {len(known) - MOST} more" * (len(known) > MOST)
    return f"did you mean {near[0]!r}?" if near else otherwise.format(all_)


def checked(who: str, noun: str, options: dict[str, Option], given: dict):
    """All options of an entry, with the defaults, which are always allowed, of those that are not given."""
    for name, value in given.items():
        if name not in options:
            otherwise = "it takes {}." if options else "it takes none, so leave it out."
            raise InputError(f"{who} has no {noun} {name!r}; {suggestion(name, options, otherwise)}")
        if value is not options[name].default and not options[name].allows(value):
            raise InputError(f"{name}={value!r} of {who} is not allowed; it must be {options[name].wanted}.")
    return {name: option.default for name, option in options.items()} | given

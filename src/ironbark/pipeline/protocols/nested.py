"""Estimators within the parameters of an estimator, at any depth: the steps of a pipeline, the members of a vote.

Importing this module loads no numpy, so that the planner can check entries.
"""

from ironbark.pipeline.protocols import methods


def is_group(value):
    """Whether a value of a parameter is a list or dict, other than an entry itself, that holds an entry."""
    return not methods.is_estimator(value) and bool(list(entries(value)))


def entries(value: object):
    """Entries of estimators in a value in YAML, the outermost ones only."""
    if methods.is_estimator(value):
        yield value
    elif isinstance(value, (list, dict)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from entries(member)


def named(params):
    """Entries by the name that their parameters start with, such as ``scale`` of a pipeline's ``scale__copy``."""
    found = {name: value for name, value in params.items() if methods.is_estimator(value)}
    for value in params.values():
        found |= dict(_pairs(value))
    return found


def _pairs(value):
    """Name and entry of each list such as ``[scale, {estimator: ...}]`` in a value."""
    if not isinstance(value, list) or not value:
        return
    if isinstance(value[0], str):
        yield from ((value[0], member) for member in value if methods.is_estimator(member))
    for member in value:
        yield from _pairs(member)


def made(params: dict, seed: int) -> dict:
    """The lists and dicts among some parameters that hold estimators, with the estimators made."""
    return {name: _made(value, seed) for name, value in params.items() if is_group(value)}


def _made(value, seed):
    if methods.is_estimator(value):
        return methods.make({"params": {}, **value}, seed)
    if isinstance(value, dict):
        return {key: _made(member, seed) for key, member in value.items()}
    if not isinstance(value, list):
        return value
    members = [_made(member, seed) for member in value]
    return tuple(members) if value and isinstance(value[0], str) and is_group(value) else members

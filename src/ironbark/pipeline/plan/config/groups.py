"""Groups: names in YAML for several methods or noises, which may be used wherever a study lists their ids."""

from fnmatch import fnmatchcase

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.suggestions import suggestion

GROUP = "group"
KEYS = ("methods", "noises")


def resolved(entries: dict, file_of: dict, errors: list[str]):
    """Entries without groups, and group -> ids."""
    lists = {name: entry[GROUP] for name, entry in entries.items() if isinstance(entry, dict) and GROUP in entry}
    lists = {name: group for name, group in lists.items() if isinstance(group, list)}  # the schema refuses others
    known, found = {name: entry for name, entry in entries.items() if name not in lists}, {}
    for name in lists:
        try:
            found[name] = members(name, lists, known)
        except InputError as error:
            errors.append(f"{file_of[name]}, {error}")
    return known, found


def members(name: str, groups: dict, known, within: tuple[str, ...] = ()):
    """Ids that a group means, in the order of its list."""
    if name in within:
        raise InputError(f"group {name!r} contains itself, by {' > '.join([*within, name])}; take it out")
    found = []
    for member in groups[name]:
        if member in groups:
            found += members(member, groups, known, (*within, name))
        elif member in known:
            found.append(member)
        else:
            matching = [one for one in known if fnmatchcase(one, member)]
            if not matching:
                hint = suggestion(member, [*known, *groups])
                raise InputError(f"group {name!r}: {member!r} is no id, no group, and no pattern of ids{hint}")
            found += matching
    return list(dict.fromkeys(found))


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


def refuse_unknown(study, config):
    """Raise InputError for an id in a list of methods or noises of a grid, table or figure that is nowhere defined."""
    for key, name in _listed({part: study.get(part, {}) for part in ("grids", "tables", "figures")}):
        if name not in config[key]:
            hint = suggestion(name, [*config[key], *config.get("groups", {}).get(key, ())])
            raise InputError(f"unknown {key.removesuffix('s')} {name!r}{hint or '; correct it or define it'}")


def _listed(value):
    """Pairs of a key of `KEYS` and an id in a list under it."""
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        if key in KEYS and isinstance(member, list):
            yield from ((key, name) for name in member)
        elif isinstance(member, (dict, list)):
            yield from _listed(member)


def _ids(names, groups):
    if not any(isinstance(name, str) and name in groups for name in names):
        return names
    ids = [one for name in names for one in (groups.get(name, [name]) if isinstance(name, str) else [name])]
    return list(dict.fromkeys(ids))

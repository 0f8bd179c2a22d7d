"""Reading the YAML files that users edit, and saying clearly what is wrong with them before any job runs."""

import re
from pathlib import Path

import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import groups, sweeps
from ironbark.pipeline.plan.config.suggestions import suggestion
from ironbark.pipeline.plan.disk_cache import cached

EXPONENT = re.compile(r"([+-]?\d+)(?:[.](\d*))?[eE]([+-]?\d+)")
ID = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")

#: Values of settings as the command line has them.
WORDS = {"true": True, "false": False, "null": None, "none": None}

#: Section of the configuration -> files and folders below the config folder, and the schema of their content.
SECTIONS = {
    "datasets": (("datasets.yaml", "datasets"), "datasets"),
    "methods": (("methods",), "methods"),
    "noises": (("noise.yaml", "noise"), "noise"),
}


def read(folder, schemas, settings):
    """All sections of the configuration, checked against their schemas.

    Parameters
    ----------
    folder : path
        Holds ``datasets.yaml``, ``noise.yaml`` and the folders ``datasets``, ``noise``, ``methods`` and ``studies``.
    schemas : path
        Holds ``<name>.schema.yaml``.
    settings : dict
        Content of ``config.yaml`` with what ``--config`` changed.

    Returns
    -------
    dict
        With keys settings, datasets, methods, noises, studies, groups. Four map id -> entry; sweeps and groups of
        methods and noises are spelled out in them. The last maps "methods" and "noises" to group -> ids.

    Raises
    ------
    InputError
        Listing every violation: file, place, what is wrong, and the nearest known key for a misspelt one.
    """
    folder, schemas = Path(folder), Path(schemas)
    for key, value in settings.items():  # --config key=true arrives as text
        settings[key] = WORDS.get(str(value).lower(), value)
    for key in ("studies", "packs", "methods", "noises", "datasets"):
        if isinstance(settings.get(key), str):  # --config studies=ane
            settings[key] = [settings[key]]
    errors = _violations(settings, _load(schemas / "config.schema.yaml"), "config.yaml or --config")
    errors += [
        f"config.yaml or --config: {key} holds characters that do not reach jobs as they are; rename {value!r} so that "
        "it has no backslash, and no ' beside one of \" ` $"
        for key, value in settings.items()
        if isinstance(value, (str, list)) and not reaches_jobs(str(value))
    ]
    result = {"settings": settings, "groups": {}}
    for section, (places, schema) in SECTIONS.items():
        files = [path for place in places for path in _files(folder / place)]
        found, file_of = _entries(files, _load(schemas / f"{schema}.schema.yaml"), errors)
        if section in groups.KEYS:
            found, result["groups"][section] = groups.resolved(found, file_of, errors)
        result[section] = found
    schema, result["studies"] = _load(schemas / "study.schema.yaml"), {}
    for path in sorted((folder / "studies").glob("*.yaml")):
        study = _load(path)
        errors += _violations(study, schema, path.name)
        result["studies"][path.stem] = groups.spelled_out(study, result["groups"])
    errors += [
        f"{section}: {name!r} is no valid id; use lower-case letters, digits, '-' and '.'"
        for section in ("datasets", "methods", "noises", "studies")
        for name in result[section]
        if not is_id(name)
    ]
    errors += [
        f"studies/{study}.yaml: {name!r} is no valid id for a file; use lower-case letters, digits, '-' and '.'"
        for study, content in result["studies"].items()
        for kind in ("tables", "figures")
        for name in (isinstance(content, dict) and content.get(kind) or ())
        if not is_id(name)
    ]
    if errors:
        raise InputError("the configuration is not valid:\n  " + "\n  ".join(errors))
    return result


def reaches_jobs(text):
    """Whether a shell reads Python's notation of a text as that text: so Snakemake hands ``--config`` on to jobs."""
    inside_double_quotes = "'" in text
    return text.isprintable() and "\\" not in text and not (inside_double_quotes and set(text) & set('"`$'))


def is_id(name):
    """Whether a name can be part of a file name; YAML reads 1, 1.5, yes and 2026-01-01 as no text at all."""
    return isinstance(name, str) and ID.fullmatch(name) is not None


def _load(path):
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; restore it from the repository.") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        words = ": ".join(filter(None, [error.context, error.problem]))
        raise InputError(f"{path} is no valid YAML, line {mark.line + 1}, column {mark.column + 1}: {words}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no valid YAML: {' '.join(str(error).split())}") from None
    return {} if content is None else content


class _UniqueKeys(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # in C where there is one: ten times as fast
    """A duplicate key in a mapping would silently hide its first value."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = {key for key in keys if isinstance(key, str) and keys.count(key) > 1}
        if twice:
            mark = [key for key, _ in node.value if key.value == min(twice)][-1].start_mark
            raise yaml.constructor.ConstructorError(None, None, f"key {min(twice)!r} is given twice", mark)
        return super().construct_mapping(node, deep)


def _files(place):
    """A file, or all files of a folder."""
    return [place] if place.suffix == ".yaml" else sorted(place.glob("*.yaml"))


def _entries(files, schema, errors):
    """Entries of all these files, with their sweeps spelled out, and the file of each."""
    result, file_of = {}, {}
    for path in files:
        entries = _load(path)
        if isinstance(entries, dict):
            odd = [name for name in entries if not isinstance(name, str)]
            errors += [f"{path.name}: the id {name!r} is no text; put it in quotes" for name in odd]
            entries = {name: entry for name, entry in entries.items() if name not in odd}
        errors += _violations(entries, schema, path.name)
        if isinstance(entries, dict):
            entries = _spelled_out(entries, path.name, errors)
            errors += [f"{path.name}: {name!r} is already defined" for name in entries if name in result]
            result.update(entries)
            file_of |= dict.fromkeys(entries, path.name)
    return result, file_of


def _spelled_out(entries, file, errors):
    """Entries without sweeps: each sweep becomes its entries and a group of its id, which holds them."""
    result = {}
    for name, entry in entries.items():
        try:
            made = sweeps.expanded(name, entry) if isinstance(entry, dict) else {name: entry}
        except InputError as error:
            errors.append(f"{file}, {name}: {error}")
            continue
        result |= made if name in made else {sweeps.group_of(name): {groups.GROUP: list(made)}, **made}
    return result


@cached
def _violations(instance, schema, file):
    """Every violation of a schema as one line."""
    from jsonschema import Draft202012Validator  # late: only for what was never checked before

    lines = []
    for error in sorted(
        Draft202012Validator(schema).iter_errors(instance), key=lambda e: list(map(str, e.absolute_path))
    ):
        place = ".".join(map(str, error.absolute_path)) or "top level"
        lines.append(f"{file}, {place}: {_sentence(error)}")
    return list(dict.fromkeys(lines))  # one error for each missing key says the same


def _sentence(error):
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        unknown = [key for key in error.instance if key not in known]
        return "; ".join(f"unknown key {key!r}{suggestion(key, known)}" for key in unknown)
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return "; ".join(f"key {key!r} is missing, add it" for key in missing)
    if error.validator == "dependentRequired":
        needs = [(key, need) for key, needs in error.validator_value.items() for need in needs]
        missing = [(key, need) for key, need in needs if key in error.instance and need not in error.instance]
        return "; ".join(f"key {key!r} needs {need!r}, add it" for key, need in missing)
    if error.validator == "enum":
        options = ", ".join(map(str, error.validator_value))
        return f"{error.instance!r} is not one of {options}{suggestion(str(error.instance), error.validator_value)}"
    if error.validator == "type" and isinstance(error.instance, bool) and "string" in error.validator_value:
        return f"YAML reads {error.instance!r} as a truth value; put it in quotes, as '{error.instance}' for a label"
    if error.validator in ("type", "anyOf", "oneOf") and (text := _number_as_text(error.instance)):
        return f"YAML reads {text!r} as text; write {_as_number(text)}"
    if error.validator in ("anyOf", "oneOf") and "description" in error.schema:
        return f"{error.instance!r} is not allowed; it must be: {error.schema['description']}"
    return error.message


def _number_as_text(value):
    """The first text in a value that is a number without what YAML asks for: a point, and a sign of the exponent."""
    if isinstance(value, (list, dict)):
        members = value.values() if isinstance(value, dict) else value
        return next(filter(None, map(_number_as_text, members)), None)
    return value if isinstance(value, str) and EXPONENT.fullmatch(value) else None


def _as_number(text):
    whole, fraction, exponent = EXPONENT.fullmatch(text).groups()
    return f"{whole}.{fraction or 0}e{exponent if exponent[0] in '+-' else f'+{exponent}'}"


def lookup(kind, name, known):
    """``known[name]``, or an InputError that suggests the nearest id."""
    if name not in known:
        hint = suggestion(name, known) or f"; there are {', '.join(sorted(known))}"
        raise InputError(f"unknown {kind} {name!r}{hint}")
    return known[name]

"""Reading the YAML files that users edit, and saying clearly what is wrong with them before any job runs."""

import re
from pathlib import Path

from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.pipeline.plan.config import expansion, yaml_files

LONGEST_ID = 100  # characters; file names of 255 also hold keys and endings
ID = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")

#: Values of settings as the command line has them.
WORDS = {"true": True, "false": False, "null": None, "none": None}

#: Settings that are lists, of which the command line may have one member.
LISTS = ("studies", "only", "packs", "methods", "noises", "datasets")

#: Section of the configuration -> files and folders below the config folder, and the schema of their content.
SECTIONS = {
    "datasets": (("datasets.yaml", "datasets"), "datasets"),
    "methods": (("methods",), "methods"),
    "noises": (("noise.yaml", "noise"), "noise"),
}


def read(folder: Path, schemas: Path, settings: dict) -> dict:
    """All sections of the configuration, checked against their schemas."""
    folder, schemas, errors = Path(folder), Path(schemas), []
    result = {"settings": _settings(settings, schemas, errors), "groups": {}}
    for path in folder.glob("config.yaml"):  # Snakemake has read it; here only for what it reads as something else
        errors += yaml_files.load(path)[1]
    errors += [f"{path.name} is not read; rename it to {path.stem}.yaml" for path in sorted(folder.rglob("*.yml"))]
    for section, (places, schema) in SECTIONS.items():
        paths = [folder / place for place in places]
        files = [file for path in paths for file in ([path] if path.suffix else sorted(path.glob("*.yaml")))]
        entries, file_of = _entries(files, _schema(schemas, schema), errors)
        if section in expansion.KEYS:
            entries, result["groups"][section] = expansion.resolved(entries, file_of, errors)
        result[section] = entries
    schema, result["studies"] = _schema(schemas, "study"), {}
    for path in sorted((folder / "studies").glob("*.yaml")):
        study = _loaded(path, schema, errors)
        result["studies"][path.stem] = expansion.spelled_out(study, result["groups"])
    errors += [
        f"{section}: {name!r} is no valid id; use at most {LONGEST_ID} lower-case letters, digits, '-' and '.'"
        for section in ("datasets", "methods", "noises", "studies")
        for name in result[section]
        if not is_id(name)
    ]
    if errors:
        raise InputError("the configuration is not valid:\n  " + "\n  ".join(errors))
    return result


def _settings(given, schemas, errors):
    """Settings as YAML has them: --config key=true arrives as text, so does studies=ane, and only=[*-refit]."""
    settings = {key: WORDS.get(str(value).lower(), value) for key, value in given.items()}
    for key, text in settings.items():
        if key in LISTS and isinstance(text, str):  # a list that YAML cannot read, or its only member
            inner = re.fullmatch(r"\[(.*)\]", text)
            settings[key] = [item.strip() for item in inner[1].split(",")] if inner else [text]
    errors += _violations(settings, _schema(schemas, "config"), "config.yaml or --config")
    errors += [
        f"config.yaml or --config: {key} holds characters that do not reach jobs as they are; rename {value!r} so that "
        "it has no backslash, and no ' beside one of \" ` $"
        for key, value in settings.items()
        if isinstance(value, (str, list)) and not reaches_jobs(str(value))
    ]
    infinite = [key for key, value in settings.items() if str(value) in ("nan", "inf", "-inf")]
    errors += [f"config.yaml or --config: {key} is {settings[key]}; give a finite number" for key in infinite]
    return settings


def reaches_jobs(text):
    """Whether a shell reads Python's notation of a text as that text: so Snakemake hands ``--config`` on to jobs."""
    inside_double_quotes = "'" in text
    return text.isprintable() and "\\" not in text and not (inside_double_quotes and set(text) & set('"`$'))


def is_id(name):
    """Whether a name can be part of a file name; YAML reads 1, 1.5, yes and 2026-01-01 as no text at all."""
    return isinstance(name, str) and len(name) <= LONGEST_ID and ID.fullmatch(name) is not None


def _entries(files, schema, errors):
    """Entries of all these files, with their sweeps spelled out, and the file of each."""
    result, file_of = {}, {}
    for path in files:
        for name, entry in _loaded(path, schema, errors).items():
            try:
                made = expansion.expanded(name, entry) if isinstance(entry, dict) else {name: entry}
            except InputError as error:
                errors.append(f"{path.name}, {name}: {error}")
                continue
            if name not in made:  # a sweep is a group, too
                made = {expansion.group_of(name): {expansion.GROUP: list(made)}, **made}
            errors += [
                f"{path.name}: {one!r} is already defined in {file_of[one]}; rename or remove one of them"
                for one in made
                if one in result
            ]
            result |= made
            file_of |= dict.fromkeys(made, path.name)
    return result, file_of


def _loaded(path, schema, errors):
    """Content of a file with a mapping, without what is no id at all; its faults join the errors."""
    content, faults = yaml_files.load(path)
    if isinstance(content, dict):
        odd = [name for name in content if not isinstance(name, str)]
        errors += [f"{path.name}: the id {name!r} is no text; put it in quotes" for name in odd]
        content = {name: entry for name, entry in content.items() if name not in odd}
    errors += faults or _violations(content, schema, path.name, path)
    return content if isinstance(content, dict) else {}


def _schema(folder, name):
    return yaml_files.load(folder / f"{name}.schema.yaml")[0]


def _violations(instance, schema, file, path=None):
    """Every violation of a schema as one line; the texts of its values are those of the file at `path`."""
    from jsonschema import Draft202012Validator  # late: jobs import this module too

    lines = []
    errors = Draft202012Validator(schema).iter_errors(instance)
    for error in sorted(errors, key=lambda error: list(map(str, error.absolute_path))):
        place = ".".join(map(str, error.absolute_path)) or "top level"
        written = path and yaml_files.written(path, error.absolute_path)
        lines.append(f"{file}, {place}: {_sentence(error, written)}")
    return list(dict.fromkeys(lines))  # one error for each missing key says the same


def _sentence(error, written=None):
    """What is wrong with a value; `written` is its text in the file, where it is one."""
    value, wanted = error.instance, error.validator_value
    if error.validator == "additionalProperties":
        known, patterns = list(error.schema.get("properties", {})), list(error.schema.get("patternProperties", {}))
        unknown = [key for key in value if key not in known and not any(re.search(own, key) for own in patterns)]
        if patterns:
            return "; ".join(f"{key!r} is no valid id; use a-z, 0-9 and -" for key in unknown)
        return "; ".join(f"unknown key {key!r}; {suggestion(key, known)}" for key in unknown)
    if error.validator == "required":
        return "; ".join(f"key {key!r} is missing, add it" for key in wanted if key not in value)
    if error.validator in ("type", "enum", "anyOf", "oneOf") and (fault := _misread(value, written, error)):
        return fault
    if error.validator == "enum":
        return f"{value!r} is not one of {', '.join(map(str, wanted))}; {suggestion(value, wanted, 'correct it')}"
    if error.validator in ("anyOf", "oneOf", "pattern") and "description" in error.schema:
        return f"{value!r} is not allowed; it must be: {error.schema['description']}"
    return error.message


def _misread(value, written, error):
    """Why a value has another type than it seems to have, in a sentence; None if it has not."""
    if fault := next(filter(None, map(yaml_files.read_as_text, _texts(value))), None):
        return fault
    if value is None and not written:
        return "it is empty; give it a value, or leave the key out"
    kinds = {type(None): "nothing", bool: "a truth value"}
    if error.validator == "type" and error.validator_value == "string":
        kinds |= {int: "a number", float: "a number"}
    if type(value) not in kinds:
        return None
    text = written or str(value).lower()
    return f"YAML reads {text} as {kinds[type(value)]}; for text put it in quotes, as {text!r}"


def _texts(value):
    """All texts in a value."""
    if isinstance(value, (list, dict)):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _texts(member)
    elif isinstance(value, str):
        yield value

"""Tables of configuration keys, written from the descriptions in the schemas."""

import re
from pathlib import Path

import yaml

from ironbark.pipeline.plan.documents.markdown import table

_END = re.compile(r"(?<!e\.g)\.(?:\s|$)")
MOST_CHOICES = 6  # longer lists have tables of their own


def settings(root):
    """Keys of config/config.yaml with their defaults, as Markdown."""
    defaults = yaml.safe_load((root / "config/config.yaml").read_text("utf-8"))
    found = _properties(root, "config", "")
    rows = [[f"`{key}`", f"`{yaml_text(defaults[key])}`", _meaning(entry)] for key, entry in found.items()]
    return table(["key", "default", "meaning"], rows)


def keys(root: Path, name: str, *places):
    """Keys of a kind of entry with their meaning, as Markdown."""
    found = {}
    for place in places:
        prefix = "tune." * place.endswith(".tune")
        for key, entry in _properties(root, name, place).items():
            if not entry["description"].startswith("Source"):
                found.setdefault(f"{prefix}{key}", {})[_meaning(entry)] = None
    rows = [[f"`{key}`", "; ".join(meanings)] for key, meanings in sorted(found.items())]
    return table(["key", "meaning"], rows)


def _properties(root, name, place):
    found = yaml.safe_load((root / f"workflow/schemas/{name}.schema.yaml").read_text("utf-8"))
    for part in filter(None, place.split(".")):
        found = found[part]
    return found["properties"]


def _meaning(entry):
    """First sentence of the description, and the choices where they are few."""
    text = _END.split(entry["description"])[0]
    choices = entry.get("enum", ())
    missing = not all(re.search(rf"\b{re.escape(choice)}\b", text) for choice in choices)
    return f"{text} ({', '.join(choices)})" if missing and len(choices) <= MOST_CHOICES else text


def yaml_text(value):
    """A value as one line of YAML."""
    return yaml.safe_dump(value, default_flow_style=True).splitlines()[0]

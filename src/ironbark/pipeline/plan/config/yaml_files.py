"""YAML files that users edit: what YAML reads as something else than what is written is refused."""

import re
from pathlib import Path

import yaml

from ironbark.errors import InputError

#: Keys below which values may have any type, so that no schema says that a text should be a number.
FREE = {"params", "protocol", "sweep", "tune"}

#: Keys of labels, whose texts count.
LABELS = {"counts", "labels", "positive"}

#: Texts that are a number or nothing in Python -> the same in YAML.
WORDS = {"None": "null", "nan": ".nan", "NaN": ".nan", "inf": ".inf", "Inf": ".inf", "-inf": "-.inf", "-Inf": "-.inf"}

_EXPONENT = re.compile(r"([+-]?[\d_]+)(?:[.](\d*))?[eE]([+-]?\d+)")
_NUMBER = re.compile(r"[+-]?(\d+[.]?\d*|[.]\d+)([eE][+-]?\d+)?")
_OCTAL = re.compile(r"[+-]?0[\d_]+")


def load(path):
    """Content of a file, and its values that YAML reads as something else than what they look like."""
    text = _text(path)
    try:
        node, content = _loaded(text)
        faults = [
            f"{path.name}, {'.'.join(keys)}: {fault}"
            for keys, scalar in _scalars(node)
            if (fault := _fault(keys, scalar))
        ]
    except RecursionError:
        raise InputError(f"{path}: an anchor (&) contains itself; write out what it stands for") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        invalid = "" if isinstance(error, _Misread) else " is no valid YAML"
        place = f"{path}{invalid}, line {mark.line + 1}, column {mark.column + 1}"
        begun = "".join(text.splitlines()[mark.line : mark.line + 1])[: mark.column + 1]
        reason = "there is a tab, which YAML does not allow here; use spaces" if "\t" in begun else _reason(error)
        raise InputError(f"{place}: {reason}") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path} is no valid YAML: {' '.join(str(error).split())}") from None
    return {} if content is None else content, faults


def written(path: Path, keys):
    """The text of a value in a file as it is written, None if it is no scalar."""
    wanted = tuple(map(str, keys))
    return next((node.value for place, node in _scalars(_loaded(_text(path))[0]) if place == wanted), None)


def read_as_text(text):
    """Why a text is none, in a sentence: it is a number, nothing, or several numbers such as [0.1 0.2]; else None."""
    number = WORDS.get(text)
    if match := _EXPONENT.fullmatch(text):
        whole, fraction, exponent = match.groups()
        number = f"{whole}.{fraction or 0}e{exponent if exponent[0] in '+-' else f'+{exponent}'}"
    if number:
        return f"YAML reads {text!r} as text; write {number}, or {text!r} in quotes for text"
    parts = text.split()
    if len(parts) > 1 and all(map(_NUMBER.fullmatch, parts)):
        return f"a comma is missing between {parts[0]} and {parts[1]}"
    return None


def _text(path):
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; restore it from the repository.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no valid YAML: {error}; save it as UTF-8") from None


def _loaded(text):
    """Node of a document, which has its scalars as they are written, and its content."""
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        return node, None if node is None else loader.construct_document(node)
    finally:
        loader.dispose()


class _Misread(yaml.constructor.ConstructorError):
    """A value that YAML reads as something else than what is written."""

    def __init__(self, problem, mark):
        super().__init__(None, None, problem, mark)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # in C where there is one: ten times as fast
    """Refuses what YAML reads as something else than what is written."""

    def construct_mapping(self, node, deep=False):
        """A dict; a duplicate key would silently hide its first value."""
        keys = [self._key(key) for key, _ in node.value]
        twice = {key for key in keys if isinstance(key, str) and keys.count(key) > 1}
        if twice:
            mark = [key for key, _ in node.value if key.value == min(twice)][-1].start_mark
            raise yaml.constructor.ConstructorError(None, None, f"key {min(twice)!r} is given twice", mark)
        return super().construct_mapping(node, deep)

    def _key(self, node):
        if node.tag.endswith(":merge"):
            raise _Misread("merge keys (<<) are not read; write out the keys", node.start_mark)
        key = self.construct_object(node, deep=True)
        if key is None or isinstance(key, bool):
            read = "nothing" if key is None else str(key).lower()
            raise _Misread(f"YAML reads the key {node.value!r} as {read}; put it in quotes", node.start_mark)
        return key

    def construct_date(self, node):
        """No date: nothing in these files is one."""
        raise _Misread(f"YAML reads {node.value} as a date; put it in quotes, as {node.value!r}", node.start_mark)

    def construct_number(self, node):
        """A number as it is written, so neither 010 as 8 nor 1:30 as 90."""
        whole = node.tag.endswith(":int")
        value = self.construct_yaml_int(node) if whole else self.construct_yaml_float(node)
        if ":" not in node.value and not (whole and _OCTAL.fullmatch(node.value)):
            return value
        plain = f"{value} for this number" if ":" in node.value else "it without the 0 at its start"
        raise _Misread(
            f"YAML reads {node.value} as {value}; write {plain}, or {node.value!r} in quotes for text", node.start_mark
        )


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _Loader.construct_date)
for _tag in ("int", "float"):
    _Loader.add_constructor(f"tag:yaml.org,2002:{_tag}", _Loader.construct_number)


def _scalars(node, keys=()):
    """Keys and places that lead to each scalar of a node, and the scalar; a key comes after its value."""
    if isinstance(node, yaml.ScalarNode):
        yield keys, node
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _scalars(value, (*keys, str(key.value)))
            yield from _scalars(key, (*keys, str(key.value)))
    elif node is not None:
        for place, value in enumerate(node.value):
            yield from _scalars(value, (*keys, str(place)))


def _fault(keys, node):
    """Why a scalar is read as something else than what it looks like, in a sentence; None if it is not."""
    kind = node.tag.rpartition(":")[2]
    if kind == "str" and not node.style and not FREE.isdisjoint(keys):
        return read_as_text(node.value)
    if kind in ("int", "float") and not LABELS.isdisjoint(keys):
        read = str(yaml.safe_load(node.value))
        return f"YAML reads {node.value} as {read}; put it in quotes, as {node.value!r}" if read != node.value else None
    return None


def _reason(error):
    """What is wrong, in the words of the parser, and where what it had begun starts."""
    start = error.context_mark and f"{error.context} from line {error.context_mark.line + 1}"
    return ": ".join(filter(None, [start or error.context, error.problem]))

"""Tables in the formats ARFF and KEEL, read by liac-arff.

It reads one spelling of a header: one blank between the parts of a line, no comment behind a type. It cuts off what
follows a blank in a value without quotes, and fractions of an INTEGER. Lines of Weka and OpenML are rewritten so.
"""

import itertools
import re

import pandas as pd

from ironbark.pipeline.data.csv_files import Fault
from ironbark.pipeline.data.frame import REPEATED, repeated

_QUOTED = r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
_ATTRIBUTE = re.compile(
    rf"@attribute\s+(?P<name>{_QUOTED}|[^\s{{]+)(?:\s+|(?={{))"
    rf"(?P<type>{{(?:{_QUOTED}|[^}}\"'])*}}|{{.*}}|[a-z]+)\s*(?P<rest>.*)",
    re.IGNORECASE,
)
_FIELD = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(?:,|$)")
_PLAIN = re.compile(r"[^\s\"'{}\\]*")
_BEHIND = re.compile(r"(\[.*\])?\s*(%.*)?")  # a range and a comment, which mean nothing here
_ROLES = re.compile(r"^\s*@(input|output)s?\s+(.*)$", re.IGNORECASE | re.MULTILINE)  # of KEEL

_TYPES = {"numeric": "NUMERIC", "real": "NUMERIC", "integer": "NUMERIC", "string": "STRING"}
_ROWS = 10_000  # that are lists of objects at once


def read(stream) -> pd.DataFrame:
    """Read an ARFF file."""
    return _table(stream.read().decode("utf-8-sig"))


def read_keel(stream) -> pd.DataFrame:
    """Read a KEEL table: ARFF with <null> for missing values, and lines that name the columns in their order."""
    content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    table = _table(text.replace("<null>", "?"))
    roles = {word.lower(): names for word, names in _ROLES.findall(text)}
    if len(roles) < 2:
        return table
    wanted = [name.strip().strip("'\"") for role in ("input", "output") for name in roles[role].split(",")]
    for name in wanted:
        if name not in table:
            raise ValueError(f"the header names {name!r} as input or output, but has no such attribute")
    return table[wanted]


def _table(text):
    import arff  # late: the command line reads tables without it

    file = _File(text)
    try:
        rows = arff.loads(file.lines(), return_type=arff.DENSE_GEN)["data"]
        parts = [file.frame(part) for part in iter(lambda: list(itertools.islice(rows, _ROWS)), [])]
    except arff.ArffException as error:
        raise ValueError(error.message.replace("%d", str(file.line))) from error
    table = pd.concat(parts or [file.frame([])], ignore_index=True)
    if (name := repeated(file.names)) is not None:
        raise Fault(REPEATED.format(name))
    categories = {j: "category" for j, type in enumerate(file.types) if type.startswith("{")}
    return table.astype(categories).set_axis(file.names, axis=1)


class _File:
    """The lines of a file as liac-arff reads them, and what its header says once they were read."""

    def __init__(self, text):
        self.text, self.line, self.names, self.types = text, 0, [], []

    def frame(self, rows):
        """Data frame of some rows, whose columns are numbered."""
        columns = zip(*rows, strict=True) if rows else [()] * len(self.types)
        kinds = ["float64" if type == "NUMERIC" else "str" for type in self.types]
        pairs = enumerate(zip(columns, kinds, strict=True))
        return pd.DataFrame({j: pd.Series(values, dtype=kind) for j, (values, kind) in pairs})

    def lines(self):
        """One line of liac-arff's own, then one for each of the file."""
        yield "@RELATION r"
        lines = iter(re.split(r"\r\n|\r|\n", self.text))
        for line in map(str.strip, lines):
            self.line += 1
            start = line.lower()
            if re.match(r"@data\b", start):
                yield "@DATA"
                break
            yield self._attribute(line) if start.startswith("@attribute") else ""
        for line in map(str.strip, lines):
            self.line += 1
            if line.startswith("{"):
                raise Fault("sparse ARFF is not supported; save the table as dense ARFF, CSV or Parquet")
            yield line if line.startswith("%") else _fields(line)

    def _attribute(self, line):
        found = _ATTRIBUTE.fullmatch(line)
        if not found:
            raise ValueError(f"line {self.line} is no attribute with a type")
        name, type = found["name"], found["type"]
        if name[0] in "\"'":
            name = re.sub(r"\\(.)", r"\1", name[1:-1])
        if type.startswith("{"):
            type = f"{{{_fields(type[1:-1].strip())}}}"
        elif type.lower() in _TYPES:
            type = _TYPES[type.lower()]
        else:
            raise Fault(
                f"the type {type.upper()} of the attribute {name!r} is not supported; save it as numbers or text"
            )
        if not _BEHIND.fullmatch(found["rest"]):
            raise ValueError(f"line {self.line} has {found['rest']!r} behind the type")
        self.names.append(name)
        self.types.append(type)
        return f"@ATTRIBUTE a{len(self.names)} {type}"


def _fields(line):
    """Values with commas between them, each in quotes unless it is plain."""
    if _PLAIN.fullmatch(line):
        return line
    return ",".join(map(_field, _FIELD.findall(f"{line},")[:-1]))


def _field(value):
    if _PLAIN.fullmatch(value) or re.fullmatch(_QUOTED, value):
        return value
    return '"' + re.sub(r'(["\\])', r"\\\1", value) + '"'

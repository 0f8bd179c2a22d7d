"""Tables in KEEL's .dat format: a header of ``@`` lines, much like ARFF, then one row a line.

Alcala-Fdez et al. (2011), KEEL data-mining software tool: data set repository, integration of algorithms and
experimental analysis framework, Journal of Multiple-Valued Logic and Soft Computing 17.
"""

import re

import numpy as np
import pandas as pd

#: Texts that stand for a missing value.
MISSING = ("?", "<null>")

_KEEL_ATTRIBUTE = re.compile(r"@attribute\s+('[^']*'|\"[^\"]*\"|[^\s{]+)\s*(real|integer|\{.*\})", re.IGNORECASE)


def read(stream) -> pd.DataFrame:
    """Read a KEEL table."""
    content = stream.read()
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        lines = content.decode("latin-1").splitlines()
    kinds, roles, first = _header(lines)
    rows = [line.split(",") for line in lines[first:] if line.strip()]
    for number, row in enumerate(rows):
        if len(row) != len(kinds):
            raise ValueError(f"row {number + 1} has {len(row)} of {len(kinds)} values")
    table = pd.DataFrame(rows, columns=list(kinds), dtype=str)
    wanted = [*roles["inputs"], *roles["outputs"]] if len(roles) == 2 else list(kinds)
    for name in wanted:
        if name not in kinds:
            raise ValueError(f"the header names {name!r} as input or output, but has no such attribute")
    return pd.DataFrame({name: _column(table[name], kinds[name]) for name in wanted})


def _header(lines):
    """Attribute -> kind, names of inputs and outputs, and the number of the first line of data."""
    kinds, roles = {}, {}
    for number, line in enumerate(map(str.strip, lines)):
        word = line.split(None, 1)[0].lower() if line else ""
        if word == "@attribute":
            found = _KEEL_ATTRIBUTE.match(line)
            if found is None:
                raise ValueError(f"line {number + 1} is no attribute of KEEL: {line[:80]!r}")
            kinds[found[1].strip("'\"")] = found[2]
        elif word in ("@inputs", "@outputs", "@input", "@output"):
            names = line[len(word) :].split(",")
            roles[word[1:].rstrip("s") + "s"] = [name.strip().strip("'\"") for name in names]
        elif word == "@data":
            if not kinds:
                raise ValueError("the header has no @attribute")
            return kinds, roles, number + 1
        elif word and not word.startswith(("@relation", "%")):
            raise ValueError(f"line {number + 1} does not belong to a header of KEEL: {line[:80]!r}")
    raise ValueError("there is no line @data")


def _column(values, kind):
    values = values.str.strip().str.strip("'\"")
    values = values.mask(values.isin(MISSING))
    if not kind.startswith("{"):
        numbers = pd.to_numeric(values)
        return numbers.astype(np.float64)
    declared = [text.strip().strip("'\"") for text in kind[1:-1].split(",")]
    strange = sorted(set(values.dropna()) - set(declared))
    if strange:
        raise ValueError(f"value {strange[0]!r} of attribute {values.name!r} is not among those of the header")
    return values.astype("category")

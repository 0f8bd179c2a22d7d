"""The file that `ironbark labels` reads, as a stream of CSV text: its kind, compression and separator."""

import codecs
import contextlib
import csv
import io
import sys
import zipfile
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from ironbark.errors import InputError
from ironbark.pipeline.data import formats
from ironbark.pipeline.results import parquet

#: First bytes of a file -> what it is.
_KINDS = {
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ\x00": ".xz",
    b"PAR1": "Parquet",
    b"ARROW1": "Feather",
    **dict.fromkeys((b'{"', b"[{"), "JSON"),
    b"PK\x03\x04": "zip",
    b"\xd0\xcf\x11\xe0": "an Excel file of the old format .xls",
}

#: Separators that are tried, and their names.
SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a bar", r"\s+": "a blank"}

TITLES = 20  # lines in which a header is looked for


@dataclass(frozen=True)
class Source:
    """A file as CSV text."""

    path: Path
    suffix: str = ""  # of its compression
    text: bytes | None = None  # CSV text of a file of another kind
    options: dict = field(default_factory=lambda: {"sep": ",", "skiprows": 0})  # of `pandas.read_csv`
    notes: list = field(default_factory=list)  # sentences on what was found out about the file

    @contextlib.contextmanager
    def opened(self):
        """The CSV text as a binary stream, with sentences in place of the parsers' errors."""
        with formats.readable(self.path, "CSV text"):
            opener = formats.COMPRESSED.get(self.suffix, open)
            with io.BytesIO(self.text) if self.text is not None else opener(self.path, "rb") as stream:
                yield stream


def find(path: Path, target: str, sep: str | None = None) -> Source:
    """Find out how a file is to be read."""
    if sep is not None and sep not in (r"\t", r"\s+") and (len(sep) != 1 or sep in '"\r\n'):
        raise InputError(f"--sep {sep!r} must be one character, such as ';', or \\t for tabs; a blank means any blanks")
    with formats.readable(path, "CSV text"), open(path, "rb") as stream:
        head = stream.read(64)
    kind = next((kind for start, kind in _KINDS.items() if head.startswith(start)), "")
    if kind == "zip":
        names = zipfile.ZipFile(path).namelist() if zipfile.is_zipfile(path) else []
        kind = "Excel" if any(name.startswith("xl/") for name in names) else "a zip archive"
    if kind in _OTHERS:
        return _separated(_OTHERS[kind](path, target), target, ",")
    if kind and kind not in formats.COMPRESSED:
        raise InputError(f"{path} is {kind}; save it as CSV in UTF-8, and give that file")
    notes = [] if kind in ("", path.suffix) else [f"{path} is read as {kind}, since it is compressed"]
    return _separated(_in_utf8(Source(path, kind, notes=notes)), target, sep)


def _in_utf8(source):
    """The source in UTF-8; text of another encoding gets a mark at its start, by which Excel knows what is written."""
    with source.opened() as stream:
        with contextlib.suppress(UnicodeDecodeError):
            for _ in codecs.iterdecode(stream, "utf-8"):  # by lines, since a file may be large
                pass
            return source
        stream.seek(0)
        written = stream.read()
        encoding = "UTF-16" if written.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "Windows-1252"
        text = written.decode(encoding)
        if "\0" in text:
            written.decode()  # raises the error of before
    note = f"{source.path} is not UTF-8, and is read as {encoding}; if letters are wrong, save it as UTF-8"
    return Source(source.path, text=text.encode("utf-8-sig"), notes=[*source.notes, note])


def _parquet(path, _):
    with formats.readable(path, "Parquet"):
        read = parquet.decoded(pq.read_table(path))
        table = read.to_pandas(integer_object_nulls=True)  # floats would merge large ones
    if table.columns.nlevels > 1:
        raise InputError(f"{path}: the columns have names of {table.columns.nlevels} levels; give each one name")
    named = [name for name in table.index.names if name is not None and name not in table]
    table = table.reset_index(named) if named else table
    with np.printoptions(threshold=sys.maxsize, linewidth=sys.maxsize, floatmode="unique"):  # of lists
        text = table.to_csv(index=False, lineterminator="\r\n")
    coded = [f"{path}: column {name!r} holds bytes that are not UTF-8; write texts" for name in parquet.of_bytes(read)]
    return Source(path, text=text.encode(), notes=[f"{path} is read as Parquet", *coded])


def _excel(path, target):
    if find_spec("openpyxl") is None:
        raise InputError(f"{path} is an Excel file; install the package openpyxl to read it, or save the file as CSV")
    with formats.readable(path, "Excel"), pd.ExcelFile(path, engine="openpyxl") as book:
        options = {"header": None, "dtype": object, "keep_default_na": False, "na_values": []}
        for sheet in (*book.sheet_names, book.sheet_names[0]):  # the first one, if none has the target
            table = pd.read_excel(book, sheet, **options)
            if table.head(TITLES).isin([target, *target.split(",")]).any(axis=None):
                break
    others = f", one of {len(book.sheet_names)}" if len(book.sheet_names) > 1 else ""
    note = f"{path} is read as Excel: sheet {sheet!r}{others}"
    return Source(path, text=table.to_csv(index=False, header=False, lineterminator="\r\n").encode(), notes=[note])


_OTHERS = {"Parquet": _parquet, "Excel": _excel}


def _separated(source, target, sep):
    """The source with the separator of its header."""
    with source.opened() as stream:
        text = io.TextIOWrapper(stream, "utf-8-sig", newline="")
        lines = [text.readline(2**20) for _ in range(TITLES)]
        text.detach()
    first = lines[0].strip()
    options = {**source.options}
    if first.lower().startswith("sep=") and "," not in first[5:]:
        options["skiprows"], sep = 1, sep or lines[0].rstrip("\r\n")[4:5] or ","
        source.notes.append(f"{source.path}: the first line is {first!r}, which names the separator")
        lines = lines[1:]
    lines = [line for line in lines if line.strip()] or [""]
    options["sep"] = sep = {r"\t": "\t", " ": r"\s+"}.get(sep, sep) or _likeliest(lines, target)
    others = _fields(lines, sep)[1:] if source.text is None and sep != r"\s+" else []
    options["skipinitialspace"] = bool(others) and all(name[:1] == " " for name in others)
    if options["sep"] != "," and not options["skiprows"]:
        named = SEPARATORS.get(sep, repr(sep))
        source.notes.append(f"{source.path}: the separator is {named}; set --sep if this is wrong")
    found = Source(source.path, source.suffix, source.text, options, source.notes)
    _refuse_titles(found, lines, target)
    return found


def _fields(lines, sep):
    """Fields of the first record."""
    csv.field_size_limit(sys.maxsize)
    blank = sep == r"\s+"
    lines = (" ".join(line.split()) if blank else line for line in lines)
    return next(csv.reader(lines, delimiter=" " if blank else sep), [])


def _likeliest(header, target):
    """The separator that makes the target a column; else the one of the most fields."""
    fields = {sep: _fields(header, sep) for sep in SEPARATORS}
    tried = [sep for sep in SEPARATORS if sep != r"\s+"]  # blanks are in names, too
    most = max(tried, key=lambda sep: len(fields[sep]))
    if len(fields[most]) > 1 and target in map(str.strip, fields[most]):  # as of "id, x, y", which blanks part, too
        return most
    likely = tried if len(fields[most]) > 1 else fields  # blanks part names where another separator parts fields
    return next((sep for sep in likely if target in fields[sep]), most)


def _refuse_titles(source, lines, target):
    """Refuse lines above the header, which have fewer fields."""
    names = _fields(lines, source.options["sep"])
    for place in range(1, len(lines) if target not in names else 0):
        rows = [_fields(lines[place:], sep) for sep in SEPARATORS]
        if any(target in row and len(list(filter(None, row))) > len(list(filter(None, names))) for row in rows):
            raise InputError(
                f"{source.path}: the header, with {target!r}, is below the line {lines[0].strip()[:60]!r}; remove the "
                f"{'line' if place == 1 else f'{place} lines'} above it"
            )

"""Packs: one zip file with the stored fits of studies, which another machine can check and import.

A pack has a ``manifest.json``, texts on licences, and one member ``store/<data set>/<task>/<noise>.jsonl`` for each
noise, with one line ``{"key": ..., "method": ..., "record": {...}}`` for each fit that ended well. A record has the
outputs of its fit or, in a pack of scores, all metrics that follow from them; null stands for NaN. Equal fits give
equal bytes. A reader trusts nothing: names, kinds, sizes and checksums of members and each field of a line are checked,
and no member is extracted to a path.
"""

import contextlib
import hashlib
import json
import math
import re
import stat
import zipfile
import zlib
from pathlib import Path

from ironbark.errors import InputError
from ironbark.files import replacing
from ironbark.pipeline.metrics import METRICS
from ironbark.pipeline.results.records import OUTPUTS

KIND, FORMAT = "ironbark pack", 2
MANIFEST, LICENCE, DATA = "manifest.json", "LICENSE", "DATA.txt"
ID = r"[a-z0-9]+([.-][a-z0-9]+)*"
STORE = re.compile(rf"store/[a-z0-9-]+/(binary|multiclass)/{ID}\.jsonl")
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file can hold

MOST_MEMBERS = 100_000
MOST_BYTES = 2**30  # of one member, unpacked
MOST_MANIFEST = 2**26
MOST_RATIO = 100  # of the unpacked to the packed size, of each member and of the whole file
MOST_LINE = 2**24  # bytes
MOST_TEXT = 10_000  # characters

#: Key of the manifest -> type of its value; of the entry of a member with fits, and of another one.
MANIFEST_KEYS = {
    **{"kind": str, "format": int, "ironbark": str, "versions": dict, "processor": str, "date": str},
    **{"studies": list, "scale": str, "protocols": dict, "fits": int, "missing": int, "failed": int},
    **{"content": str, "members": dict},
}
TEXT_KEYS = {"sha256": str, "size": int}
FITS_KEYS = {**TEXT_KEYS, "fits": int}


def _seconds(value):
    return type(value) is float and 0 <= value < math.inf


def _number(value):
    return value is None or (type(value) is float and math.isfinite(value))


def _text(value):
    return type(value) is str and len(value) <= MOST_TEXT and value.encode(errors="ignore").decode() == value


def _dict(names, is_known, needed=()):
    """Check of a dict with some of these names and values of one kind."""
    return lambda value: (
        isinstance(value, dict) and set(needed) <= set(value) <= set(names) and all(map(is_known, value.values()))
    )


SCORED = {name for name, metric in METRICS.items() if metric.output}
ROUNDING = 1e-9  # of means of many shares that are 1
SHARES = {name for name in SCORED if METRICS[name].unit == "percent"}  # or differences of shares


def _scores(value):
    known = _dict(SCORED, _number)(value)
    return known and all(abs(value[name] or 0.0) <= 1 + ROUNDING for name in value.keys() & SHARES)


#: Field of a record -> whether a value is of its kind.
REQUIRED = {
    "status": lambda value: value == "ok",
    **dict.fromkeys(("train_accuracy", "flipped"), lambda value: _seconds(value) and value <= 1),
    **dict.fromkeys(("n_leaves", "depth", "minimax_risk", "effective_rules", "effective_samples"), _number),
    **dict.fromkeys(
        ("repeat", "fold", "n_train", "n_test", "seed"), lambda value: type(value) is int and 0 <= value < 2**63
    ),
    **dict.fromkeys(("fit_seconds", "tune_seconds", "score_seconds"), _seconds),
    "tuned": _text,
}
FIELDS = REQUIRED | {
    "validation_accuracy": _number,
    "fit_memory": lambda value: value is None or _seconds(value),
    "outputs": _dict({"errors", "decision", *OUTPUTS}, lambda text: type(text) is str, {"errors"}),
    **{"gaps": _dict(OUTPUTS, _text), "scores": _scores, "reasons": _dict(SCORED, _text)},
}


def write(path, about: dict, fits, texts: dict) -> dict:
    """Write a pack, whole or not at all, and return its manifest."""
    manifest = {"kind": KIND, "format": FORMAT, "members": {}}
    with replacing(path) as side, zipfile.ZipFile(side, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, unsorted in fits:
            found = sorted(unsorted, key=lambda fit: (fit[0], fit[2]["repeat"], fit[2]["fold"], fit[1]))
            manifest["members"][name] = _add(archive, name, b"".join(_line(*fit) for fit in found))
            manifest["members"][name]["fits"] = len(found)
        for name, text in sorted(texts.items()):
            manifest["members"][name] = _add(archive, name, text.encode())
        manifest |= about
        manifest["fits"] = _fits_in(manifest)
        _add(archive, MANIFEST, json.dumps(manifest, sort_keys=True, allow_nan=False).encode())
    return manifest


def _line(method, key, record):
    entry = without_nan({"key": key, "method": method, "record": record})
    return json.dumps(entry, sort_keys=True, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _add(archive, name, content):
    """Add a member; its entry of the manifest."""
    if len(content) > MOST_BYTES:
        raise InputError(
            f"{name} has {len(content)} bytes, more than a member of a pack can hold; pack the study with fewer repeats"
        )
    info = zipfile.ZipInfo(name, DATE)
    info.create_system, info.external_attr = 3, 0o100644 << 16
    archive.writestr(info, content, zipfile.ZIP_DEFLATED, 9)
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _fits_in(manifest):
    return sum(about.get("fits", 0) for about in manifest["members"].values())


class Pack(contextlib.AbstractContextManager):
    """A pack that is open for reading: its manifest, hash of this (`digest`), and names of members with fits."""

    def __init__(self, path):
        self.path = Path(path)
        try:
            self._archive = zipfile.ZipFile(self.path)
        except OSError as error:
            raise InputError(f"the pack {path} cannot be read ({error.strerror}); correct --config packs") from None
        except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
            raise self.refusal(f"it is no zip file, or is cut short ({error})") from None
        try:
            self._check_archive()
            content = self._read(MANIFEST, MOST_MANIFEST)
            self.digest = hashlib.sha256(content).hexdigest()[:32]
            self.manifest = self._manifest(content)
        except BaseException:
            self._archive.close()
            raise
        self.members = sorted(name for name in self.manifest["members"] if name.startswith("store/"))

    def __exit__(self, *_):
        self._archive.close()

    def refusal(self, reason: str) -> InputError:
        """The error that ends the use of this pack."""
        shown = printable(reason)
        return InputError(f"the pack {self.path} is refused: {shown}; nothing was imported, leave it out of packs")

    def fits(self, name: str) -> dict:
        """Fits of a member, as method -> key -> record, after a check of its size, checksum and each of its lines."""
        about, found = self.manifest["members"][name], {}
        content = self._read(name, about["size"])
        if hashlib.sha256(content).hexdigest() != about["sha256"]:
            raise self.refusal(f"the checksum of {name} is not that of its manifest")
        *lines, rest = content.split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                method, key, record = _read_line(line)
            except ValueError as error:
                raise self.refusal(f"{name}, line {number}: {error}") from None
            found.setdefault(method, {})[key] = record
        if rest or about["fits"] != len(lines) or len(lines) != len({key for fits in found.values() for key in fits}):
            raise self.refusal(f"the number of fits of {name} is not that of its manifest, or a key occurs twice")
        return found

    def _read(self, name, size):
        """Content of a member, of at most so many bytes."""
        try:
            with self._archive.open(name) as stream:
                content = stream.read(size + 1)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, OSError) as error:
            raise self.refusal(f"{name} is damaged ({error})") from None
        if len(content) > size or (name != MANIFEST and len(content) != size):
            raise self.refusal(f"{name} has not the size that its manifest says")
        return content

    def _check_archive(self):
        infos = self._archive.infolist()
        if len(infos) > MOST_MEMBERS:
            raise self.refusal(f"it has {len(infos)} members, more than {MOST_MEMBERS}")
        for info in infos:
            if fault := _fault_of(info):
                raise self.refusal(f"the member {info.orig_filename[:200]!r} {fault}")
        whole, names = sum(info.file_size for info in infos), {info.filename for info in infos}
        if whole > MOST_RATIO * self.path.stat().st_size:
            raise self.refusal(f"it is too large unpacked: {whole} bytes")
        if len(names) < len(infos) or MANIFEST not in names:
            raise self.refusal(f"it has two members of one name, or no {MANIFEST}")

    def _manifest(self, content):
        try:
            manifest = strict_json(content)
        except ValueError as error:
            raise self.refusal(f"its {MANIFEST} cannot be read ({error})") from None
        if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
            raise self.refusal(f"its {MANIFEST} is not that of a pack of ironbark")
        if manifest.get("format") != FORMAT:
            other = str(manifest.get("format"))[:20]
            raise self.refusal(f"it has format {other}, this version of ironbark reads format {FORMAT}")
        members = manifest.get("members")
        if not _has(manifest, MANIFEST_KEYS) or not all(
            _has(about, FITS_KEYS if name.startswith("store/") else TEXT_KEYS) for name, about in members.items()
        ):
            raise self.refusal(f"its {MANIFEST} lacks a key, has a further one or one of another type")
        if {MANIFEST, *members} != set(self._archive.namelist()) or manifest["fits"] != _fits_in(manifest):
            raise self.refusal(f"its members or the number of its fits are not those of its {MANIFEST}")
        return manifest


def printable(text: str) -> str:
    """Text of a pack without control characters."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _fault_of(info):
    """What is wrong with the entry of a member in the directory of the zip file, or None."""
    if info.orig_filename not in (MANIFEST, LICENCE, DATA) and not STORE.fullmatch(info.orig_filename):
        return "is none that packs have"
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG) or info.flag_bits & 1:
        return "is no plain file"
    if info.compress_type != zipfile.ZIP_DEFLATED:
        return "is compressed in a way that packs do not use"
    if info.file_size > min(MOST_BYTES, MOST_RATIO * info.compress_size + 1000):
        return f"is too large unpacked: {info.file_size} bytes"
    return None


def _has(entry, kinds):
    """Whether an object has exactly these keys, with values of these types; whole numbers are sizes or counts."""
    if not isinstance(entry, dict) or entry.keys() != kinds.keys():
        return False
    right = all(type(entry[name]) is kind for name, kind in kinds.items())
    return right and all(0 <= entry[name] <= MOST_BYTES for name, kind in kinds.items() if kind is int)


def _read_line(text):
    """Method, key and record of a line; ValueError for anything else than a finished fit."""
    if len(text) > MOST_LINE:
        raise ValueError(f"it has {len(text)} bytes")
    entry = strict_json(text)
    if not _has(entry, {"key": str, "method": str, "record": dict}):
        raise ValueError("no entry of a key, a method and a record")
    method, key, record = entry["method"], entry["key"], entry["record"]
    if not re.fullmatch(ID, method) or not re.fullmatch("[0-9a-f]{32}", key):
        raise ValueError("its method is no id, or its key no hash")
    if missing := REQUIRED.keys() - record.keys():
        raise ValueError(f"the field {min(missing)} is missing")
    if {"outputs", "scores", "reasons"} & record.keys() not in ({"outputs"}, {"scores", "reasons"}):
        raise ValueError("it has neither outputs alone nor scores with reasons alone")
    for name, value in record.items():
        if name not in FIELDS or not FIELDS[name](value):
            raise ValueError(f"there is no field {name[:50]!r} with the value {str(value)[:50]}")
    return method, key, with_nan(record)


def without_nan(value):
    """A JSON value with null for each NaN."""
    if isinstance(value, dict):
        return {name: without_nan(inner) for name, inner in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


def with_nan(value):
    """The inverse of `without_nan`."""
    if isinstance(value, dict):
        return {name: with_nan(inner) for name, inner in value.items()}
    return math.nan if value is None else value


def strict_json(content: bytes):
    """Value of JSON text; ValueError for NaN and infinity, and for keys that occur twice."""
    try:
        return json.loads(content, object_pairs_hook=_unique, parse_constant=_refused)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unique(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _refused(text):
    raise ValueError(f"{text} is no JSON number")

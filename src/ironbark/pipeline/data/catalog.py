"""The catalogue of data sets: defaults of its entries, and what its schema cannot say."""

import re
from collections.abc import Sequence
from itertools import combinations
from numbers import Integral, Real
from pathlib import Path

from ironbark.entries import suggestion
from ironbark.errors import InputError, located
from ironbark.pipeline.data import SOURCES, addresses, resolve
from ironbark.pipeline.log import redacted

#: Values of ``missing`` that leave missing values to `ironbark.pipeline.protocols.imputation`.
IMPUTED = ("mean", "median", "most_frequent")

#: Values of the fields that an entry leaves out.
DEFAULTS = {"target": "target", "drop": [], "encode": "ordinal", "missing": "error"}

_SOURCE_FIELDS = set().union(*(source.fields for source in SOURCES.values()))

#: Fields that define the binary task -> the field that does so in another way.
_SAME_TASK = {"binary": "positive", "positive": "binary"}


def complete(entry):
    """An entry with `DEFAULTS` filled in and the labels of ``expect.counts`` as text."""
    entry = {**DEFAULTS, **entry}
    expect = entry.get("expect")
    if isinstance(expect, dict) and isinstance(expect.get("counts"), dict):
        counts = {text(label): count for label, count in expect["counts"].items()}
        entry["expect"] = {**expect, "counts": counts}
    return entry


def text(label) -> str:
    """A label as text: 2.0 is "2"."""
    whole = isinstance(label, Real) and not isinstance(label, Integral) and float(label).is_integer()
    return str(int(label)) if whole else str(label)


def as_mirrored(entry):
    """An entry for a table that comes from a mirror: the fields of ``in_mirror`` replace those of the entry."""
    changes = dict(entry.get("in_mirror", {}))
    replaced = {"in_mirror"} | {other for key, other in _SAME_TASK.items() if key in changes}
    if "expect" in changes:
        changes["expect"] = {**entry.get("expect", {}), **changes["expect"]}
    if "deviations" in changes:
        changes["deviations"] = [*entry.get("deviations", []), *changes["deviations"]]
    return complete({**{key: value for key, value in entry.items() if key not in replaced}, **changes})


def as_fetched(entry):
    """An entry for the table of its own source."""
    return {key: value for key, value in entry.items() if key != "in_mirror"}


def written(id):
    """The file below the working folder that defines a data set, and the entry as it is written there."""
    import yaml  # late: the command line reads tables without it

    for path in sorted(Path("config").glob("datasets*/*.yaml")) + sorted(Path("config").glob("datasets.yaml")):
        if re.search(rf"^{re.escape(id)}:", text := path.read_text(encoding="utf-8"), re.MULTILINE):
            return str(path), yaml.safe_load(text)[id]
    return "config/datasets.yaml", {}


def check(entries: dict[str, dict]):
    """Check what the schema of the catalogue cannot express."""
    for id, entry in entries.items():
        if not re.fullmatch("[a-z0-9-]+", id):
            raise InputError(f"data set id {id!r} becomes a folder name; use only the characters a-z, 0-9 and -")
        with located(f"data set {id!r}"):
            source = resolve(entry["source"])
            for faults in (_of_source, _of_addresses, _of_files, _of_columns, _of_expectations):
                for fault in faults(entry, source):
                    raise InputError(fault)


def _of_source(entry, source):
    """Sentences on fields that a source needs or does not know; as the next functions, for `check`."""
    name = entry["source"]
    for field in source.required:
        if field not in entry:
            yield f"source {name!r} needs the field {field!r}; add it"
    if source.either and sum(field in entry for field in source.either) != 1:
        yield f"source {name!r} needs exactly one of the fields {' and '.join(source.either)}"
    for field in _SOURCE_FIELDS - source.fields:
        if field in entry:
            yield f"the field {field!r} means nothing to source {name!r}; remove it"
    for field, values in source.choices.items():
        if entry.get(field, values[0]) not in values:
            yield f"unknown {field} {entry[field]!r}; {suggestion(entry[field], values)}"


def _of_addresses(entry, source):
    for place in (place for value in addresses.named(entry) for place in addresses.alternatives(value)):
        if ("url" in entry or "://" in place) and not addresses.is_remote(place):
            yield f"the address {redacted(place)!r} is not http or https; use source 'file' for a file on disk"
    for url, checksum in ((url, file.checksum) for file in addresses.files(entry) for url in file.urls):
        if addresses.host(url) is None:
            yield f"the address {redacted(url)!r} names no server; correct it"
        if addresses.is_exposed(url) and checksum is None:
            yield f"the address {redacted(url)!r} is plain http; give its `sha256` or an https address"


def _of_files(entry, source):
    if "files" in entry and "members" in entry:
        yield "`members` are files in an `archive`, and there is none; remove them"
    listed, files = entry.get("files", entry.get("members", ())), entry.get("files", ())
    parts, sums = entry.get("parts"), entry.get("sha256")
    if parts is not None and len(parts) != len(listed):
        yield f"{len(parts)} `parts` for {len(listed)} `files` or `members`; name one part for each"
    if isinstance(sums, str) and len(files) > 1:
        yield f"one `sha256` for {len(files)} `files`; give one for each, by their names"
    if isinstance(sums, dict) and (strange := sorted(sums.keys() - set(map(addresses.first, files)))):
        yield f"`sha256` names {strange[0]!r}, which is not in `files`; correct one of them"


def _of_columns(entry, source):
    target, drop = entry.get("target", DEFAULTS["target"]), entry.get("drop", ())
    split, given, groups = entry.get("split", {}), entry.get("given"), entry.get("groups")
    if target in drop:
        yield f"the target {target!r} is also in `drop`; remove it from one of them"
    column = split.get("column")
    roles = (
        ("given", given, {target, column}),
        ("split", column, {target}),
        ("groups", groups, {target, column, given}),
    )
    for field, name, others in roles:
        if name is not None and (name in others or name in drop):
            yield f"the column {name!r} of `{field}` has another role or is in `drop`; name another column"
    if "positive" in entry and "binary" in entry:
        yield "`positive` and `binary` both define the binary task; remove one"
    if entry.get("missing") == "drop" and "train_rows" in split:
        yield "`missing: drop` changes the rows that `split.train_rows` counts; name a column"


def _of_expectations(entry, source):
    if "in_mirror" in entry:
        yield from (f"in_mirror: {fault}" for fault in _of_expectations(as_fetched(as_mirrored(entry)), source))
    expect = entry.get("expect", {})
    counts = expect.get("counts", {})
    if counts and expect.get("n", sum(counts.values())) != sum(counts.values()):
        yield f"expect.counts add up to {sum(counts.values())}, not to n = {expect['n']}; fix one"
    if counts and expect.get("k", len(counts)) != len(counts):
        yield f"expect.counts names {len(counts)} labels, not k = {expect['k']}; fix one"


#: Up to so many classes all partitions are tried, 2**15 at most; beyond it a greedy rule takes over.
MOST_TRIED = 16


def groups(counts: Sequence[int]) -> list[int]:
    """Group (0 or 1) of each class."""
    ones = _best(counts) if len(counts) <= MOST_TRIED else _greedy(counts)
    return [int(k in ones) for k in range(len(counts))]


def _best(counts):
    """Group 1 of the most even partition."""
    k, total = len(counts), sum(counts)
    zeros = ((0, *rest) for size in range(k - 1) for rest in combinations(range(1, k), size))
    chosen = min(zeros, key=lambda group: (abs(total - 2 * sum(counts[i] for i in group)), group))
    return set(range(k)) - set(chosen)


def _greedy(counts):
    """Group 1 of the partition by size."""
    sizes, sides = [0, 0], [set(), set()]
    for k in sorted(range(len(counts)), key=lambda k: (-counts[k], k)):
        smaller = int(sizes[1] < sizes[0])
        sizes[smaller] += counts[k]
        sides[smaller].add(k)
    return sides[1] if 0 in sides[0] else sides[0]

"""Lines of packs: what the store has comes back as it was, and nothing else is read."""

import json
import math

import pytest
from pack_files import RECORD

from ironbark.pipeline.results import pack_lines

KEY = "0123456789abcdef" * 2


def entry(**changes):
    return json.dumps({"key": KEY, "method": "dt-gini", "record": RECORD | changes}).encode() + b"\n"


def test_round_trip():
    nan = RECORD | {"depth": math.nan, "gaps": {"probabilities": "none"}}
    scores = {"accuracy": 0.5, "log_loss": math.nan}
    light = {name: value for name, value in RECORD.items() if name != "outputs"} | {"scores": scores, "reasons": {}}
    keys, methods, records = (KEY, KEY[::-1], KEY[1:] + "0"), ("a", "b", "a"), (RECORD, nan, light)
    content = b"".join(map(pack_lines.line, methods, keys, records))
    assert b"NaN" not in content
    found = pack_lines.read(content)
    assert list(found) == ["a", "b"] and list(found["a"]) == [keys[0], keys[2]] and list(found["b"]) == [keys[1]]
    for method, key, record in zip(methods, keys, records, strict=True):
        assert json.dumps(found[method][key], sort_keys=True) == json.dumps(record, sort_keys=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("flipped", value) for value in (1.5, -0.1, 1, True, None, "0.5", [0.5])],
        *[("seed", value) for value in (-1, 1.0, True, None, 10**20)],
        *[("fit_seconds", value) for value in (-1.0, None, "1")],
        *[("tuned", value) for value in (None, "x" * 20_000, {})],
        *[("status", value) for value in ("failed", 1, None)],
        *[("depth", value) for value in ("1", True, [])],
        *[("outputs", value) for value in (1, {}, {"errors": 1}, {"probabilities": "x"})],
        *[("outputs", RECORD["outputs"] | value) for value in ({"other": "x"}, {"decision": None})],
        *[("gaps", value) for value in (1, [], {"other": "none"}, {"probabilities": 1})],
        ("message", "hello"),
    ],
)
def test_a_field_of_another_kind_is_refused(name, value):
    with pytest.raises(ValueError, match=f"line 1: .*{name}"):
        pack_lines.read(entry(**{name: value}))


@pytest.mark.parametrize("name", sorted(pack_lines.REQUIRED))
def test_a_missing_field_is_refused(name):
    record = {key: value for key, value in RECORD.items() if key != name}
    with pytest.raises(ValueError, match=f"line 1: the field {name} is missing"):
        pack_lines.read(json.dumps({"key": KEY, "method": "a", "record": record}).encode() + b"\n")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (b'"depth": 3.0', b'"depth": NaN', "NaN is no JSON number"),
        (b'"depth": 3.0', b'"depth": -Infinity', "-Infinity is no JSON number"),
        (b'"depth": 3.0', b'"depth": 1e999', "too large"),
        (b'"seed": 5', b'"seed": 1' + b"0" * 100, "101 digits"),
        (b'"seed": 5', b'"seed": 5, "seed": 6', "a key occurs twice"),
        (b'"seed": 5', b'"seed": ' + b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
        (KEY.encode(), b"../../etc/passwd", "its key is no hash"),
        (b'"record"', b'"other"', "no entry of a key, a method and a record"),
        (b'"dt-gini"', b'"../gini"', "its method is no id"),
        (b'"dt-gini"', b"1", "its method is no id"),
        (b'"outputs"', b'"scores"', "neither outputs alone nor scores with reasons alone"),
        (b'"outputs"', b'"scores": {}, "outputs"', "neither outputs alone nor scores with reasons alone"),
        (b'"outputs": {', b'"reasons": {}, "outputs": {', "neither outputs alone nor scores with reasons alone"),
        (b"}}\n", b"}", "has no end"),
        (b'{"key"', b'{"key', "line 1: "),
    ],
)
def test_odd_json_is_refused(before, after, words):
    content = entry()
    assert before in content
    with pytest.raises(ValueError, match=words):
        pack_lines.read(content.replace(before, after))


def test_a_key_twice_and_a_long_line_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="line 2: the fit .* occurs twice"):
        pack_lines.read(entry() + entry())
    monkeypatch.setattr(pack_lines, "MOST_LINE", 100)
    with pytest.raises(ValueError, match=r"line 1 has \d+ bytes"):
        pack_lines.read(entry())

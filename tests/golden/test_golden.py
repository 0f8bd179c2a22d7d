"""Golden fits: numbers of small fits do not change unless the version of their family does. See README.md."""

import importlib
import itertools

import pytest
from golden import comparison, families, renew

from ironbark.criteria import CRITERIA

FIRST = {"a": {"predictions": ["d0", 4, 0.5, 0.7], "trees": ["d1", 9, 1.0, 2.0]}}


def parts():
    """(family, place of the first case, of the one after the last) of each process."""
    for family in families.CODE:
        cuts = [0, *families.CUTS.get(family, ()), len(comparison.recorded(family)["cases"])]
        yield from ((family, *ends) for ends in itertools.pairwise(cuts))


@pytest.mark.parametrize(("family", "start", "stop"), list(parts()))
def test_golden_fits_are_those_that_are_recorded(family, start, stop):
    found = comparison.recorded(family)
    found["cases"] = dict(list(found["cases"].items())[start:stop])
    now = comparison.fitted(family, start, stop)
    other = comparison.other_machine(found)
    if other:
        far = comparison.departures(found["cases"], now)
        assert not far, f"{other}, and numbers differ beyond the tolerance: {comparison.listed(far)}"
        pytest.skip(f"numbers agree within the tolerance; they need not be the same bits, since {other}")
    assert not comparison.verdict(family, found, now)


@pytest.mark.parametrize("family", families.CODE)
def test_records_are_of_all_cases_of_the_code_and_of_the_libraries_of_the_lock(family):
    found = comparison.recorded(family)
    assert list(found["cases"]) == list(importlib.import_module(f"golden.{family}").CASES), comparison.RENEW
    assert not comparison.stale_text(family, found)
    assert found["libraries"] == families.locked(family), f"install envs/test.lock, run `{comparison.RENEW}`"


def test_other_libraries_are_named_and_compared_with_a_tolerance():
    found = comparison.recorded("trees")
    found["libraries"]["numpy"] = "1.0"
    assert "not 1.0" in comparison.other_machine(found)
    moved = {"a": {"predictions": ["d9", 4, 0.49, 0.7], "trees": ["d9", 99, 5.0, 9.0]}}
    assert not comparison.departures(FIRST, moved)
    assert comparison.departures(FIRST, {"a": moved["a"] | {"predictions": ["d9", 4, 0.3, 0.7]}})


CHANGED = {"a": FIRST["a"] | {"predictions": ["d9", 4, 0.5, 0.7]}}
MORE = {"b": FIRST["a"]}


@pytest.fixture
def today(monkeypatch, tmp_path):
    """Function that sets what is fitted today, the edited families and the versions; the records are of `FIRST`."""
    monkeypatch.setattr(comparison, "HERE", tmp_path)
    monkeypatch.setattr(comparison, "other_machine", lambda _: "")

    def set_to(now, edited=(), versions=None):
        here = {"gbdt": 1, "stagewise": 1, "trees": 1} | (versions or {})
        monkeypatch.setattr(comparison, "fitted", lambda _: now)
        monkeypatch.setattr(comparison, "versions", lambda _: here)
        monkeypatch.setattr(comparison, "text", lambda name: "other" if name in edited else "t")
        return here

    for family in set_to(FIRST):
        comparison.record(family, FIRST)
    return set_to


@pytest.mark.parametrize(
    ("now", "edited", "versions", "said", "refused"),
    [
        (FIRST, (), {}, "", False),
        (FIRST, ("gbdt",), {}, "", True),
        (CHANGED, ("gbdt",), {}, "predictions of a changed: raise the version of gbdt", True),
        (CHANGED, ("trees",), {}, "predictions of a changed: raise the version of trees", True),
        (CHANGED, (), {}, "predictions of a changed: raise the version of gbdt", True),
        (CHANGED | MORE, (), {}, "predictions of a; new case b changed: raise the version", True),
        (FIRST | MORE, (), {}, "new case b: run `", False),
        ({}, (), {}, "dropped case a: run `", False),
        (CHANGED, ("gbdt",), {"gbdt": 2}, "predictions of a changed with the version of gbdt: run `", False),
        (CHANGED, ("trees",), {"trees": 2}, "predictions of a changed with the version of trees: run `", False),
        (FIRST, (), {"trees": 2}, "", False),
        (FIRST, (), {"gbdt": 2}, "the version of gbdt went from 1 to 2, but none of its golden fits changed", False),
    ],
)
def test_what_is_said_of_changes_and_may_be_recorded(today, now, edited, versions, said, refused):
    here, before = today(now, edited, versions), comparison.recorded("gbdt")
    found = comparison.verdict("gbdt", before, now)
    assert found.startswith(said) and bool(found) == bool(said) and renew.renewed("gbdt")[1] == refused
    after = comparison.recorded("gbdt")
    assert (after == before) if refused else (after["cases"], after["versions"]) == (now, here)


@pytest.mark.parametrize(("now", "text"), [(FIRST, "other"), (CHANGED, "t")])
def test_edited_code_is_recorded_if_fits_are_the_same(today, now, text):
    today(now, ("gbdt",))
    renew.renewed("gbdt", edited=True)
    assert comparison.recorded("gbdt") | {"text": text} == comparison.recorded("gbdt")
    assert comparison.recorded("gbdt")["cases"] == FIRST


def test_a_changed_lock_renews_fits_under_the_same_version(today, monkeypatch):
    today(CHANGED)
    monkeypatch.setattr(renew, "locked", lambda _: {"numpy": "9.9"})
    assert not renew.renewed("gbdt")[1] and comparison.recorded("gbdt")["cases"] == CHANGED


def test_cases_run_every_criterion():
    cases = comparison.recorded("trees")["cases"]
    assert all(any(case.startswith(f"{name}, 2 classes") for case in cases) for name in CRITERIA)

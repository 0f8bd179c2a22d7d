"""What is written in YAML files and read as something else is refused with its place and what to write."""

import shutil
from pathlib import Path

import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import yaml_files
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.config.suggestions import suggestion

ROOT = Path(__file__).parents[3]


@pytest.fixture
def said(tmp_path):
    """Function that gives what is wrong with a configuration that has one more file."""
    folder = tmp_path / "config"
    shutil.copytree(ROOT / "config", folder)

    def message(place, text):
        (folder / place).write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as caught:
            read(folder, ROOT / "workflow/schemas", {"studies": ["quickstart"], "scale": "full"})
        return str(caught.value)

    return message


DATA = "own: {{title: O, source: file, path: o.csv, {}}}\n"

VALUES = [
    ("target: no", "own.target: YAML reads no as a truth value; for text put it in quotes, as 'no'"),
    ("target: Yes", "reads Yes as a truth value; for text put it in quotes, as 'Yes'"),
    ("target: off", "reads off as a truth value; for text put it in quotes, as 'off'"),
    ("target: t, positive: [yes]", "own.positive.0: YAML reads yes as a truth value; for text put it in quotes, as"),
    ("target: t, positive: [a, on]", "own.positive.1: YAML reads on as a truth value"),
    ("target: t, positive: [2020-01-01]", "YAML reads 2020-01-01 as a date; put it in quotes, as '2020-01-01'"),
    ("target: 2020-01-01 10:00:00", "YAML reads 2020-01-01 10:00:00 as a date; put it in quotes"),
    ("target: t, positive: [null]", "own.positive.0: YAML reads null as nothing; for text put it in quotes, as 'null'"),
    ("target: t, positive: [~]", "YAML reads ~ as nothing; for text put it in quotes, as '~'"),
    ("target: t, positive: [1.10]", "own.positive.0: YAML reads 1.10 as 1.1; put it in quotes, as '1.10'"),
    ("target: t, positive: [01]", "YAML reads 01 as 1; write it without the 0 at its start, or '01' in quotes"),
    ("target: t, labels: {no: a, yes: b}", "YAML reads the key 'no' as false; put it in quotes"),
    ("target: t, labels: {1.0: a, 2.10: b}", "own.labels.2.10: YAML reads 2.10 as 2.1; put it in quotes"),
    ("target: t, labels: {2020-01-01: a}", "YAML reads 2020-01-01 as a date; put it in quotes"),
    ("target: t, expect: {n: 010}", "YAML reads 010 as 8; write it without the 0 at its start, or '010' in quotes"),
    ("target: t, expect: {n: -010}", "YAML reads -010 as -8; write it without the 0"),
    ("target: t, expect: {n: 1:30}", "YAML reads 1:30 as 90; write 90 for this number, or '1:30' in quotes for text"),
    ("target: t, download: 1:30.5", "YAML reads 1:30.5 as 90.5; write 90.5 for this number"),
    ("target: t, expect: {n: 1e3}", "own.expect.n: YAML reads '1e3' as text; write 1.0e+3"),
    ("target: t, title: 2024", "key 'title' is given twice"),
    ("target: t, cite: 2024", "own.cite: YAML reads 2024 as a number; for text put it in quotes, as '2024'"),
    ("target: t, cite: ", "own.cite: it is empty; give it a value, or leave the key out"),
    ("target: t, drop: [a b", "a comma or the closing ']' is missing; what is open starts at line 1, column 61"),
    ("target: t positive: [a]", "a comma or the closing '}' is missing; what is open starts at line 1, column 6"),
    ("target: 't' positive: [a]", "a comma or the closing '}' is missing"),
]


@pytest.mark.parametrize(("text", "sentence"), VALUES)
def test_values_of_a_data_set(said, text, sentence):
    found = said("datasets/own.yaml", DATA.format(text))
    assert "own.yaml" in found and sentence in found
    assert "datetime" not in found and "False" not in found and "True" not in found


def test_a_number_of_openml(said):
    text = "own: {title: O, source: openml, openml_id: 031}\n"
    assert "line 1, column 44: YAML reads 031 as 25; write it without the 0" in said("datasets/own.yaml", text)


PARAMETERS = [
    ("max_depth: None", "mine.params.max_depth: YAML reads 'None' as text; write null, or 'None' in quotes"),
    ("C: 1e1", "mine.params.C: YAML reads '1e1' as text; write 1.0e+1, or '1e1' in quotes"),
    ("C: 5e-1", "write 5.0e-1"),
    ("C: 1.5E3", "write 1.5e+3"),
    ("missing: nan", "YAML reads 'nan' as text; write .nan"),
    ("C: -inf", "YAML reads '-inf' as text; write -.inf"),
    ("C: [0.1 0.2]", "mine.params.C.0: a comma is missing between 0.1 and 0.2"),
    ("C: {sweep: [1e-1, 1]}", "mine.params.C.sweep.0: YAML reads '1e-1' as text; write 1.0e-1"),
    ("inner: {estimator: a.B, params: {C: 1e1}}", "mine.params.inner.params.C: YAML reads '1e1' as text"),
    ("C: 010", "YAML reads 010 as 8"),
    ("C: 1 D: 2", "a comma or the closing '}' is missing; what is open starts at line 1, column 32"),
]


@pytest.mark.parametrize(("text", "sentence"), PARAMETERS)
def test_parameters_of_a_method(said, text, sentence):
    assert sentence in said("methods/mine.yaml", f"mine: {{estimator: a.B, params: {{{text}}}}}\n")


def test_values_that_are_tried(said):
    text = "mine: {estimator: a.B, tune: {cv: 2, grid: {max_depth: [3, None]}}}\n"
    assert "mine.tune.grid.max_depth.1: YAML reads 'None' as text; write null" in said("methods/mine.yaml", text)


@pytest.mark.parametrize("text", ["'None'", '"1e1"', "abc", "1.5", "null", "1.0e+1", "0.1", "0", "0x1F", "1_000", "-1"])
def test_what_is_read_as_it_is_written(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(f"mine: {{params: {{C: {text}}}}}\n", encoding="utf-8")
    assert yaml_files.load(path)[1] == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x:\n\tmodel: clean\n", 2),
        ("x:\n  model: clean\n\tlabel: a\n", 3),
        ("x:\n    model: clean\n  \tlabel: a\n", 3),
        ("x:\n  -\tmodel: clean\n", 2),
        ("\tx: {model: clean}\n", 1),
    ],
)
def test_a_tab_is_called_a_tab(said, text, line):
    found = said("noise/own.yaml", text)
    assert f"own.yaml is no valid YAML, line {line}, column" in found
    assert "there is a tab, which YAML does not allow here; use spaces" in found


def test_other_mistakes_of_form(said):
    merged = "a: &a {model: clean}\nb:\n  <<: *a\n"
    assert "own.yaml, line 3, column 3: merge keys (<<) are not read; write out the keys" in said(
        "noise/own.yaml", merged
    )
    assert "an anchor (&) contains itself" in said("noise/own.yaml", "a: &a {model: *a}\n")
    assert "a second ': ' is on one line" in said("noise/own.yaml", "a:\n  model: clean label: x\n")


STUDY = """
title: Own
protocol: {PROTOCOL}
grids: [{datasets: DATASETS, tasks: [multiclass], noises: [clean], methods: [dt-gini]}]
"""


@pytest.mark.parametrize(
    ("protocol", "sentence"),
    [
        ("kind: fixed-split, repeat: 5", "own.yaml, protocol: key 'repeats' is missing, write it for 'repeat'"),
        ("kinds: fixed-split, repeats: 5", "own.yaml, protocol: key 'kind' is missing, write it for 'kinds'"),
        ("kind: fixed-split", "own.yaml, protocol: key 'repeats' is missing, add it"),
        ("kind: fixed-split, repeats: 05", "YAML reads 05 as 5"),
        ("kind: repeated-cv, repeats: 1, folds: 1e1", "own.yaml, protocol.folds: YAML reads '1e1' as text"),
    ],
)
def test_protocols(said, protocol, sentence):
    assert sentence in said("studies/own.yaml", STUDY.replace("PROTOCOL", protocol).replace("DATASETS", "[iris]"))


def test_a_missing_comma_between_ids_and_words(said):
    assert suggestion("iris wine", ["wine", "iris"]) == "; a comma is missing between 'iris' and 'wine'"
    assert "missing" not in suggestion("iris vine", ["wine", "iris"])
    study = STUDY.replace("PROTOCOL", "kind: fixed-split, repeats: 1").replace("DATASETS", "[iris]")
    found = said("studies/own.yaml", study.replace("[multiclass]", "[binary multiclass]"))
    assert "a comma is missing between 'binary' and 'multiclass'" in found


def test_the_settings_are_read_as_they_are_written(said):
    text = (ROOT / "config/config.yaml").read_text("utf-8").replace("batch_minutes: 10", "batch_minutes: 010")
    assert "YAML reads 010 as 8" in said("config.yaml", text)

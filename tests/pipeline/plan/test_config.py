"""Reading the YAML files: the shipped ones pass, and every mistake gives a sentence with its place and a remedy."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import yaml_files
from ironbark.pipeline.plan.config.reading import lookup, reaches_jobs, read
from ironbark.pipeline.plan.study.study import plan

ROOT = Path(__file__).parents[3]
SETTINGS = {"studies": ["quickstart"], "scale": "full"}


@pytest.fixture
def folder(tmp_path):
    """The shipped configuration with one study and few data sets, so that it is read quickly."""
    left_out = shutil.ignore_patterns("studies", "datasets*")
    folder = shutil.copytree(ROOT / "config", tmp_path / "config", ignore=left_out)
    (folder / "studies").mkdir()
    (folder / "datasets").mkdir()
    shutil.copy(ROOT / "config/studies/quickstart.yaml", folder / "studies")
    (folder / "datasets.yaml").write_text("iris: {title: Iris, source: sklearn, loader: iris}\n", encoding="utf-8")
    return folder


def message(folder, settings=SETTINGS):
    with pytest.raises(InputError) as caught:
        read(folder, ROOT / "workflow/schemas", settings)
    return str(caught.value)


def append(path, text):
    path.write_text((path.read_text(encoding="utf-8") if path.exists() else "") + text, encoding="utf-8")


def test_the_shipped_configuration_is_valid():
    settings = yaml.safe_load((ROOT / "config/config.yaml").read_text("utf-8"))
    config = read(ROOT / "config", ROOT / "workflow/schemas", settings)
    assert set(config) == {"settings", "groups", "datasets", "methods", "noises", "studies"}
    for section, known in (("datasets", "iris"), ("methods", "dt-ane"), ("noises", "clean"), ("studies", "quickstart")):
        assert known in config[section]


NOISE, TREES, DATA, OWN, STUDY = "noise.yaml", "methods/trees.yaml", "datasets.yaml", "own.yaml", "studies/own.yaml"


def data(text):
    return "datasets/own.yaml", f"own: {{title: O, source: file, path: o.csv, {text}}}\n"


def params(text):
    return "methods/own.yaml", f"own: {{estimator: a.B, params: {{{text}}}}}\n"


def study(text, task="multiclass"):
    grid = f"{{datasets: [iris], tasks: [{task}], noises: [clean], methods: [dt-gini]}}"
    return STUDY, f"title: Own\nprotocol: {{{text}}}\ngrids: [{grid}]\n"


#: File and text to add at its end, what the sentence must say.
MISTAKES = [
    # keys, types and ids
    (NOISE, "\nx: {modell: uniform, model: uniform}\n", ["noise.yaml, x", "'modell'", "mean 'model'"]),
    (TREES, "\nx: {label: A}\n", ["trees.yaml, x", "'estimator' is missing", "add it"]),
    (TREES, "\nx: {estimator: tree}\n", ["trees.yaml, x.estimator", "'tree' does not match"]),
    (TREES, "\nx: {estimator: a.B, tasks: [binry]}\n", ["x.tasks.0", "'binry'", "mean 'binary'"]),
    (TREES, "\nx: {estimator: a.B, params: }\n", ["x.params: it is empty; give it a value"]),
    (TREES, "\nx: {estimator: a.B, tune: {grid: {}}}\n", ["'test_size' is missing", "'refit' is missing"]),
    (TREES, "\nx: {estimator: a.B, tune: {grid: {a: [1]}, cv: 1}}\n", ["x.tune.cv", "1 is less than"]),
    (TREES, "\nx: {estimator: a.B, tune: {cv: 5, grid: {C: [1]}, max_samples: 5}}\n", ["'trials' is a dependency"]),
    ("methods/baselines.yaml", "\ndt-gini: {estimator: a.B}\n", ["trees.yaml", "'dt-gini' is already defined"]),
    ("methods/own.yaml", "all-trees: {estimator: a.B}\n", ["'all-trees' is already defined"]),
    (TREES, "\nUpper: {estimator: a.B}\n", ["methods", "'Upper' is no valid id", "lower-case"]),
    (TREES, "\n1: {estimator: a.B}\n", ["trees.yaml", "id 1 is no text", "quotes"]),
    (DATA, "\nx: {title: X}\n", ["datasets.yaml, x", "'source' is missing"]),
    (NOISE, "\nx: {model: uniform, rate: abc}\n", ["x.rate", "'abc' is not allowed", "Rate of the model"]),
    (NOISE, "\nx: {model: uniform, rate: [a]}\n", ["x.rate", "['a'] is not allowed"]),
    ("studies/quickstart.yaml", "\ntable: {}\n", ["quickstart.yaml", "'table'", "mean 'tables'"]),
    (STUDY, "# nothing\n", ["key 'grids' is missing", "key 'title' is missing", "key 'protocol' is missing"]),
    (STUDY, "- a\n", ["own.yaml, top level: ['a'] is not of type 'object'"]),
    (STUDY, "tables: {../Evil: {kind: accuracy}}\n", ["own.yaml, tables", "'../Evil' does not match"]),
    ("studies/My_Study.yaml", "title: X\n", ["studies: 'My_Study' is no valid id"]),
    (*study("kind: fixed-split"), ["own.yaml, protocol: key 'repeats' is missing"]),
    (*study("kind: fixed-split, repeats: 1", "binary multiclass"), ["comma is missing between 'binary' and 'mult"]),
    # groups and sweeps
    ("methods/own.yaml", "g: {group: [dt-ginni]}\n", ["own.yaml, group 'g': 'dt-ginni'", "mean 'dt-gini'?"]),
    ("methods/own.yaml", "g: {group: dt-gini}\n", ["own.yaml, g.group: 'dt-gini' is not of type 'array'"]),
    ("methods/own.yaml", "g: {groop: [dt-gini]}\n", ["own.yaml, g", "unknown key 'groop'; did you mean 'group'?"]),
    ("methods/own.yaml", "g: {group: [dt-gini], params: {}}\n", ["own.yaml, g", "unknown key 'params'"]),
    (*params("l: {sweap: [1]}"), ["own.yaml, own: unknown key 'sweap' at 'l'"]),
    # form
    (NOISE, "\nclean: {model: clean}\n", ["noise.yaml is no valid YAML, line", "key 'clean' is given twice"]),
    (NOISE, "\nx: [\n", ["noise.yaml is no valid YAML"]),
    (NOISE, "\nx: @y\n", ["noise.yaml is no valid YAML, line"]),
    *(
        ("noise/own.yaml", text, [f"own.yaml is no valid YAML, line {line}, column", "there is a tab", "use spaces"])
        for text, line in (
            ("x:\n\tmodel: clean\n", 2),
            ("x:\n  model: clean\n\tlabel: a\n", 3),
            ("x:\n    model: clean\n  \tlabel: a\n", 3),
            ("x:\n  -\tmodel: clean\n", 2),
            ("\tx: {model: clean}\n", 1),
        )
    ),
    ("noise/own.yaml", "a: &a {model: clean}\nb:\n  <<: *a\n", ["line 3, column 3: merge keys (<<) are not read"]),
    ("noise/own.yaml", "a: &a {model: *a}\n", ["an anchor (&) contains itself"]),
    ("noise/own.yaml", "a:\n  model: clean label: x\n", ["a second ': ' is on one line"]),
    (*data("title: 2024"), ["key 'title' is given twice"]),
    (*data("drop: [a b"), ["a comma or the closing ']' is missing; what is open starts at line 1, column 50"]),
    (*data("target: t positive: [a]"), ["a comma or the closing '}' is missing", "line 1, column 6"]),
    (*data("target: 't' positive: [a]"), ["a comma or the closing '}' is missing"]),
    (*params("C: 1 D: 2"), ["a comma or the closing '}' is missing; what is open starts at line 1, column 31"]),
    # what YAML reads as something else than what is written
    (*data("target: no"), ["own.target: YAML reads no as a truth value; for text put it in quotes, as 'no'"]),
    (*data("target: Yes"), ["reads Yes as a truth value"]),
    (*data("positive: [a, on]"), ["own.positive.1: YAML reads on as a truth value"]),
    (*data("positive: [2020-01-01]"), ["YAML reads 2020-01-01 as a date; put it in quotes, as '2020-01-01'"]),
    (*data("target: 2020-01-01 10:00:00"), ["YAML reads 2020-01-01 10:00:00 as a date; put it in quotes"]),
    (*data("positive: [null]"), ["own.positive.0: YAML reads null as nothing; for text put it in quotes"]),
    (*data("positive: [~]"), ["YAML reads ~ as nothing; for text put it in quotes, as '~'"]),
    (*data("positive: [1.10]"), ["own.positive.0: YAML reads 1.10 as 1.1; put it in quotes, as '1.10'"]),
    (*data("positive: [01]"), ["YAML reads 01 as 1; write it without the 0 at its start, or '01' in quotes"]),
    (*data("labels: {no: a, yes: b}"), ["YAML reads the key 'no' as false; put it in quotes"]),
    (*data("labels: {1.0: a, 2.10: b}"), ["own.labels.2.10: YAML reads 2.10 as 2.1; put it in quotes"]),
    (*data("labels: {2020-01-01: a}"), ["YAML reads 2020-01-01 as a date; put it in quotes"]),
    (*data("expect: {n: -010}"), ["YAML reads -010 as -8; write it without the 0"]),
    (*data("expect: {n: 1:30}"), ["YAML reads 1:30 as 90; write 90 for this number, or '1:30' in quotes for text"]),
    (*data("download: 1:30.5"), ["YAML reads 1:30.5 as 90.5; write 90.5 for this number"]),
    (*data("expect: {n: 1e3}"), ["own.expect.n: YAML reads '1e3' as text; write 1.0e+3"]),
    (*data("cite: 2024"), ["own.cite: YAML reads 2024 as a number; for text put it in quotes, as '2024'"]),
    (*data("cite: "), ["own.cite: it is empty; give it a value, or leave the key out"]),
    (*params("C: None"), ["own.params.C: YAML reads 'None' as text; write null, or 'None' in quotes"]),
    (*params("C: 5e-1"), ["write 5.0e-1"]),
    (*params("C: 1.5E3"), ["write 1.5e+3"]),
    (*params("C: nan"), ["YAML reads 'nan' as text; write .nan"]),
    (*params("C: -inf"), ["YAML reads '-inf' as text; write -.inf"]),
    (*params("C: [0.1 0.2]"), ["own.params.C.0: a comma is missing between 0.1 and 0.2"]),
    (*params("C: {sweep: [1e-1, 1]}"), ["own.params.C.sweep.0: YAML reads '1e-1' as text; write 1.0e-1"]),
    (*params("i: {estimator: a.B, params: {C: 1e1}}"), ["own.params.i.params.C: YAML reads '1e1' as text"]),
    (TREES, "\nx: {estimator: a.B, tune: {cv: 2, grid: {d: [3, None]}}}\n", ["x.tune.grid.d.1: YAML reads 'None'"]),
    (NOISE, "\nx: {model: uniform, rate: 2.5e-1}\ny: {model: uniform, rate: 1e1}\n", ["write 1.0e+1"]),
    (*study("kind: fixed-split, repeats: 05"), ["YAML reads 05 as 5"]),
    (*study("kind: repeated-cv, repeats: 1, folds: 1e1"), ["own.yaml, protocol.folds: YAML reads '1e1' as text"]),
    ("config.yaml", "\nfit_minutes: 010\n", ["key 'fit_minutes' is given twice"]),
]


@pytest.mark.parametrize(("file", "text", "parts"), MISTAKES)
def test_mistakes_name_place_and_remedy(folder, file, text, parts):
    append(folder / file, text)
    found = message(folder)
    assert all(part in found for part in parts), found
    assert not {"datetime", "False", "True", "unicode string"} & set(found.split())


@pytest.mark.parametrize("text", ["'None'", '"1e1"', "abc", "1.5", "null", "1.0e+1", "0.1", "0", "0x1F", "1_000", "-1"])
def test_what_is_read_as_it_is_written(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(f"mine: {{params: {{C: {text}}}}}\n", encoding="utf-8")
    assert yaml_files.load(path)[1] == []


PLACE = "--config: {} holds characters that do not reach jobs as they are; rename"


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"scal": "full"}, ["config.yaml or --config", "unknown key 'scal'", "did you mean 'scale'?"]),
        ({"scale": "smok"}, ["'smok' is not one of smoke, lite, full", "did you mean 'smoke'?"]),
        ({"scale": None}, ["config.yaml or --config, scale"]),
        ({"batch_minutes": 0}, ["batch_minutes", "0"]),
        ({"retry_failed": "perhaps"}, ["retry_failed", "'perhaps' is not of type 'boolean'"]),
        *(
            ({"mirror": text}, [PLACE.format("mirror")])
            for text in ("it's $(touch pwned)", "it's `touch pwned`", "both ' and \"", "back\\slash", "new\nline")
        ),
        *(
            ({"packs": text}, [PLACE.format("packs")])
            for text in ("$(touch pwned).pack", "`touch pwned`.pack", "it's.pack", "back\\slash.pack")
        ),
    ],
)
def test_settings(settings, parts):
    found = message(ROOT / "config", SETTINGS | settings)
    assert all(part in found for part in parts), found


def test_all_violations_are_reported_at_once_and_each_once(folder):
    append(folder / "noise.yaml", "\nx: {}\ny: {model: clean, rat: 1}\n")
    append(folder / "studies/own.yaml", "description: nothing else\n")
    found = message(folder, {**SETTINGS, "scale": "ful"})
    assert len(found.splitlines()) == 5
    for part in ("'ful'", "noise.yaml, x", "noise.yaml, y", *(f"key {k!r} is missing" for k in ("title", "grids"))):
        assert found.count(part) == 1


def test_missing_file(folder):
    (folder / "noise.yaml").unlink()
    assert "noise.yaml does not exist; restore it" in message(folder)


def test_lookup():
    assert lookup("noise", "a", {"a": 1}) == 1
    for name, words in (("zzz", "choose one of a, b"), ("aa", "did you mean 'a'"), ("a b", "a comma is missing")):
        with pytest.raises(InputError, match=f"unknown noise '{name}'; {words}"):
            lookup("noise", name, {"a": 0, "b": 0})


CHARACTERS = "aB1 ./-_~*?!#&;|<>()[]{}=:,%^+@é\"`$'\\\n\t"


def test_settings_reach_jobs_as_they_are():
    """A shell reads Python's notation, with which Snakemake hands settings on."""
    rng = np.random.default_rng(0)
    texts = ["".join(rng.choice(list(CHARACTERS), rng.integers(1, 8))) for _ in range(800)]
    texts = [text for text in [*texts, "Bob's data", "$(echo x)", '`echo`"'] if reaches_jobs(text)]
    assert len(texts) > 240 and "Bob's data" in texts and "$(echo x)" in texts
    script = "\n".join(f"printf '%s\\0' {text!r}" for text in texts)
    output = subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout.decode()
    assert output.split("\0")[:-1] == texts


def test_settings_of_the_command_line():
    """Null is that of YAML, and one pack is a list of one."""
    names = ["fit_minutes", "mirror", "cell"]
    given = SETTINGS | dict(zip(names, ["null", "None", "null"], strict=True)) | {"packs": "my data/a.pack"}
    settings = read(ROOT / "config", ROOT / "workflow/schemas", given)["settings"]
    assert settings == SETTINGS | dict.fromkeys(names) | {"packs": ["my data/a.pack"]}


def test_groups_and_sweeps_of_the_configuration(folder):
    append(folder / "noise.yaml", "\nflips-{rate}: {model: uniform, label: '{rate}', rate: {sweep: [0.11, 0.22]}}\n")
    append(folder / "noise/own.yaml", "levels: {group: [clean, flips]}\n")
    _, text = study("kind: fixed-split, repeats: 1")
    append(folder / STUDY, text.replace("[clean]", "[levels]").replace("[dt-gini]", "[multiclass-trees]"))
    found = read(folder, ROOT / "workflow/schemas", SETTINGS)
    made = found["studies"]["own"]["grids"][0]
    assert made["noises"] == ["clean", "flips-0.11", "flips-0.22"]
    assert made["methods"] == found["groups"]["methods"]["multiclass-trees"] and "dt-gini" in made["methods"]
    assert not set(found["groups"]["methods"]) & set(found["methods"])
    assert found["groups"]["methods"]["dt-lambda"][1] == "dt-lambda-0.1"


@pytest.mark.parametrize("place", ["grids", "tables"])
def test_a_misspelt_group_in_a_study(folder, place):
    path = folder / "studies/quickstart.yaml"
    head, section, rest = path.read_text("utf-8").partition(f"\n{place}:\n")
    path.write_text(head + section + rest.replace("[all-trees, ", "[al-trees, ", 1), encoding="utf-8")
    with pytest.raises(InputError, match="study 'quickstart': unknown method 'al-trees'; did you mean 'all-trees'?"):
        plan(read(folder, ROOT / "workflow/schemas", SETTINGS), "quickstart", "full")

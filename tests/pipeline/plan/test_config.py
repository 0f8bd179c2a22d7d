"""Reading the YAML files: the shipped ones pass, and every mistake gives a sentence with its place and a remedy."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.reading import _sentence, lookup, reaches_jobs, read, suggestion

ROOT = Path(__file__).parents[3]
SETTINGS = {"studies": ["quickstart"], "scale": "full"}


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(ROOT / "config", tmp_path / "config")
    return tmp_path / "config"


def message(folder, settings=SETTINGS):
    with pytest.raises(InputError) as caught:
        read(folder, ROOT / "workflow/schemas", settings)
    return str(caught.value)


def append(path, text):
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_the_shipped_configuration_is_valid(folder):
    config = read(folder, ROOT / "workflow/schemas", yaml.safe_load((folder / "config.yaml").read_text("utf-8")))
    assert set(config) == {"settings", "groups", "datasets", "methods", "noises", "studies"}
    for section, known in (("datasets", "iris"), ("methods", "dt-ane"), ("noises", "clean"), ("studies", "quickstart")):
        assert known in config[section]


#: File, text to add at its end -> what the sentence must say.
MISTAKES = [
    ("noise.yaml", "\nx: {modell: uniform, model: uniform}\n", ["noise.yaml, x", "'modell'", "mean 'model'"]),
    ("methods/trees.yaml", "\nx: {label: A}\n", ["trees.yaml, x", "'estimator' is missing", "add it"]),
    ("methods/trees.yaml", "\nx: {estimator: tree}\n", ["trees.yaml, x.estimator", "'tree' does not match"]),
    ("methods/trees.yaml", "\nx: {estimator: a.B, tasks: [binry]}\n", ["x.tasks.0", "'binry'", "mean 'binary'"]),
    ("methods/trees.yaml", "\nx: {estimator: a.B, params: }\n", ["x.params: it is empty; give it a value"]),
    (
        "methods/trees.yaml",
        "\nx: {estimator: a.B, tune: {grid: {}}}\n",
        ["'test_size' is missing", "'refit' is missing"],
    ),
    ("methods/trees.yaml", "\nx: {estimator: a.B, tune: {grid: {a: [1]}, cv: 1}}\n", ["x.tune.cv", "1 is less than"]),
    ("methods/baselines.yaml", "\ndt-gini: {estimator: a.B}\n", ["trees.yaml", "'dt-gini' is already defined"]),
    ("methods/trees.yaml", "\nUpper: {estimator: a.B}\n", ["methods", "'Upper' is no valid id", "lower-case"]),
    ("methods/trees.yaml", "\n1: {estimator: a.B}\n", ["trees.yaml", "id 1 is no text", "quotes"]),
    ("datasets.yaml", "\n1: {title: X, source: mirror}\n", ["datasets.yaml", "id 1 is no text", "quotes"]),
    ("datasets.yaml", "\nx: {title: X}\n", ["datasets.yaml, x", "'source' is missing"]),
    (
        "datasets.yaml",
        "\nx: {title: X, source: mirror, positive: [true]}\n",
        ["datasets.yaml, x.positive.0: YAML reads true as a truth value; for text put it in quotes, as 'true'"],
    ),
    (
        "methods/trees.yaml",
        "\nx: {estimator: a.B, tune: {cv: 5, trials: 3, space: {C: {low: 1e-3, high: 1e3}}}}\n",
        ["trees.yaml, x.tune.space.C.low: YAML reads '1e-3' as text; write 1.0e-3"],
    ),
    ("noise.yaml", "\nx: {model: uniform, rate: 2.5e-1}\ny: {model: uniform, rate: 1e1}\n", ["write 1.0e+1"]),
    ("noise.yaml", "\nx: {model: uniform, rate: abc}\n", ["x.rate", "'abc' is not allowed", "Rate of the model"]),
    ("noise.yaml", "\nclean: {model: clean}\n", ["noise.yaml", "key 'clean' is given twice"]),
    ("noise.yaml", "\nx: [\n", ["noise.yaml is no valid YAML"]),
    ("noise.yaml", "\nx:\n\tmodel: clean\n", ["noise.yaml is no valid YAML", "line"]),
    ("studies/quickstart.yaml", "\ntable: {}\n", ["quickstart.yaml", "'table'", "mean 'tables'"]),
]


@pytest.mark.parametrize(("file", "text", "parts"), MISTAKES, ids=[str(i) for i in range(len(MISTAKES))])
def test_mistakes_name_place_and_remedy(folder, file, text, parts):
    append(folder / file, text)
    found = message(folder)
    for part in parts:
        assert part in found, found


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({**SETTINGS, "scal": "full"}, ["config.yaml or --config", "unknown key 'scal'", "did you mean 'scale'?"]),
        ({**SETTINGS, "scale": "smok"}, ["'smok' is not one of smoke, lite, full", "did you mean 'smoke'?"]),
        ({"studies": ["quickstart"]}, ["key 'scale' is missing"]),
        ({**SETTINGS, "batch_minutes": 0}, ["batch_minutes", "0"]),
        ({**SETTINGS, "retry_failed": "perhaps"}, ["retry_failed", "'perhaps' is not of type 'boolean'"]),
    ],
)
def test_settings(folder, settings, parts):
    found = message(folder, settings)
    for part in parts:
        assert part in found, found


def test_all_violations_are_told_at_once(folder):
    append(folder / "noise.yaml", "\nx: {}\ny: {model: clean, rat: 1}\n")
    found = message(folder, {**SETTINGS, "scale": "ful"})
    assert len(found.splitlines()) == 4
    for part in ("'ful'", "noise.yaml, x", "noise.yaml, y"):
        assert part in found


def test_all_missing_keys_are_named_once(folder):
    (folder / "studies/quickstart.yaml").write_text("description: nothing else\n", encoding="utf-8")
    found = message(folder)
    for key in ("title", "protocol", "grids"):
        assert found.count(f"key {key!r} is missing") == 1


def test_empty_and_odd_files(folder):
    (folder / "studies/quickstart.yaml").write_text("# nothing\n", encoding="utf-8")
    assert "key 'grids' is missing" in message(folder)
    (folder / "studies/quickstart.yaml").write_text("- a\n", encoding="utf-8")
    assert "quickstart.yaml, top level: ['a'] is not of type 'object'" in message(folder)


def test_ids_of_tables_and_figures_become_file_names(folder):
    append(folder / "studies/mushrooms.yaml", "")
    study = yaml.safe_load((folder / "studies/mushrooms.yaml").read_text("utf-8"))
    study["tables"]["../Evil"] = {"kind": "accuracy"}
    (folder / "studies/mushrooms.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    found = message(folder)
    assert "mushrooms.yaml" in found and "'../Evil' is no valid id" in found


def test_id_of_a_study(folder):
    shutil.copy(folder / "studies/quickstart.yaml", folder / "studies/My_Study.yaml")
    assert "studies: 'My_Study' is no valid id" in message(folder)


def test_missing_file(folder):
    (folder / "noise.yaml").unlink()
    assert "noise.yaml does not exist; restore it" in message(folder)


def test_suggestion_and_lookup():
    assert suggestion("uniforn", ["uniform", "clean"]) == ", did you mean 'uniform'?"
    assert suggestion("zzz", ["uniform"]) == ""
    assert lookup("noise", "a", {"a": 1}) == 1
    with pytest.raises(InputError, match="unknown noise 'zzz'; there are clean, uniform"):
        lookup("noise", "zzz", {"uniform": 0, "clean": 0})


def test_a_key_that_needs_another_names_it():
    schema = yaml.safe_load((ROOT / "workflow/schemas/methods.schema.yaml").read_text("utf-8"))
    tune = {"cv": 5, "grid": {"C": [1]}, "max_samples": 50}
    [error] = Draft202012Validator(schema).iter_errors({"own": {"estimator": "mine.Own", "tune": tune}})
    assert _sentence(error) == "key 'max_samples' needs 'trials', add it"


CHARACTERS = "aB1 ./-_~*?!#&;|<>()[]{}=:,%^+@é\"`$'\\\n\t"


@pytest.mark.parametrize("seed", range(4))
def test_settings_reach_jobs_as_they_are(seed):
    """A shell reads Python's notation, with which Snakemake hands settings on."""
    rng = np.random.default_rng(seed)
    texts = ["".join(rng.choice(list(CHARACTERS), rng.integers(1, 8))) for _ in range(200)]
    texts = [text for text in [*texts, "Bob's data", "$(echo x)", '`echo`"'] if reaches_jobs(text)]
    assert len(texts) > 60 and "Bob's data" in texts and "$(echo x)" in texts
    script = "\n".join(f"printf '%s\\0' {text!r}" for text in texts)
    said = subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout.decode()
    assert said.split("\0")[:-1] == texts


@pytest.mark.parametrize(
    "text", ["it's $(touch pwned)", "it's `touch pwned`", "both ' and \"", "back\\slash", "new\nline"]
)
def test_a_folder_whose_name_does_not_reach_jobs_is_refused(text):
    said = message(ROOT / "config", SETTINGS | {"mirror": text})
    assert "--config: mirror holds characters that do not reach jobs as they are; rename" in said


@pytest.mark.parametrize("text", ["$(touch pwned).pack", "`touch pwned`.pack", "it's.pack", "back\\slash.pack"])
def test_a_pack_whose_name_does_not_reach_jobs_in_a_list_is_refused(text):
    said = message(ROOT / "config", SETTINGS | {"packs": text})
    assert "--config: packs holds characters that do not reach jobs as they are; rename" in said


def test_one_pack_is_a_list_of_one():
    assert read(ROOT / "config", ROOT / "workflow/schemas", SETTINGS | {"packs": "my data/a.pack"})["settings"][
        "packs"
    ] == ["my data/a.pack"]


BROKEN = [
    ("\nx: [1, 2\ny: 3\n", 2),
    ("\n\nx:\n\tmodel: clean\n", 3),
    ("\nclean: {model: clean}\n", 1),
    ("\nx: @y\n", 1),
]


@pytest.mark.parametrize(("text", "line"), BROKEN)
def test_broken_yaml_is_named_with_its_line(folder, text, line):
    path = folder / "noise.yaml"
    lines = len(path.read_text(encoding="utf-8").splitlines())
    append(path, text)
    found = message(folder)
    assert f"{path} is no valid YAML, line {lines + 1 + line}, column" in found and "unicode string" not in found


def test_null_on_the_command_line_is_that_of_yaml():
    given = SETTINGS | {"fit_minutes": "null", "mirror": "None", "packs": "null", "cell": "null"}
    settings = read(ROOT / "config", ROOT / "workflow/schemas", given)["settings"]
    assert settings == SETTINGS | dict.fromkeys(["fit_minutes", "mirror", "packs", "cell"])

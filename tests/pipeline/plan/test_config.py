"""Reading the YAML files: every mistake gives a sentence with its place and a remedy; sweeps and groups."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from ironbark.errors import InputError
from ironbark.pipeline.plan.config import yaml_files
from ironbark.pipeline.plan.config.expansion import expanded, group_of, members
from ironbark.pipeline.plan.config.reading import reaches_jobs, read

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


NOISE, TREES, STUDY = "noise.yaml", "methods/trees.yaml", "studies/own.yaml"


def data(text):
    return "datasets/own.yaml", f"own: {{title: O, source: file, path: o.csv, {text}}}\n"


def params(text):
    return "methods/own.yaml", f"own: {{estimator: a.B, params: {{{text}}}}}\n"


def group(text):
    return "methods/own.yaml", f"g: {{group: [{text}]}}\n"


def sweep(text, more="label: X"):
    return NOISE, f"\nx-{{rate}}: {{model: uniform, rate: {{{text}}}, {more}}}\n"


def study(text, task="multiclass"):
    grid = f"{{datasets: [iris], tasks: [{task}], noises: [clean], methods: [dt-gini]}}"
    return STUDY, f"title: Own\nprotocol: {{{text}}}\ngrids: [{grid}]\n"


#: File and text to add at its end, what the sentence must say.
MISTAKES = [
    # keys, types and ids
    (NOISE, "\nx: {modell: uniform, model: uniform}\n", ["noise.yaml, x", "'modell'", "mean 'model'"]),
    (TREES, "\nx: {label: A}\n", ["trees.yaml, x", "'estimator' is missing", "add it"]),
    (TREES, "\nx: {estimator: tree}\n", ["trees.yaml, x.estimator", "'tree' is not allowed; it must be: Import path"]),
    (TREES, "\nx: {estimator: a.B, tasks: [binry]}\n", ["x.tasks.0", "'binry'", "mean 'binary'"]),
    (TREES, "\nx: {label: , estimator: a.B, params: {d: {sweep: [1]}}}\n", ["x.label: it is empty; give it a value"]),
    (TREES, "\nx: {group: [[dt-gini]]}\n", ["trees.yaml, x.group.0: ['dt-gini'] is not of type 'string'"]),
    (TREES, "\nx: {estimator: a.B, tune: {cv: 5, grid: {C: [1]}, score: accuracy}}\n", ["'trials' is a dependency"]),
    ("datasets.yaml", "\nmy_data: {title: T}\n", ["datasets.yaml, top level: 'my_data' is no valid id; use a-z"]),
    ("methods/baselines.yaml", "\ndt-gini: {estimator: a.B}\n", ["trees.yaml", "'dt-gini' is already defined"]),
    (STUDY, "tables: {../E: {kind: ranks}}\n", ["own.yaml, tables", "'../E' is not allowed; it must be: At most 100"]),
    (STUDY, f"tables: {{{'a' * 101}: {{kind: accuracy}}}}\n", ["own.yaml, tables", "it must be: At most 100 of a-z"]),
    (TREES, f"\n{'a' * 101}: {{estimator: a.B}}\n", ["is no valid id; use at most 100 lower-case letters"]),
    (*study("kind: fixed-split, repeats: 1", "binary multiclass"), ["comma is missing between 'binary' and 'mult"]),
    ("studies/zz.yml", "", ["zz.yml is not read; rename it to zz.yaml"]),
    # groups and sweeps
    (*group("dt-ginni"), ["own.yaml, group 'g': 'dt-ginni' is no id, no group, and no pattern", "mean 'dt-gini'?"]),
    ("methods/own.yaml", "g: {group: [h]}\nh: {group: [g]}\n", ["'g' contains itself, by g > h > g; take it out"]),
    (*sweep("sweep: [0.1], label: x"), ["the sweep of 'rate' has another key 'label'"]),
    (*sweep("sweep: []"), ["the sweep of 'rate' must be a list of values"]),
    (*sweep("sweep: [0.1]", "label: '{rat}'"), ["'{rat}' names {rat}, which is not swept; there is rate"]),
    (*sweep("sweep: [[0.1, 0.3]]"), ["'rate' has the value [0.1, 0.3]; write it as `suffix: value`"]),
    (*sweep("sweep: [1]", "params: {a: {sweep: [1, 2]}}"), ["make the id 'x-1'; take one out, or name each swept key"]),
    (*params("l: {sweap: [1]}"), ["own.yaml, own: unknown key 'sweap' at 'l'"]),
    # form
    (NOISE, "\nclean: {model: clean}\n", ["noise.yaml is no valid YAML, line", "key 'clean' is given twice"]),
    ("noise/own.yaml", "x:\n  model: clean\n\tlabel: a\n", ["valid YAML, line 3, column", "there is a tab", "spaces"]),
    ("noise/own.yaml", "a: &a {model: clean}\nb:\n  <<: *a\n", ["line 3, column 3: merge keys (<<) are not read"]),
    ("noise/own.yaml", "a: &a {model: *a}\n", ["an anchor (&) contains itself"]),
    (*data("drop: [a b"), ["while parsing a flow sequence from line 1", "expected ',' or ']'"]),
    # what YAML reads as something else than what is written
    (*data("target: no"), ["own.target: YAML reads no as a truth value; for text put it in quotes, as 'no'"]),
    (*data("positive: [2020-01-01]"), ["YAML reads 2020-01-01 as a date; put it in quotes, as '2020-01-01'"]),
    (*data("positive: [1.10]"), ["own.positive.0: YAML reads 1.10 as 1.1; put it in quotes, as '1.10'"]),
    (*data("positive: [01]"), ["YAML reads 01 as 1; write it without the 0 at its start, or '01' in quotes"]),
    (*data("labels: {no: a, yes: b}"), ["YAML reads the key 'no' as false; put it in quotes"]),
    (*data("expect: {n: 1:30}"), ["YAML reads 1:30 as 90; write 90 for this number, or '1:30' in quotes for text"]),
    (*data("cite: 2024"), ["own.cite: YAML reads 2024 as a number; for text put it in quotes, as '2024'"]),
    (*params("C: None"), ["own.params.C: YAML reads 'None' as text; write null, or 'None' in quotes"]),
    (*params("C: [0.1 0.2]"), ["own.params.C.0: a comma is missing between 0.1 and 0.2"]),
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


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"scal": "full"}, ["config.yaml or --config", "unknown key 'scal'", "did you mean 'scale'?"]),
        ({"scale": "smok"}, ["'smok' is not one of smoke, lite, full", "did you mean 'smoke'?"]),
        *(
            ({"mirror": text}, ["--config: mirror holds characters that do not reach jobs as they are; rename"])
            for text in ("it's $(touch pwned)", "it's `touch pwned`", "both ' and \"", "back\\slash", "new\nline")
        ),
        *(({key: float("nan")}, [f"--config: {key} is nan; give"]) for key in ("fit_minutes", "batch_minutes")),
        ({"packs": "it's.pack"}, ["--config: packs holds characters that do not"]),
    ],
)
def test_settings(folder, settings, parts):
    found = message(folder, SETTINGS | settings)
    assert all(part in found for part in parts), found


def test_all_violations_are_reported_at_once_and_each_once(folder):
    append(folder / "noise.yaml", "\nx: {}\ny: {model: clean, rat: 1}\n")
    append(folder / "studies/own.yaml", "description: nothing else\n")
    found = message(folder, {**SETTINGS, "scale": "ful"})
    assert len(found.splitlines()) == 5
    for part in ("'ful'", "noise.yaml, x", "noise.yaml, y", *(f"key {k!r} is missing" for k in ("title", "grids"))):
        assert found.count(part) == 1


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


def test_settings_of_the_command_line_groups_and_sweeps(folder):
    """Null is that of YAML, one pack is a list of one, and a list may begin with a star."""
    names = ["fit_minutes", "mirror", "cell"]
    given = SETTINGS | dict(zip(names, ["null", "None", "null"], strict=True))
    given |= {"packs": "my data/a.pack", "only": "[*-refit, iris]"}
    settings = read(folder, ROOT / "workflow/schemas", given)["settings"]
    assert settings == SETTINGS | dict.fromkeys(names) | {"packs": ["my data/a.pack"], "only": ["*-refit", "iris"]}
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


TREE = "ironbark.RobustDecisionTreeClassifier"
LOW_HIGH = {"low": [0.1, 0.3], "high": [0.3, 0.5]}


@pytest.mark.parametrize(
    ("name", "entry", "labels"),
    [
        ("u", {"rate": {"sweep": [0.1, 0.2]}}, {"u-0.1": "u 0.1", "u-0.2": "u 0.2"}),
        ("u", {"label": "Flips", "rate": {"sweep": [0.1]}}, {"u-0.1": "Flips 0.1"}),
        ("cc", {"label": "CC {rate}", "rate": {"sweep": LOW_HIGH}}, {"cc-low": "CC low", "cc-high": "CC high"}),
        ("rf-t{n}-x", {"label": "{n} trees", "n": {"sweep": [1, 2]}}, {"rf-t1-x": "1 trees", "rf-t2-x": "2 trees"}),
        ("x", {"label": "{not a field}"}, {"x": "{not a field}"}),
    ],
)
def test_ids_and_labels(name, entry, labels):
    assert {id: made["label"] for id, made in expanded(name, entry).items()} == labels
    assert (group_of("rf-t{n}"), group_of("rf-{n}"), group_of("rf")) == ("rf-t", "rf", "rf")


def test_one_entry_for_each_combination_of_values():
    entry = {"estimator": TREE, "label": "NE {lam}", "params": {"criterion": "ne", "lam": {"sweep": [0, 0.25, 1e-5]}}}
    assert expanded("ne", entry) == {
        f"ne-{suffix}": {"estimator": TREE, "label": f"NE {suffix}", "params": {"criterion": "ne", "lam": value}}
        for suffix, value in (("0", 0), ("0.25", 0.25), ("1e-05", 1e-5))
    }
    assert entry["params"]["lam"] == {"sweep": [0, 0.25, 1e-5]}, "the entry itself is left as it was"
    inner = {"estimator": TREE, "params": {"max_depth": {"sweep": [1, None]}}}
    entry = {"estimator": "a.B", "params": {"steps": [["tree", inner]]}, "tune": {"grid": {"C": [{"sweep": [1, 2]}]}}}
    made = expanded("x", entry)
    assert list(made) == ["x-1-1", "x-1-2", "x-none-1", "x-none-2"]
    assert made["x-none-2"]["params"]["steps"][0][1]["params"] == {"max_depth": None}
    assert made["x-none-2"]["tune"] == {"grid": {"C": [2]}}
    assert "sweep" in str(entry) and "sweep" not in str(made)


IDS = ["dt-a", "dt-b", "rf-a", "rf-b"]


def test_members_are_ids_groups_and_patterns_each_once_in_their_order():
    groups = {"trees": ["dt-*"], "some": ["rf-b", "trees", "dt-b"], "all": ["some", "*-a"]}
    assert members("trees", groups, IDS) == ["dt-a", "dt-b"]
    assert members("some", groups, IDS) == ["rf-b", "dt-a", "dt-b"]
    assert members("all", groups, IDS) == ["rf-b", "dt-a", "dt-b", "rf-a"]

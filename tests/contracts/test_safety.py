"""Nothing of a user's YAML or command line is read by a shell."""

import json
import string
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan import specs
from ironbark.pipeline.plan.config.reading import is_id, read
from ironbark.pipeline.plan.specs import Plan

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "config", ROOT / "workflow/schemas"

#: Placeholders that are paths made of ids; all others have to be quoted.
PATHS = {"input", "output", "log"}
EVIL = ["a;b", "$(b)", "a b", "`b`", "a'b", "../b", "a/b", "-rf", "a\nb", "A", ""]


def test_every_section_refuses_other_ids(tmp_path):
    assert not any(map(is_id, EVIL))
    names = [*EVIL[:2], "a\n"]
    for source in (ROOT / "config").rglob("*.yaml"):
        place = tmp_path / source.relative_to(ROOT / "config")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(source.read_bytes())
    study = yaml.safe_load((tmp_path / "studies/quickstart.yaml").read_text("utf-8"))
    study["tables"] |= {name: {"kind": "accuracy"} for name in names}
    (tmp_path / "studies/quickstart.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    noises = {name: {"model": "clean"} for name in names}
    (tmp_path / "noise/evil.yaml").write_text(yaml.safe_dump(noises), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read(tmp_path, CONFIG[1], {"studies": ["quickstart"], "scale": "full"})
    for name in names:
        assert f"noises: {name!r} is no valid id" in str(refused.value)
        assert f"quickstart.yaml, tables: {name!r} is not allowed" in str(refused.value)


#: Prints (rule, whether it has a run block, its command, values of wildcards that its products take) of every rule.
RULES = """
import json, sys
from snakemake.api import ResourceSettings, SnakemakeApi
from snakemake.io import apply_wildcards

VALID = {"scale": "full", "task": "binary"}

def taken(product, name):
    values = {other: VALID.get(other, "a") for other in product.get_wildcard_names()}
    paths = {value: apply_wildcards(product, values | {name: value}) for value in [values[name], *sys.argv[2:]]}
    return {name: [value for value, path in paths.items() if product.match(path)]}

with SnakemakeApi() as api:
    workflow = api.workflow(ResourceSettings(cores=1), snakefile=sys.argv[1])._get_workflow(check_envvars=False)
    workflow.include(sys.argv[1], overwrite_default_target=True)
    for rule in workflow.rules:
        found = [taken(product, name) for product in rule.products() for name in product.get_wildcard_names()]
        print(json.dumps((rule.name, rule.is_run, rule.shellcmd, found)))
"""


@pytest.fixture(scope="module")
def rules():
    """The rules of the workflow as Snakemake reads them."""
    command = [sys.executable, "-c", RULES, ROOT / "Snakefile", *EVIL]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]


def test_the_rules_run_no_shell_with_what_users_write(rules):
    commands = [command for _, _, command, _ in rules if command]
    parts = [part[1:3] for command in commands for part in string.Formatter().parse(command) if part[1]]
    assert parts and {name for name, form in parts if form != "q"} <= PATHS
    assert not [name for name, has_run_block, *_ in rules if has_run_block]


def test_wildcards_match_ids_only(rules):
    found = [(name, set(values)) for *_, taken in rules for wildcards in taken for name, values in wildcards.items()]
    valid = {name for name, values in found if values - set(EVIL)}
    assert valid >= {"study", "scale", "dataset", "task", "batch"}
    paths = {"batch": {"../b", "a/b", "-rf"}, "target": set(EVIL)}  # the rule of any other target refuses it
    assert not [name for name, values in found if values & set(EVIL) - paths.get(name, {"-rf"})]


def test_settings_reach_the_report_as_they_are():
    """The one command that names settings quotes each of them, as Snakemake's `:q` does."""
    settings = {"studies": ["quickstart"], "scale": "smoke", "mirror": "$(touch pwned); `x` y"}
    words = [f"{key}={value}" for key, value in specs.overrides(Plan(read(*CONFIG, settings)).settings, "smoke")]
    assert "mirror=$(touch pwned); `x` y" in words

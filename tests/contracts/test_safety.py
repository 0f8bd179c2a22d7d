"""Nothing of a user's YAML or command line is read by a shell."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from ironbark.errors import InputError
from ironbark.pipeline.plan.config.reading import is_id, read
from ironbark.pipeline.plan.specs import Plan

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "workflow/rules").glob("*.smk"))
CONFIG = ROOT / "config", ROOT / "workflow/schemas"

#: Placeholders that are paths made of ids; all others have to be quoted.
PATHS = {"input", "output", "log"}
EVIL = ["a;b", "$(b)", "a b", "`b`", "a'b", "../b", "a/b", "-rf", "a\nb", "A", ""]


@pytest.mark.parametrize("name", EVIL)
def test_ids_are_words(name):
    assert not is_id(name)


@pytest.mark.parametrize("name", EVIL[:2])
def test_every_section_refuses_other_ids(name, tmp_path):
    for source in (ROOT / "config").rglob("*.yaml"):
        place = tmp_path / source.relative_to(ROOT / "config")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(source.read_bytes())
    study = yaml.safe_load((tmp_path / "studies/quickstart.yaml").read_text("utf-8"))
    study["tables"][name] = {"kind": "accuracy"}
    (tmp_path / "studies/quickstart.yaml").write_text(yaml.safe_dump(study), encoding="utf-8")
    (tmp_path / "noise/evil.yaml").write_text(yaml.safe_dump({name: {"model": "clean"}}), encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read(tmp_path, CONFIG[1], {"studies": ["quickstart"], "scale": "full"})
    assert str(refused.value).count("is no valid id") == 2


def test_the_rules_run_no_shell_with_what_users_write():
    placeholders = [
        place
        for path in RULES
        for command in re.findall(r'^    shell:\n((?:        ".*"\n)+)', path.read_text("utf-8"), re.MULTILINE)
        for place in re.findall(r"(?<!{){([^{}]+)}(?!})", command)
    ]
    assert placeholders, "the search finds no command any more"
    assert {place for place in placeholders if not place.endswith(":q")} <= PATHS
    assert not any(re.search(r"^    run:", path.read_text("utf-8"), re.MULTILINE) for path in RULES)


def test_wildcards_match_ids_only():
    text = (ROOT / "workflow/rules/common.smk").read_text("utf-8")
    patterns = re.findall(r'^    (\w+)="(.+)",$', text[text.index("wildcard_constraints") :], re.MULTILINE)
    used = {name for path in RULES for name in re.findall(r"wildcards\.(\w+)", path.read_text("utf-8"))}
    assert used <= {name for name, _ in patterns}
    for name, pattern in patterns:
        for evil in set(EVIL) - ({"../b", "a/b", "-rf"} if name == "batch" else {"-rf"}):
            assert not re.fullmatch(pattern, evil), (name, evil)


def test_settings_reach_the_report_as_single_words():
    """The one command that names settings quotes each of them, as Snakemake's `:q` does."""
    settings = {"studies": ["quickstart"], "scale": "smoke", "mirror": "$(touch pwned); `x` y"}
    words = [f"{key}={value}" for key, value in Plan(read(*CONFIG, settings)).overrides("smoke")]
    assert "mirror=$(touch pwned); `x` y" in words
    assert shlex.split(" ".join(map(shlex.quote, words))) == words


def test_settings_that_jobs_would_read_otherwise_are_refused():
    settings = {"studies": ["quickstart"], "scale": "smoke", "mirror": "$(touch pwned); x 'y'"}
    with pytest.raises(InputError, match="mirror holds characters that do not reach jobs"):
        read(*CONFIG, settings)

"""The documentation site: its settings, its API reference and its gallery. `make -C docs html` checks the rest."""

import re
import runpy
from pathlib import Path

import pytest

import ironbark
from ironbark import criteria, label_errors, noise

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def conf():
    return runpy.run_path(str(ROOT / "docs/conf.py"))


def defined(module):
    """Public names that a module without `__all__`, or one within it, defines."""
    homes = {name: getattr(value, "__module__", "") for name, value in vars(module).items() if name[0] != "_"}
    return {name for name, home in homes.items() if name.isupper() or home.startswith(module.__name__)}


@pytest.mark.parametrize(
    ("module", "names"),
    [
        (ironbark, set(ironbark.__all__)),
        (noise, set(noise.__all__)),
        (label_errors, defined(label_errors) - set(ironbark.__all__)),
        (criteria, defined(criteria)),
    ],
)
def test_the_reference_lists_every_public_name(module, names):
    blocks = (ROOT / "docs/api.rst").read_text("utf-8").split(".. currentmodule:: ")[1:]
    blocks = [block for block in blocks if block.split()[0] == module.__name__]
    listed = [name for block in blocks for name in re.findall(r"^   (\w+)$", block, re.MULTILINE)]
    assert sorted(listed) == sorted(names)


def test_links_that_leave_the_folder(conf):
    text = "[a](../config/README.md#methodsyaml) [b](examples/) [c](../pyproject.toml) [d](noise.md) [e](https://e.org)"
    pages = "[a](generated/config.md#methodsyaml) [b](gallery/index.rst) [c](../pyproject.toml) [d](noise.md)"
    assert conf["relinked"](text, "docs", "docs/a.md") == f"{pages} [e](https://e.org)"
    assert conf["relinked"]("[s](../workflow/schemas)", "config", "docs/a.md") == "s (`workflow/schemas`)"
    assert conf["relinked"]("[n](../docs/noise.md)", "config", "docs/generated/config.md") == "[n](../noise.md)"


def test_a_link_to_a_table_that_is_a_paragraph_becomes_the_table(conf):
    text = "[Keys](../docs/tables/method-keys.csv)\n\nSee [keys](../docs/tables/method-keys.csv)."
    table, _, rest = conf["relinked"](text, "config", "docs/generated/config.md").partition("\n\n")
    assert table == "```{csv-table} Keys\n:file: /tables/method-keys.csv\n:header-rows: 1\n```"
    assert rest == "See [keys](../tables/method-keys.csv)."

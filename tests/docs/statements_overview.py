"""Statements of docs/reproduction.md."""

from functools import cache

from docs.reference import FOLDER, ROOT, compared, results

from ironbark.pipeline.analysis.published import comparison_page
from ironbark.pipeline.plan.documents import reproduction_page
from ironbark.pipeline.plan.documents.reproduction import Reproduction

LINES = {
    "ANE Table 2, Mushrooms, trees": ("mushrooms", "2", None),
    "ANE Table 4, Mushrooms, forests": ("mushrooms", "4", None),
    "ANE Table 2, MNIST, trees, binary": ("ane-laptop", "2", "mnist"),
    "ANE Table 3, MNIST, trees, ten classes": ("ane-laptop", "3", "mnist"),
    "ANE Table 3, MNIST, trees, authors' stopping rule": ("ane-switches", "3", None),
    "ANE Table 4, MNIST, forests": ("ane-laptop-forests", "4", "mnist"),
    "ANE Table 5, MNIST, forests": ("ane-laptop-forests", "5", "mnist"),
    "PG Table III, seven small sets, forests": ("pg-laptop", "III", None),
    "PG Table III, six medium sets, forests": ("pg-medium", "III", None),
    "PG Table III, three larger sets, forests": ("pg-large", "III", None),
    "RMB Table 3, five small sets, nine methods": ("rmb", "3", None),
}


def headline():
    texts = []
    for name, (study, number, dataset) in LINES.items():
        lines = compared(study)
        lines = lines[lines["table"] == number]
        lines = lines[lines["dataset"] == dataset] if dataset else lines
        head, rule, line = comparison_page.agreement(lines).splitlines()
        texts.append(f"| {name} | {line.split('|', 2)[2].strip()}")
    return "\n".join([head, rule.replace("---:", "---", 1), *texts])


def files():
    """Which studies have reference results, at which scale, and of how many cells."""
    return "".join(_file(path.stem) for path in sorted(FOLDER.glob("*.csv"))).strip()


def _file(study):
    found = results(study)
    return f"| `{study}` | {found['scale'].iloc[0]} | {len(found)} | {', '.join(map(str, sorted(set(found['n']))))} |\n"


@cache
def _reproduction():
    return Reproduction.of_repository(ROOT)


def published_cells():
    return reproduction_page.cells(_reproduction())


def artefacts():
    return reproduction_page.artefacts(_reproduction())


STATEMENTS = [headline, files, published_cells, artefacts]

"""Bring the numbers and figures of the reproduction pages up to date: `python tests/docs/update_pages.py [COMMIT]`.

Statements of tests/docs are computed twice, from `data/reference` of a commit (HEAD by default) and as it is now. Where
they differ, the page gets the new text in place of the old one. Prints what it has changed, and what it has not found.
Figures of docs/figures for which `data/reference` or a pack is enough are drawn again.
"""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main(commit="HEAD"):
    with tempfile.TemporaryDirectory() as folder:
        command = ["git", "-C", ROOT, "archive", commit, "data/reference"]
        archive = subprocess.run(command, check=True, capture_output=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
        old, new = statements(Path(folder, "data/reference")), statements(ROOT / "data/reference")
    for page, texts in new.items():
        path = ROOT / f"docs/{page}.md"
        content = path.read_text(encoding="utf-8")
        for name, text in texts.items():
            before = old[page].get(name)
            if before == text or pattern(text).search(content):
                continue
            content, n = pattern(before).subn(lambda _, text=text: text, content) if before else (content, 0)
            print(f"{page}: {name} is " + ("brought up to date" if n else f"not in the page:\n{text}"))
        path.write_text(content, encoding="utf-8")
    draw()


def draw():
    """Draw the figures ``<study>-<figure>.png`` of docs/figures of comparisons, series and packs."""
    sys.path.insert(0, str(ROOT / "tests"))
    from docs.reference import FOLDER, compared, packed, results, rows
    from pipeline.jobs.rerun import planned_with

    from ironbark.pipeline import figures
    from ironbark.pipeline.jobs.artefacts import artefact_data

    plan = planned_with()
    for study in (path.stem for path in sorted(FOLDER.glob("*.csv"))):
        scale = results(study)["scale"].iloc[0]
        for name, about in plan.study(study, scale).figures.items():
            path = ROOT / f"docs/figures/{study}-{name}.png"
            kind, pack = figures.FIGURES[about["kind"]], ROOT / f"data/packs/{study}-{scale}.pack"
            if not path.exists():
                continue
            if kind.data == "comparison":
                data = compared(study)
            elif about["kind"] == "series":
                data = rows(study)
            elif pack.exists():
                data = packed(pack)
            else:
                continue
            spec = json.loads(plan.figure(study, scale, name))
            inputs = {key: ROOT / file for key, file in plan.figure_inputs(study, scale, name).items()}
            published = artefact_data.published(kind, about, inputs)
            words = spec["names"] | {"caption_note": f"Study {study}, scale {scale}."}
            drawn = figures.draw(data, spec["figure"], **words, **published)
            with tempfile.TemporaryDirectory() as folder:
                figures.save(drawn, f"{folder}/figure")
                shutil.copyfile(f"{folder}/figure.png", path)


def pattern(text):
    """Finds a text, however its lines are broken."""
    return re.compile(r"\s+".join(re.escape(word) for word in text.split()))


def statements(folder):
    """Page -> name of a statement -> text, from the reference results in a folder."""
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r}); from docs import update_pages; update_pages.say()"
    variables = os.environ | {"IRONBARK_REFERENCE": str(folder), "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], check=True, env=variables, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def say():
    """Print them as JSON; a statement that cannot be computed is left out."""
    from docs.test_numbers import PAGES

    found = {page: {} for page in PAGES}
    for page, module in PAGES.items():
        for statement in module.STATEMENTS:
            try:
                found[page][statement.__name__] = statement()
            except (FileNotFoundError, KeyError):
                print(f"{page}: {statement.__name__} has no results", file=sys.stderr)
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Write the tables of results in docs/tables and the figures of docs/figures: `python tests/docs/update_pages.py`.

With names, only these tables: `python tests/docs/update_pages.py arena-standard`.
They are computed from `data/reference`, `data/published` and packs.
"""

import runpy
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from docs.reference import FOLDER, compared, packed, plan, results, rows  # noqa: E402

from docs import tables_ane, tables_arena, tables_overview, tables_pg, tables_rgbdt, tables_rmb  # noqa: E402
from ironbark.files import write_text  # noqa: E402
from ironbark.pipeline import figures  # noqa: E402
from ironbark.pipeline.jobs import artefacts  # noqa: E402
from ironbark.pipeline.plan import artefact_specs  # noqa: E402

PACKS = ROOT / "data/packs"
UNMEASURED = ("rmb-times", "rmb-collapse")  # seconds and numbers of rules are in no reference results

csv_text = runpy.run_path(str(ROOT / "docs/render_pages.py"))["csv_text"]

#: Name of a table in docs/tables -> function that gives its heads and rows.
TABLES = {}
for page in (tables_overview, tables_ane, tables_pg, tables_rmb, tables_rgbdt, tables_arena):
    TABLES |= page.TABLES


def draw():
    """Draw the figures ``<study>-<figure>.png`` of docs/figures again, of those whose results are here."""
    scales = {study: results(study)["scale"].iloc[0] for study in (path.stem for path in FOLDER.glob("*.csv"))}
    scales |= dict(path.stem.rsplit("-", 1) for path in PACKS.glob("*.pack"))
    for study, scale in sorted(scales.items()):
        for name in plan().study(study, scale).shown["figure"]:
            path = ROOT / f"docs/figures/{study}-{name}.png"
            if path.exists() and not path.stem.startswith(UNMEASURED):
                _draw(path, study, scale, name)


def _draw(path, study, scale, name):
    planned = plan().study(study, scale)
    about, spec = planned.shown["figure"][name], artefact_specs.spec(plan(), planned, "figure", name)
    kind, pack = figures.FIGURES[about["kind"]], PACKS / f"{study}-{scale}.pack"
    inputs = {key: ROOT / file for key, file in artefact_specs.files(plan(), planned, "figure", name).items()}
    published = artefacts.published(kind, about, inputs)
    if kind.data == "rows":
        data = packed(pack) if pack.exists() else rows(study, spread=".curves." in kind.builder)
    else:
        data = compared(study) if kind.data == "comparison" else None
    words = spec["names"] | {"caption_note": f"Study {study}, scale {scale}." * kind.of_results}
    drawn = figures.draw(data, spec["figure"], **words, **published, **spec["facts"])
    with tempfile.TemporaryDirectory() as folder:
        figures.save(drawn, f"{folder}/figure")
        shutil.copyfile(f"{folder}/figure.png", path)


if __name__ == "__main__":
    for table in sys.argv[1:] or TABLES:
        write_text(ROOT / f"docs/tables/{table}.csv", csv_text(TABLES[table]()))
    if not sys.argv[1:]:
        draw()
        with tempfile.TemporaryDirectory() as temporary:
            subprocess.run([sys.executable, str(ROOT / "docs/draw_gains.py"), temporary], check=True)
            shutil.copyfile(f"{temporary}/gains.png", ROOT / "docs/figures/gains.png")

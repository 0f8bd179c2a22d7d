"""Write the tables of results in docs/tables and the figures of docs/figures: `python tests/docs/update_pages.py`.

They are computed from `data/reference`, `data/published` and packs; figures are those of comparisons, means and packs.
"""

import runpy
import shutil
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

csv_text = runpy.run_path(str(ROOT / "docs/render_pages.py"))["csv_text"]

#: Name of a table in docs/tables -> function that gives its heads and rows.
TABLES = {}
for page in (tables_overview, tables_ane, tables_pg, tables_rmb, tables_rgbdt, tables_arena):
    TABLES |= page.TABLES


def draw():
    """Draw the figures ``<study>-<figure>.png`` of docs/figures again."""
    for study in (path.stem for path in sorted(FOLDER.glob("*.csv"))):
        scale = results(study)["scale"].iloc[0]
        for name, about in plan().study(study, scale).figures.items():
            path, data = ROOT / f"docs/figures/{study}-{name}.png", None
            kind, pack = figures.FIGURES[about["kind"]], ROOT / f"data/packs/{study}-{scale}.pack"
            if path.exists() and kind.data == "comparison":
                data = compared(study)
            elif path.exists() and (about["kind"] == "series" or about.get("band") == 0):
                data = rows(study)
            elif path.exists() and pack.exists():
                data = packed(pack)
            if data is not None:
                _draw(path, data, study, scale, name)


def _draw(path, data, study, scale, name):
    planned = plan().study(study, scale)
    about, spec = planned.figures[name], artefact_specs.spec(plan(), planned, "figure", name)
    inputs = {key: ROOT / file for key, file in artefact_specs.files(plan(), planned, "figure", name).items()}
    published = artefacts.published(figures.FIGURES[about["kind"]], about, inputs)
    words = spec["names"] | {"caption_note": f"Study {study}, scale {scale}."}
    drawn = figures.draw(data, spec["figure"], **words, **published)
    with tempfile.TemporaryDirectory() as folder:
        figures.save(drawn, f"{folder}/figure")
        shutil.copyfile(f"{folder}/figure.png", path)


if __name__ == "__main__":
    for table, build in TABLES.items():
        write_text(ROOT / f"docs/tables/{table}.csv", csv_text(build()))
    draw()

"""Tables, figures and the comparison with published values, from the files of a study's jobs."""

from collections.abc import Iterable
from pathlib import Path
from pkgutil import resolve_name

import pandas as pd

from ironbark.entries import lookup
from ironbark.errors import InputError
from ironbark.pipeline import tables
from ironbark.pipeline.log import say
from ironbark.pipeline.published import PAPERS, comparison, comparison_page
from ironbark.pipeline.results import parquet, records
from ironbark.pipeline.results.records import shown
from ironbark.pipeline.tables import dataset_tables, layout
from ironbark.pipeline.tables.collect import refuse_holes
from ironbark.pipeline.tables.result_table import Table


def make(specs: dict, inputs: Iterable, folder: Path):
    """Make all tables or all figures of a study; `inputs` have names ``ID/PARAMETER``."""
    files = {}
    for key, paths in inputs:
        name, _, parameter = key.partition("/")
        files.setdefault(name, {})[parameter] = paths
    for name, spec in specs.items():
        category, stem = _category(spec), Path(folder, name)
        try:
            artefact(spec, files.get(name, {}), stem)
        except records.NoResults as error:
            say(f"{category} {name!r} says only that there is nothing to show: {error}")
            _make_reason(category, spec[category], str(error), stem)
        except InputError as error:
            raise InputError(f"{category} {name!r}: {error}") from error


def _category(spec):
    return "table" if "table" in spec else "figure"


def artefact(spec: dict, inputs: dict, stem: Path):
    """Make a table or a figure of `plan.artefact_specs.spec` and write ``stem.csv``, ``stem.png`` and so on."""
    category = _category(spec)
    if category == "table":
        kinds, build, write, shown = tables.TABLES, tables.build, layout.write, str
    else:
        from ironbark.pipeline import figures  # late: tables do without matplotlib
        from ironbark.pipeline.figures.style import literal

        kinds, build, write, shown = figures.FIGURES, figures.draw, figures.save, literal
    about = spec[category]
    kind = lookup("kind", about["kind"], kinds)
    data, keywords = READERS[kind.data](about, inputs), published(kind, about, inputs)
    if category == "table" and kind.data == "rows":
        asked = (spec[key] for key in ("cells", "repeats", "folds", "allow_holes"))
        keywords["missing"] = refuse_holes(data, *asked)
    names = {key: {id: shown(text) for id, text in of.items()} for key, of in spec["names"].items()}
    write(build(data, about, **names, caption_note=spec["note"], **keywords, **spec["facts"]), Path(stem))


def _make_reason(category, about, sentence, stem):
    """A table or a figure that holds a sentence."""
    if category == "table":
        frame = pd.DataFrame({"Reason": [sentence]}, pd.Index(["–"], name="Table"), dtype="str")
        layout.write(Table(frame, frame, None, about.get("caption", "")), stem)
        return
    from ironbark.pipeline.figures import style  # late, as in `artefact`

    drawn = style.new_figure(6.0, 1.0)
    drawn.text(0.5, 0.5, style.literal(sentence), ha="center", va="center", wrap=True)
    style.save(style.finish(drawn, about), stem)


def compare(spec: dict, rows: Path, printed: Path, stem: Path):
    """Write the comparison of `plan.artefact_specs.compare` as ``stem.csv``, and the summary ``stem.md``."""
    entry = spec["compare"]
    result = comparison.compare(
        without_twins(parquet.read(rows), spec["added_noises"]),
        resolve_name(PAPERS[entry["published"]].values["cells"].reader)(printed),
        entry["methods"],
        datasets=spec["datasets"],
        tables=entry.get("tables"),
        metrics=entry.get("metrics"),
        unlike=unlike(spec["datasets"], spec["capped_fits"], spec["deviations"], entry.get("despite", ())),
    )
    comparison_page.write(result, stem, " ".join([spec["note"], *entry.get("despite", {}).values()]).strip())


def without_twins(rows, added):
    """Rows without those of added noises that have the model and rate of a noise of the study, whose rows count."""
    pairs = pd.Series(list(zip(rows["noise"], rows["rate"], strict=True)), rows.index)
    is_added = rows["noise_id"].isin(added)
    return rows[~(is_added & pairs.isin(set(pairs[~is_added])))]


def unlike(datasets, capped_fits, deviations, despite=()):
    """Data set -> why its numbers are not comparable with published ones, for those of which there is a reason."""
    found = {}
    for name in datasets:
        parts = [f"capped: {capped_fits}"] if capped_fits else []
        if deviations[name] and name not in despite:
            parts.append(f"other data: {' '.join(deviations[name])}")
        if parts:
            found[name] = "; ".join(parts)
    return found


def published(kind, spec, inputs):
    """The published values that a kind shows, by the keywords of its builder; by parameter."""
    readers = {key: PAPERS[paper].values[name].reader for key, (paper, name) in kind.values(spec).items()}
    return {key: resolve_name(reader)(inputs[key]) for key, reader in readers.items()}


def _labels(spec, inputs):
    """Title, matrix of the first split and class names, for each noise of the figure."""
    from ironbark.pipeline.data import bundle  # late, here and below: other kinds do without
    from ironbark.pipeline.figures.transition_matrix import title
    from ironbark.pipeline.results import noisy_labels

    classes, found = bundle.load(inputs["prepared"]).classes(spec["task"]), []
    for noise_id in spec["noises"]:
        labels = noisy_labels.read(inputs["labels"], noise_id)
        flips = labels.flips[0]
        flipped = float(1 - flips.trace() / flips.sum())
        found.append((title(noise_id, flipped), labels.transition[0].tolist(), classes))
    return found


def _datasets(spec, inputs):
    """The published table, and id -> meta.json of each prepared data set."""
    from ironbark.pipeline.data import bundle

    metas = map(bundle.meta, inputs.get("prepared", ()))
    return dataset_tables.read(inputs["printed"], spec["printed"]), {meta["id"]: meta for meta in metas}


#: `ironbark.pipeline.tables.kinds.Kind.data` -> reader(entry of the study, inputs).
READERS = {
    "rows": lambda spec, inputs: shown(inputs["rows"]),
    "comparison": lambda spec, inputs: comparison_page.read(inputs["comparison"]),
    "labels": _labels,
    "datasets": _datasets,
    "nothing": lambda spec, inputs: None,
}

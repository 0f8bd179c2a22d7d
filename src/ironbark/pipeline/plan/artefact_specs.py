"""Specs, input files and captions of the jobs that make tables, figures and the comparison of a study."""

from ironbark.entries import distinct
from ironbark.errors import InputError
from ironbark.pipeline.job_specs import text
from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.plan.config import additions
from ironbark.pipeline.plan.fit_specs import asked_fits
from ironbark.pipeline.plan.keys import code_of_job
from ironbark.pipeline.plan.study import artefacts
from ironbark.pipeline.plan.study.artefacts import KINDS
from ironbark.pipeline.plan.study.study import Study
from ironbark.pipeline.published import PAPERS
from ironbark.pipeline.tables.kinds import sentences
from ironbark.versions import FAMILIES

#: `ironbark.pipeline.tables.kinds.Kind.data` -> function(config, study, entry) -> files by name.
FILES = {
    "rows": lambda config, study, spec: {"rows": f"{study.folder}/rows.parquet"},
    "comparison": lambda config, study, spec: {"comparison": f"{study.folder}/comparison.csv"},
    "labels": lambda config, study, spec: {
        "prepared": f"data/prepared/{spec['dataset']}",
        "labels": f"{study.folder}/labels/{spec['dataset']}/{spec['task']}.npz",
    },
    "datasets": lambda config, study, spec: dataset_specs.files_of_table(config, spec["printed"], study.datasets),
    "nothing": lambda config, study, spec: {},
}


def _members(config, study, spec):
    """Those of all data sets of a study, those included that a scale leaves out or that are unavailable."""
    among = {dataset for grid in config["studies"][study.entry_id]["grids"] for dataset in grid["datasets"]}
    return dataset_specs.members(config, spec["printed"], among)


#: A fact that a kind asks for -> function(config, study, entry).
FACTS = {
    "mapping": lambda config, study, spec: study.compare["methods"],
    "capped_fits": lambda config, study, spec: study.capped_fits,
    "members": _members,
}


def all_of(plan, study: Study, category: str) -> str:
    """Spec of the job that makes all tables ("table") or all figures ("figure") of a study."""
    return text({name: spec(plan, study, category, name) for name in study.shown[category]})


def spec(plan, study: Study, category: str, name: str) -> dict:
    """What is made of one table or figure; a computed one runs our estimators too."""
    entry = study.shown[category][name]
    kind = KINDS[category][entry["kind"]]
    families = FAMILIES.values() if kind.data == "nothing" else ()
    result = {"code": code_of_job(category, *(part for family in families for part in family.code))}
    result["facts"] = {fact: FACTS[fact](plan.config, study, entry) for fact in kind.facts}
    if not kind.of_results:
        return result | {category: entry, "names": {}, "note": ""}
    result |= {category: study.selection(category, name), "note": note(plan.config, study)}
    if category == "table":
        result |= asked_fits(plan, study)
    written = plan.config["studies"][study.entry_id][f"{category}s"][name]  # with the artefact of the paper
    names = artefacts.as_published(_names(plan.config, study), written)
    return result | {"names": artefacts.told_apart(names, result[category], kind)}


def files(plan, study: Study, category: str, name: str) -> dict:
    """Files that a table or figure is made from, by their names in its job."""
    entry = study.shown[category][name]
    kind = KINDS[category][entry["kind"]]
    published = {key: PAPERS[paper].values[values].path for key, (paper, values) in kind.values(entry).items()}
    return FILES[kind.data](plan.config, study, entry) | published


def files_of_all(plan, study: Study, category: str) -> dict:
    """Files of the job of `all_of`, as ID/NAME."""
    result = {name: files(plan, study, category, name) for name in study.shown[category]}
    return {f"{name}/{key}": paths for name, own in result.items() for key, paths in own.items()}


def captions(plan, study: Study, category: str) -> dict:
    """Id of each table or figure -> its caption in the report."""
    result, common = {}, note(plan.config, study)
    for name, entry in study.shown[category].items():
        of_results = KINDS[category][entry["kind"]].of_results
        result[name] = sentences(entry.get("caption", name), common if of_results else "")
    return result


def compare(plan, study: Study) -> str:
    """Spec of the comparison with published values."""
    return text(
        {
            "compare": study.compare,
            "datasets": study.datasets,
            "capped_fits": study.capped_fits,
            "deviations": {name: plan.config["datasets"][name].get("deviations", []) for name in study.datasets},
            "note": note(plan.config, study),
            "added_noises": additions.asked(plan.config)["noises"],
            "code": code_of_job("compare"),
        }
    )


def published(study: Study) -> str:
    """File of the published values that a study is compared with."""
    if not study.compare:
        raise InputError(f"{study} is not compared with published values; add the key 'compare' to it")
    return PAPERS[study.compare["published"]].values["cells"].path


def note(config: dict, study: Study) -> str:
    """What each caption of a study ends with."""
    scale = f"Study {study.entry_id}, scale {study.scale}" + (f": {study.caps}." if study.caps else ".")
    absent = f"{study.absent}." if study.absent else ""
    over = "Means are over all training sizes, unless sizes are shown." * bool(study.protocol["options"].get("sizes"))
    return " ".join(filter(None, [scale, over, absent, additions.words(study, config)]))


def _names(config, study):
    """Display names."""
    noises = sorted({noise_id for ids, _ in study.cells.values() for noise_id in ids})
    return {
        "labels": {name: method["label"] for name, method in study.methods.items()},
        "noise_labels": distinct({name: config["noises"][name].get("label", name) for name in noises}),
        "dataset_labels": study.dataset_labels,
    }


def paths(study: Study) -> list[str]:
    """Everything that a study makes: its rows, the folders of its tables and figures, the comparison."""
    names = ["rows.parquet", *(f"{category}s" for category in KINDS if study.shown[category])]
    names += [f"comparison{suffix}" for suffix in (".csv", ".md")] if study.compare else []
    return [f"{study.folder}/{name}" for name in names]
